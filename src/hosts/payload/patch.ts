/**
 * File names in a patch, in the form that models write for `apply_patch` or as a unified diff. A line that might name a
 * file counts: a false match holds too much, a missed one is a hole.
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
