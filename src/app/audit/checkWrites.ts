/** Files that commits changed while they were held, by the times that commits and records state. */
import type { concerning } from './checkFiles.ts';
import type { CheckRange, CheckWrite, CheckWrites, RangeCommit } from './checkReport.ts';
import type { HeldSpan, Story } from './checkStory.ts';

/** Clocks of two machines differ by less. */
const toleranceMs = 5 * 60_000;

export const cannotTell: CheckWrites = {
  verdict: 'cannot_tell',
  why: 'Attestations do not say when files were held.',
  found: [],
  unclear: [],
};

/** @param now commits dated later say nothing */
export function writesIn(
  range: CheckRange,
  stories: ReadonlyMap<string, Story>,
  concerned: ReturnType<typeof concerning>,
  now: string,
): CheckWrites {
  const found: CheckWrite[] = [];
  const unclear = new Set<string>();
  for (const [id, story] of stories)
    for (const span of story.spans)
      for (const commit of range.commits) {
        if (!isPlausible(commit, now)) {
          if (filesIn(commit, span, story).length > 0) unclear.add(commit.sha);
          continue;
        }
        const written = timesOf(commit.authored_at, span);
        const committed = timesOf(commit.committed_at, span);
        if (written === 'outside' && committed === 'outside') continue;
        const files = filesIn(commit, span, story);
        if (files.length === 0) continue;
        if (written !== 'inside' && committed !== 'inside') unclear.add(commit.sha);
        else
          found.push(
            ...files.map((file) =>
              writeOf(id, file, commit, { span, what: written === 'inside' ? 'written' : 'committed' }),
            ),
          );
      }
  const verdict = found.length > 0 ? 'found' : unclear.size > 0 ? 'cannot_tell' : 'none';
  const why = unclear.size === 0 ? null : 'The times of some commits do not tell whether they came before or after.';
  return { verdict, why, found, unclear: [...unclear] };

  function filesIn(commit: RangeCommit, { every }: HeldSpan, story: Story): string[] {
    return every ? commit.files.filter((file) => range.inside(file) !== null) : concerned(story, commit.files);
  }
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
