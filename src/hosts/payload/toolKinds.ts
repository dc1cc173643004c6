/** What a host's tools do. Each host lists its own; for unlisted tools the worst is assumed. */
import { filesOfPatch } from './patch.ts';
import { commandOf, isFields, pathsIn, textOf, textsIn } from './fields.ts';
import type { Fields } from './fields.ts';

export type ToolKind =
  | { readonly kind: 'reads' }
  /** Changes something, but no files that could be held (for example closes a terminal). */
  | { readonly kind: 'acts' }
  /** Changes these files; an empty list means an unknown form of input, and null that some may be missing. */
  | {
      readonly kind: 'edits';
      readonly files: (input: Fields) => string[] | null;
      /** Names for which the host looks in all folders, if they are relative and do not exist. */
      readonly searched?: (input: Fields) => string[];
    }
  | {
      readonly kind: 'shell';
      readonly command: (input: Fields) => string | null;
      /** Without it, on Windows, it may be either. */
      readonly style?: 'posix' | 'windows';
      /** A terminal that stays open: it has a history, and the host does not report its folder. */
      readonly isInteractive?: boolean;
      /** Text can be typed into its programs later, in calls for which the host runs no hook. */
      readonly isTyped?: boolean;
    }
  /** Changes unknown things. */
  | {
      readonly kind: 'opaque';
      /** What an agent can do instead, as a sentence. */
      readonly instead?: string;
    };

/** By name; a function where the effect depends on the input. */
export type ToolTable = Readonly<Record<string, ToolKind | ((input: Fields) => ToolKind)>>;

export const reads: ToolKind = { kind: 'reads' };
export const acts: ToolKind = { kind: 'acts' };
export const opaque: ToolKind = { kind: 'opaque' };
export const shell: ToolKind = { kind: 'shell', command: (input) => commandOf(input, 'command', 'cmd', 'script') };
/** On Windows, this is Git Bash. */
export const bash: ToolKind = { ...shell, style: 'posix' };
export const terminal: ToolKind = { ...shell, isInteractive: true };
export const typed: ToolKind = { ...shell, isTyped: true };
export const powershell: ToolKind = { ...shell, style: 'windows' };

export function edits(...fields: string[]): ToolKind {
  return { kind: 'edits', files: (input) => fields.flatMap((field) => textOf(input, field) ?? []) };
}

/** Every path in the input, for tools that change several files at once. */
export const editsAll: ToolKind = { kind: 'edits', files: pathsIn };

const patchFields = ['input', 'patch', 'patchText', 'patch_text', 'command', 'diff'];

/** Patches in any of these fields: which of several the host applies is unknown. */
export const patches: ToolKind = {
  kind: 'edits',
  files: (input) => {
    const texts = textsIn(
      patchFields.map((field) => input[field]),
      () => true,
    );
    const found = texts?.filter((text) => text !== 'apply_patch').map(filesOfPatch);
    const named = pathsIn(input);
    if (!found || !named || found.some((files) => files === null || files.length === 0)) return null;
    return [...found.flatMap((files) => files ?? []), ...named];
  },
};

/** One tool with several commands, of which only `view` is read-only. */
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
    // Some hosts pass free text: a patch.
    return { input: value };
  }
}
