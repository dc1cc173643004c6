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
