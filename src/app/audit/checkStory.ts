/** What the journal tells of each question and RFC over time: its files and its last decision. */
import { holderOf, isRfc, namedScopes, type Holder } from '../../core/hold/holds.ts';
import type { SignedRecord } from '../../core/records/records.ts';
import type { Admitted, State } from '../../core/state/state.ts';
import type { WalkedLine } from '../../store/journal/journalWalk.ts';
import { isSettling } from './attestedDecisions.ts';
import type { Scope } from './checkFiles.ts';

export interface Story extends Scope {
  readonly globs: Set<string>;
  readonly paths: Set<string>;
  /** The last verified decision that settled it. */
  decision: { readonly record: SignedRecord; readonly by: string; readonly key: string; readonly at: Admitted } | null;
  /** Position of the last record that claimed a decision without a valid signature; -1 without one. */
  forgedAt: number;
}

export interface ConcernedStory extends Story {
  readonly files: ReadonlySet<string>;
}

export interface Stories {
  readonly byId: ReadonlyMap<string, Story>;
  /** @param state after the line */
  take(walked: WalkedLine, state: State): void;
}

export function collectStories(): Stories {
  const byId = new Map<string, Story>();
  return {
    byId,
    take({ folded }, state) {
      for (const admitted of folded.admitted) {
        const { record } = admitted;
        const holder = 'id' in record ? holderOf(state, record.id) : undefined;
        if (!holder) continue;
        const story = byId.get(holder.id) ?? newStory(holder);
        byId.set(holder.id, story);
        note(story, state, holder);
        const decision = decisionIn(admitted, holder);
        if (decision) story.decision = decision;
      }
      for (const { subject, reason, at } of folded.refused) {
        const story = byId.get(subject);
        if (story && reason === 'forgery') story.forgedAt = at;
      }
    },
  };
}

function newStory(holder: Holder): Story {
  const place = holder.asker.worktree ?? '.';
  return { globs: new Set(), paths: new Set(), place, decision: null, forgedAt: -1 };
}

/** Adds its files of now: those of its work items can change later. */
export function note(story: Story, state: State, holder: Holder): void {
  for (const glob of namedScopes(state, holder)) story.globs.add(glob);
  if (!isRfc(holder)) for (const path of holder.facts.files) story.paths.add(path);
}

/** Null for records that settle nothing, and for decisions on an amendment: the approved revision stays in force. */
function decisionIn({ record, signed, ...rest }: Admitted, holder: Holder): Story['decision'] {
  if (!signed || !('envelope' in record) || !isSettling(record)) return null;
  const ofAmendment = record.kind === 'rfc.changesRequested' || record.kind === 'rfc.rejected';
  if (ofAmendment && isRfc(holder) && holder.approval !== null) return null;
  return { record, by: signed.by, key: signed.keyid, at: { record, signed, ...rest } };
}
