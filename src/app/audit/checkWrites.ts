/** Files that commits changed while they were held, by the times that commits and records state. */
import type { CheckRange, CheckWrite, CheckWrites, RangeCommit } from './checkReport.ts';
import type { ConcernedStory, HeldSpan } from './checkStory.ts';

/** Clocks of two machines differ by less. */
const toleranceMs = 5 * 60_000;

export const cannotTell: CheckWrites = {
  verdict: 'cannot_tell',
  why: 'Attestations do not say when files were held.',
  found: [],
  unclear: [],
};

interface Look {
  readonly range: CheckRange;
  readonly commitsOf: ReturnType<typeof commitsByFile>;
}

/** @param now commits dated later say nothing */
export function writesIn(
  { range, commitsOf }: Look,
  stories: ReadonlyMap<string, ConcernedStory>,
  now: string,
): CheckWrites {
  const found: CheckWrite[] = [];
  const unclear = new Set<string>();
  const all: ReadonlySet<string> = new Set(allInside(range));
  for (const [id, story] of stories)
    for (const span of story.spans) {
      const files = span.every ? all : story.files;
      for (const commit of commitsOf(files)) {
        const what = isPlausible(commit, now) ? writtenIn(commit, span) : 'unclear';
        if (what === 'unclear') unclear.add(commit.sha);
        else if (what !== null)
          for (const file of commit.files) if (files.has(file)) found.push(writeOf(id, file, commit, { span, what }));
      }
    }
  const verdict = found.length > 0 ? 'found' : unclear.size > 0 ? 'cannot_tell' : 'none';
  const why = unclear.size === 0 ? null : 'The times of some commits do not tell whether they came before or after.';
  return { verdict, why, found, unclear: [...unclear] };
}

/** Changed files in the workspace. */
export function allInside({ files, inside }: CheckRange): string[] {
  return files.flatMap(({ path }) => (inside(path) === null ? [] : [path]));
}

/** The commits that changed any of some files, in the order of the range. */
export function commitsByFile({ commits }: CheckRange): (files: ReadonlySet<string>) => RangeCommit[] {
  const byFile = new Map<string, number[]>();
  for (const [index, { files }] of commits.entries())
    for (const file of files) byFile.set(file, [...(byFile.get(file) ?? []), index]);
  return (files) => {
    const indices = new Set([...files].flatMap((file) => byFile.get(file) ?? []));
    return [...indices].sort((a, b) => a - b).flatMap((index) => commits[index] ?? []);
  };
}

function writtenIn(commit: RangeCommit, span: HeldSpan): CheckWrite['what'] | 'unclear' | null {
  const written = timesOf(commit.authored_at, span);
  const committed = timesOf(commit.committed_at, span);
  if (written === 'inside') return 'written';
  if (committed === 'inside') return 'committed';
  return written === 'outside' && committed === 'outside' ? null : 'unclear';
}

function writeOf(
  id: string,
  file: string,
  { sha, author, authored_at, committed_at }: RangeCommit,
  { span, what }: { readonly span: HeldSpan; readonly what: CheckWrite['what'] },
): CheckWrite {
  const at = (what === 'written' ? authored_at : committed_at) ?? '';
  return { ...{ id, file, commit: sha, author, what, at }, held_from: span.from, held_to: span.to };
}

/** A commit states whole seconds, so one in the second in which a hold begins or ends could lie on either side. */
export function timesOf(
  stated: string | null,
  { from, to }: Pick<HeldSpan, 'from' | 'to'>,
): 'inside' | 'outside' | 'either' {
  if (stated === null) return 'either';
  const second = Date.parse(stated);
  const begin = Date.parse(from);
  const end = to === null ? Infinity : Date.parse(to);
  if (second >= begin && second + 999 < end) return 'inside';
  return second + 999 >= begin && second < end ? 'either' : 'outside';
}

function isPlausible({ authored_at, committed_at }: RangeCommit, now: string): boolean {
  if (authored_at === null || committed_at === null) return false;
  const [authored, committed] = [Date.parse(authored_at), Date.parse(committed_at)];
  return authored <= committed + toleranceMs && committed <= Date.parse(now) + toleranceMs;
}
