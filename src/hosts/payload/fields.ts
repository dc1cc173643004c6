/** Accessors for payload fields that have several spellings and may have any type. */

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

const pathKey = /path|file|uri|dir|folder|target|notebook|dest|source|location/i;
const longestPath = 4_096;
const deepest = 6;
const mostFound = 2_000;

/** Every string under a key that suggests a file, at any depth; for tools whose input is unknown. */
export function pathsIn(value: unknown): string[] {
  const found: string[] = [];
  const look = (inside: unknown, named: boolean, depth: number): void => {
    if (found.length >= mostFound || depth > deepest) return;
    if (typeof inside === 'string') {
      if (named && inside !== '' && inside.length <= longestPath && !inside.includes('\n')) found.push(inside);
    } else if (Array.isArray(inside)) for (const item of inside) look(item, named, depth + 1);
    else if (isFields(inside))
      for (const [key, item] of Object.entries(inside)) look(item, pathKey.test(key), depth + 1);
  };
  look(value, false, 0);
  return found;
}
