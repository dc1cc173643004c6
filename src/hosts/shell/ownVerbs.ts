/**
 * Every verb of `holdpoint`, and whether it changes files. The hook lets a held agent ask, record and look. A test
 * compares this with the command line's verbs, which hooks must not load.
 */
const asking =
  // `restore` puts held files back as they were when the hold began.
  'question rfc work gate restore briefing post resolve supersede search request responsibility relationship dashboard history keys open help inbox watch reminders';
const changing = 'remind serve team import mirror attestations setup mcp hook';
const changingWith: Readonly<Record<string, readonly string[]>> = {
  audit: ['--export'],
  check: ['--markdown', '--sarif'],
  export: ['--out'],
};

export const verbNames: readonly string[] = [...`${asking} ${changing}`.split(' '), ...Object.keys(changingWith)];

/** @param args the words after the verb; `glob` where the shell may substitute other words */
export function asks(verb: string, args: readonly { readonly text: string; readonly glob: boolean }[]): boolean {
  if (asking.split(' ').includes(verb)) return true;
  const options = Object.hasOwn(changingWith, verb) ? changingWith[verb] : undefined;
  return (
    options !== undefined &&
    !args.some(({ text, glob }) => glob || options.some((option) => text === option || text.startsWith(`${option}=`)))
  );
}
