/** What a host's tools do. Each host lists its own; for unlisted tools the worst is assumed. */

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

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of these fields that is a non-empty string. */
export function textOf(fields: Fields, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

export function has(fields: Fields, ...names: readonly string[]): boolean {
  return names.some((name) => fields[name] !== undefined);
}

/** A command in a host's form: one string, or a program with its arguments. */
export function commandOf(input: Fields, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return value;
    if (!Array.isArray(value) || value.length === 0) continue;
    const words: unknown[] = value;
    if (!words.every((word) => typeof word === 'string')) return null;
    const [program = '', flag = '', script] = words;
    // `["bash", "-lc", "…"]`: the script is what runs.
    if (/(?:^|\/)(?:ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flag) && script !== undefined && words.length === 3)
      return script;
    return words.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
  }
  return null;
}

/** Hosts replace characters not allowed in tool names with `_`. */
export function toolNamePart(text: string): string {
  return text.replaceAll(/[^\w-]/g, '_');
}

const pathKey = /path|file|uri|url|dir|folder|target|notebook|dest|source|location|output|out$/i;
const deepest = 6;
const mostFound = 2_000;

/**
 * Every string that `wanted` accepts, by the name of its field, at any depth. Null if the value is too large to look at
 * all of it.
 */
export function textsIn(value: unknown, wanted: (key: string) => boolean): string[] | null {
  const found: string[] = [];
  const cut: unknown[] = [];
  const look = (inside: unknown, named: boolean, depth: number): void => {
    if (found.length > mostFound || depth > deepest) cut.push(inside);
    else if (typeof inside === 'string') {
      if (named && inside !== '') found.push(inside);
    } else if (Array.isArray(inside)) for (const item of inside) look(item, named, depth + 1);
    else if (isFields(inside))
      for (const [key, item] of Object.entries(inside)) {
        // `{"files": {"src/a.js": "…"}}`
        if (/[/\\.]/.test(key)) look(key, named, depth + 1);
        look(item, named || wanted(key), depth + 1);
      }
  };
  look(value, wanted(''), 0);
  return cut.length === 0 ? found : null;
}

/** Every string under a key that suggests a file, at any depth; for tools whose input is unknown. Null as above. */
export function pathsIn(value: unknown): string[] | null {
  return textsIn(value, isPathKey);
}

export function isPathKey(key: string): boolean {
  return pathKey.test(key);
}

/**
 * File names in a patch, in the form that models write for `apply_patch` or as a unified diff. A line that might name a
 * file is treated as one: a false match holds too much, a missed one is a hole.
 */
const named =
  /^[\s\u0085]*['"]?\*\*\* (?:Add File|Update File|Delete File|Move to|Rename to|Create File|(?:Rename|Copy)(?: File)?):? ?(.+?)\s*$/is;
const unified = /^(?:---|\+\+\+|Index:) ([^\t]+?)\s*(?:\t.*)?$/s;
const gitHeader = /^diff --git (.+)$/s;
const gitMove = /^(?:rename|copy) (?:from|to) (.+)$/s;
const binary = /^Binary files (.+) and (.+) differ/s;
/** Programs differ in whether these end a line, are blanks at the ends of a name, or belong to it. */
const ambiguous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/;

/** Empty if the text is not a patch; null if it has a name that cannot be read with certainty. */
export function filesOfPatch(patch: string): string[] | null {
  const files = new Set<string>();
  for (const line of patch.split('\n').flatMap(readings)) {
    const found = namedBy(line);
    if (found.length > 0 && ambiguous.test(line)) return null;
    for (const file of found) {
      const names = namesOf(file);
      if (names === null) return null;
      for (const name of names) files.add(name);
    }
  }
  return [...files];
}

/** A line as it is, and the parts of one that contains carriage returns: programs differ in whether these end a line. */
function readings(line: string): string[] {
  const whole = line.replace(/\r$/, '');
  return whole.includes('\r') ? [whole, ...whole.split('\r')] : [whole];
}

function namedBy(line: string): string[] {
  const found = [
    named.exec(line)?.[1],
    gitMove.exec(line)?.[1],
    unified.exec(line)?.[1],
    ...(binary.exec(line)?.slice(1) ?? []),
    ...headerNames(gitHeader.exec(line)?.[1]),
  ];
  return found.filter((file) => file !== undefined);
}

/** `a/x b/x`: every split is possible, because names may contain blanks. */
function headerNames(header: string | undefined): string[] {
  if (header === undefined) return [];
  const splits = [...header.matchAll(/ (?="?[a-z]\/)/g)].map(({ index }) => index);
  return splits.flatMap((at) => [header.slice(0, at), header.slice(at + 1)]);
}

/** With and without the prefix of one folder that `diff` adds and `patch -p1` takes away. */
function namesOf(file: string): string[] | null {
  const plain = /^".*"$/.test(file) ? file.slice(1, -1) : file;
  if (plain !== file && plain.includes('\\')) return null;
  if (plain === '/dev/null') return [];
  const below = /^[a-z]\/(.+)$/.exec(plain)?.[1];
  return below === undefined ? [plain] : [plain, below];
}
