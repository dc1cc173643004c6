/**
 * Every verb of `holdpoint`, and whether it changes files. The hook lets a held agent ask, record and look. A test
 * compares this with the command line's verbs, which hooks must not load.
 */
type Effect = 'asks' | 'changes' | { readonly changesWith: readonly string[] };

const verbs: ReadonlyMap<string, Effect> = new Map<string, Effect>(
  Object.entries({
    question: 'asks',
    rfc: 'asks',
    work: 'asks',
    gate: 'asks',
    // Puts held files back as they were when the hold began.
    restore: 'asks',
    briefing: 'asks',
    post: 'asks',
    resolve: 'asks',
    supersede: 'asks',
    search: 'asks',
    request: 'asks',
    responsibility: 'asks',
    relationship: 'asks',
    dashboard: 'asks',
    history: 'asks',
    keys: 'asks',
    open: 'asks',
    help: 'asks',
    inbox: 'asks',
    watch: 'asks',
    reminders: 'asks',
    remind: 'changes',
    audit: { changesWith: ['--export'] },
    check: { changesWith: ['--markdown', '--sarif'] },
    export: { changesWith: ['--out'] },
    serve: 'changes',
    team: 'changes',
    import: 'changes',
    mirror: 'changes',
    attestations: 'changes',
    setup: 'changes',
    mcp: 'changes',
    hook: 'changes',
  } satisfies Record<string, Effect>),
);

export const verbNames: readonly string[] = [...verbs.keys()];

/** @param args the words after the verb; `glob` where the shell may substitute other words */
export function asks(verb: string, args: readonly { readonly text: string; readonly glob: boolean }[]): boolean {
  const effect = verbs.get(verb);
  if (effect === undefined || effect === 'changes') return false;
  if (effect === 'asks') return true;
  const { changesWith } = effect;
  return !args.some(
    ({ text, glob }) => glob || changesWith.some((option) => text === option || text.startsWith(`${option}=`)),
  );
}
