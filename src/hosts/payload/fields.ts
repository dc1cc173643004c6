/** Fields of a payload that may be named one way or another, and may be anything. */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first that is there and is a text that is not empty. */
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

/** A command as hosts write it: one text, or a program with its arguments. */
export function commandOf(input: Fields, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return value;
    if (!Array.isArray(value) || value.length === 0) continue;
    const words: unknown[] = value;
    if (!words.every((word) => typeof word === 'string')) return null;
    const [program = '', flag = '', script] = words;
    // `["bash", "-lc", "…"]`: what is run is the text.
    if (/(?:^|\/)(?:ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flag) && script !== undefined && words.length === 3)
      return script;
    return words.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
  }
  return null;
}

/** Hosts write `_` for what may not stand in the name of a tool. */
export function toolNamePart(text: string): string {
  return text.replaceAll(/[^\w-]/g, '_');
}

const pathKey = /path|file|uri|dir|folder|target|notebook|dest|source|location/i;
const longestPath = 4_096;
const deepest = 6;
const mostFound = 2_000;

/** Every text under a key that sounds like a file, at any depth: for tools whose input is not known. */
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
