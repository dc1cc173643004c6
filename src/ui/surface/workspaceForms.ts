/** The forms about several questions: their keys and view models. */
import * as l10n from '@vscode/l10n';
import type { FormView, Signer, Imported } from '../kit/view.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import type { SignerStanding } from './standing.ts';
import { program } from '../kit/program.ts';
import { importedItem } from '../../app/transfer/exporting.ts';
import { limits } from '../../core/kit/limits.ts';

/** What their ids are. One that ends with `/` is followed by what the form is about. */
const formIds = {
  policy: 'policy',
  keys: 'keys',
  appoint: 'responsibilities',
  ask: 'newRequest',
  /** Enrols this editor, if it cannot sign yet. */
  enrol: 'enrol',
  share: 'share',
  leave: 'leave',
  releaseAll: 'agent/',
  /** About the agent, or about all agents. */
  assumptions: 'assumptions/',
  together: 'together/',
  work: 'work/',
} as const;

/** Pages that have keys like forms, but are none. */
const pageIds = {
  /** Makes a passkey, in a browser. */
  passkey: 'passkey',
  /** The recovery options of a store that cannot be read. */
  journal: 'journal',
  /** Those of a store that a newer version wrote: only on request, because an update helps. */
  recovery: 'recovery',
} as const;

const idsOf = { ...formIds, ...pageIds };

/** A form other than those of questions. */
export interface WorkspaceForm {
  readonly kind: keyof typeof formIds;
  readonly about: string;
}

export function formKey(folders: Folders, folder: OpenFolder, kind: keyof typeof idsOf, about = ''): string {
  return folders.keyOf(folder, idsOf[kind] + about);
}

/** The form that adds this editor's key; undefined where it can sign, or only others can add it. */
export function enrolKey(folders: Folders, folder: OpenFolder, standing: SignerStanding): string | undefined {
  return standing.kind === 'stranger' && standing.managed === null ? formKey(folders, folder, 'enrol') : undefined;
}

export function workspaceForm(id: string): WorkspaceForm | null {
  for (const [kind, name] of Object.entries(formIds) as [WorkspaceForm['kind'], string][])
    if (name.endsWith('/') ? id.startsWith(name) : id === name) return { kind, about: id.slice(name.length) };
  return null;
}

export const isPasskeyPage = (id: string) => id === pageIds.passkey;

export const settingsForms = ['policy', 'keys', 'appoint', 'ask'] as const;

export function settingsForm(id: string): boolean {
  return settingsForms.some((kind) => id === formIds[kind]);
}

export interface FormOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly standing: SignerStanding;
  readonly render: string;
  /** Set when nothing can be decided here. */
  readonly locked: string | undefined;
}

/** What the views of these forms begin with. */
export function formHead<Type extends keyof typeof idsOf>(
  { folders, folder, standing, render, locked }: FormOptions,
  type: Type,
  { shown, about = '' }: { readonly shown: string; readonly about?: string | undefined },
): FormView & { type: Type } {
  const key = formKey(folders, folder, type, about);
  return { type, key, shown, render, ...folderName(folders, folder), answersAs: signerOf(standing), locked };
}

/** A field that is present only with a value. */
export function optionalField<K extends string, V>(name: K, value: V | null | undefined): Partial<Record<K, V>> {
  return value === null || value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

/** Present only in windows with several folders. */
export function folderName(folders: Folders, folder: OpenFolder): { folder?: string } {
  return folders.all.length > 1 ? { folder: folder.name } : {};
}

export function signerOf(standing: SignerStanding): Signer {
  return standing.kind === 'enrolled'
    ? { name: standing.name, editable: false }
    : { name: standing.suggestedName, editable: true };
}

/** Why nothing can be decided in a folder now; undefined when decisions are possible. */
export function whyLocked(readOnly: boolean): string | undefined {
  if (!program().isTrusted) return l10n.t('This folder is not trusted: you can read here, but not decide.');
  if (!readOnly) return undefined;
  return l10n.t('A newer version of Holdpoint wrote this workspace. Update to answer here.');
}

/** The origin of an imported active item; empty for native ones. */
export function importedModel(view: View, id: string): { imported?: Imported } {
  const item = importedItem(view, id);
  if (!item) return {};
  const { from, source, ref } = item;
  return { imported: { from, source: source.slice(-limits.title), ref: ref.slice(0, limits.title) } };
}
