/** The view model of "Set up agents": the state of each host, and exactly what each button would write. */
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { difference, type DifferenceRow } from '../../core/kit/difference.ts';
import { foundHosts } from '../../hosts/setup/hostFiles.ts';
import { applySetup, sha256, planSetup, type FileChange, type SetupChange } from '../../hosts/setup/plan.ts';
import { SetupError, setupNames, setupTitle, type SetupName, type Place } from '../../hosts/setup/place.ts';
import { findingParts, type HostCheck } from '../../hosts/setup/findings.ts';
import type { ChosenFolder, SnapshotHead, Time, Token, UnavailableView } from '../kit/view.ts';
import type { SetupHost, SetupMessage } from './messages.ts';

/** The latest test of a folder's hosts. */
export interface FolderChecks {
  readonly at: string;
  readonly hosts: readonly HostCheck[];
}

interface Change {
  /** Relative to the folder if it is inside, otherwise absolute. */
  file: string;
  /** The real path, if links lead elsewhere. */
  real?: string | undefined;
  what: 'new' | 'changed' | 'removed';
  rows: readonly DifferenceRow[];
}

/** The changes that a button would write; the click returns `shown`, its hash. `problem`: why it cannot be written. */
export type SetupPlan =
  { type: 'changes'; shown: Token; files: readonly Change[] } | { type: 'nothing' } | { type: 'problem'; text: string };

export type SetupVerdict = 'off' | 'enforced' | 'advisory' | 'broken';

export interface SetupRowView {
  host: SetupHost;
  title: string;
  /** A path that shows that the host is in use here. */
  found?: string | undefined;
  verdict: SetupVerdict;
  /** Whose rules stop the host; absent where its user can edit them. */
  by?: 'administrator' | undefined;
  /** When an edit to a held file was last denied here; absent if it was not. */
  denied?: Time | undefined;
  reasons: readonly string[];
  /** What the hook printed when it was tried. */
  output?: string | undefined;
  add: SetupPlan;
  remove: SetupPlan;
}

export interface SetupView extends ChosenFolder {
  type: 'setup';
  /** New for every rendering: an act names the rendering it was clicked in. */
  render: Token;
  checking: boolean;
  hosts: readonly SetupRowView[];
  /** The hosts found here that are not connected, and what connecting all of them would write. */
  found: { readonly hosts: readonly SetupHost[]; readonly add: SetupPlan };
}

export interface SetupSnapshot extends SnapshotHead {
  view: SetupView | UnavailableView;
  /** The result of the last act. */
  notice?: { kind: 'done' | 'error'; text: string } | undefined;
}

const madeFromVscode = ['cursor', 'windsurf', 'kiro', 'antigravity'] as const satisfies readonly SetupName[];

/**
 * The host that the editor itself is: VS Code, or one of the editors that are made from it.
 * @param appName what the editor calls itself (`vscode.env.appName`): `Visual Studio Code - Insiders`, `Cursor`
 */
export function editorHost(appName: string): SetupName {
  const words = appName.toLowerCase().split(/[^a-z]+/);
  return madeFromVscode.find((name) => words.includes(name)) ?? 'vscode';
}

/** @param editor the host that this editor is, which needs no other sign to be in use, and what to call it */
export function setupRows(
  place: Place,
  checks: FolderChecks | null,
  editor: { readonly host: SetupName; readonly words: string },
): Pick<SetupView, 'hosts' | 'found'> {
  const found = new Map([[editor.host, editor.words], ...foundHosts(place)]);
  const hosts = setupNames.map((host): SetupRowView => {
    const check = checks?.hosts.find((one) => one.host === host);
    const sign = found.get(host);
    const findings = check?.findings.map((one) => ({ ...one, ...findingParts(one) })) ?? [];
    const isDenied = findings.some(({ code }) => code === 'denied');
    const output = findings.find((one) => one.output !== null)?.output;
    return {
      host,
      title: setupTitle(host),
      ...(sign === undefined ? {} : { found: sign }),
      verdict: check?.verdict ?? 'off',
      ...(check?.by === undefined ? {} : { by: check.by }),
      ...(checks && isDenied ? { denied: checks.at } : {}),
      reasons: findings.filter(({ code }) => code !== 'denied').map(({ text }) => text),
      ...(output == null ? {} : { output }),
      add: planView(place, { add: [host] }),
      remove: planView(place, { remove: [host] }),
    };
  });
  const open = hosts.filter(
    ({ found: sign, verdict, add }) => sign !== undefined && verdict === 'off' && add.type === 'changes',
  );
  const names = open.map(({ host }) => host);
  return { hosts, found: { hosts: names, add: planView(place, { add: names }) } };
}

function planView(place: Place, change: SetupChange): SetupPlan {
  try {
    const changes = planSetup(place, change);
    if (changes.length === 0) return { type: 'nothing' };
    return { type: 'changes', shown: shownHash(changes), files: changes.map((change) => changeView(place, change)) };
  } catch (error) {
    if (error instanceof SetupError) return { type: 'problem', text: error.message };
    throw error;
  }
}

/** Hash of a plan's bytes, which ensures that exactly the displayed changes are written. */
function shownHash(changes: readonly FileChange[]): string {
  const parts = changes.map(({ real, before, after }) => [real, before?.toString('base64'), after?.toString('base64')]);
  return sha256(Buffer.from(JSON.stringify(parts)));
}

function changeView({ workspace }: Place, { file, real, before, after }: FileChange) {
  const from = path.relative(workspace, file);
  return {
    file: from.startsWith('..') || path.isAbsolute(from) ? file : from.split(path.sep).join('/'),
    ...(path.normalize(real) === path.normalize(file) || !isOtherName(file, real) ? {} : { real }),
    what: before === null ? ('new' as const) : after === null ? ('removed' as const) : ('changed' as const),
    rows: difference(before?.toString('utf8') ?? '', after?.toString('utf8') ?? ''),
  };
}

/** If a common parent folder is a link, the relative path is the same. */
function isOtherName(file: string, real: string): boolean {
  return !real.endsWith(file.split(path.sep).slice(-2).join(path.sep));
}

/**
 * Writes one host after the other: a host that fails stops no other, and the notice says which it is.
 * @throws Error when the files have changed since they were shown
 */
export function writeSetup(
  place: Place,
  {
    hosts,
    act,
    shown,
  }: Pick<SetupMessage & { type: 'act' }, 'act' | 'shown'> & { readonly hosts: readonly SetupHost[] },
  apply = applySetup,
): NonNullable<SetupSnapshot['notice']> {
  const plan = (names: readonly SetupHost[]) => planSetup(place, act === 'add' ? { add: names } : { remove: names });
  if (shownHash(plan(hosts)) !== shown)
    throw new Error(l10n.t('The files have changed since this was shown. Nothing was written; check again.'));
  const done: string[] = [];
  const failed: string[] = [];
  for (const host of hosts)
    try {
      apply(place, plan([host]));
      done.push(setupTitle(host));
    } catch (error) {
      failed.push(l10n.t('{0} failed: {1}', setupTitle(host), error instanceof Error ? error.message : String(error)));
    }
  const names = done.join(', ');
  const words =
    act === 'add' ? l10n.t('Connected: {0}.', names) : l10n.t('{0} is removed; its files are restored.', names);
  return {
    kind: failed.length === 0 ? 'done' : 'error',
    text: [...failed, ...(done.length === 0 ? [] : [words])].join(' '),
  };
}
