/** What a host's tools do. Each host lists its own; a tool that is on no list is taken for the worst. */
import { filesOfPatch } from './patch.ts';
import { commandOf, isFields, pathsIn, textOf } from './fields.ts';
import type { Fields } from './fields.ts';

export type ToolKind =
  | { readonly kind: 'reads' }
  /** Changes something, but no file that could be held (a terminal is closed). */
  | { readonly kind: 'acts' }
  /** Changes these files; none found means that the input is not what is known. */
  | { readonly kind: 'edits'; readonly files: (input: Fields) => string[] }
  | { readonly kind: 'shell'; readonly command: (input: Fields) => string | null; readonly style?: 'windows' }
  /** Changes what cannot be told. */
  | { readonly kind: 'opaque' };

/** By name; a function where the input tells what the tool does. */
export type ToolTable = Readonly<Record<string, ToolKind | ((input: Fields) => ToolKind)>>;

export const reads: ToolKind = { kind: 'reads' };
export const acts: ToolKind = { kind: 'acts' };
export const opaque: ToolKind = { kind: 'opaque' };
export const shell: ToolKind = { kind: 'shell', command: (input) => commandOf(input, 'command', 'cmd', 'script') };
export const powershell: ToolKind = { ...shell, style: 'windows' };

export function edits(...fields: string[]): ToolKind {
  return { kind: 'edits', files: (input) => fields.flatMap((field) => textOf(input, field) ?? []) };
}

/** Every path in the input: for tools that change several files at once. */
export const editsAll: ToolKind = { kind: 'edits', files: pathsIn };

/** A patch in one of these fields, or the input itself. */
export const patches: ToolKind = {
  kind: 'edits',
  files: (input) => {
    const patch = commandOf(input, 'input', 'patch', 'patchText', 'patch_text', 'command', 'diff');
    return [...(patch === null ? [] : filesOfPatch(patch)), ...pathsIn(input)];
  },
};

/** One tool with several acts, of which `view` only reads. */
export const viewOrEdit = (input: Fields): ToolKind =>
  textOf(input, 'command') === 'view' ? reads : edits('path', 'file_path', 'filePath');

export function table(kind: ToolKind, names: string): ToolTable {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

export function toolInput(value: unknown): Fields | null {
  if (isFields(value)) return value;
  if (typeof value !== 'string') return value === undefined || value === null ? {} : null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isFields(parsed) ? parsed : { input: value };
  } catch {
    // Some hosts hand over free text: a patch.
    return { input: value };
  }
}
