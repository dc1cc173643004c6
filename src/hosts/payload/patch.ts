/**
 * File names in a patch, in the form that models write for `apply_patch` or as a unified diff. A line that might name a
 * file counts: a false match holds too much, a missed one is a hole.
 */
const named = /^\s*\*\*\* (?:Add File|Update File|Delete File|Move to|Rename to|Create File): ?(.+?)\s*$/;
const unified = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t]+?)\s*(?:\t.*)?$/;
const gitHeader = /^diff --git "?a\/(.+?)"? "?b\/(.+?)"?$/;
const gitMove = /^(?:rename|copy) (?:from|to) (.+)$/;

/** Empty if the text is not a patch. */
export function filesOfPatch(patch: string): string[] {
  const files = new Set<string>();
  for (const line of patch.split(/\r?\n/)) {
    const header = gitHeader.exec(line);
    const found = named.exec(line)?.[1] ?? gitMove.exec(line)?.[1] ?? unified.exec(line)?.[1];
    for (const file of header ? header.slice(1) : [found])
      if (file !== undefined && file !== '/dev/null') files.add(file);
  }
  return [...files];
}
