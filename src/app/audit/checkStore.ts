/**
 * `holdpoint check` on a store: reads the journal from its first line and trusts nothing saved, so that what it says of
 * signatures, it has checked itself. A copy of a shared journal is read in the same way.
 */
import { holderOf, isRfc, openHolders, type Holder, namedScopes } from '../../core/hold/holds.ts';
import { isUnapproved, refusalOf } from '../../core/state/answerEffect.ts';
import { isHoldingRfc } from '../../core/rfc/rfc.ts';
import { raisedOf, type Question, type State } from '../../core/state/state.ts';
import { walkJournal, type WalkedLine } from '../../store/journal/journalWalk.ts';
import { createTrust } from '../../trust/envelope.ts';
import { freshnessOf, freshnessProblem } from '../workspace/freshness.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { faultsOf, journalBytes } from './audit.ts';
import { findConcerned, type Scope } from './checkFiles.ts';
import {
  decisionOf,
  reportOn,
  type CheckOutcome,
  type CheckProblem,
  type CheckRange,
  type CheckReport,
  type FoundItem,
} from './checkReport.ts';
import type { Admitted, SignedRecord } from '../../core/records/records.ts';
import { isSettling } from './attestedDecisions.ts';

// What the journal tells of each question and RFC over time: its files and its last decision.

interface Story extends Scope {
  readonly globs: Set<string>;
  readonly paths: Set<string>;
  /** The last verified decision that settled it. */
  decision: { readonly record: SignedRecord; readonly by: string; readonly key: string; readonly at: Admitted } | null;
  /** Position of the last record that claimed a decision without a valid signature; -1 without one. */
  forgedAt: number;
}

function collectStories() {
  const byId = new Map<string, Story>();
  return {
    byId,
    /** @param state after the line */
    take({ folded }: WalkedLine, state: State): void {
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
function note(story: Story, state: State, holder: Holder): void {
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

export function checkStore(workspace: Workspace, range: CheckRange): CheckReport {
  const walk = walkJournal({ trust: createTrust(workspace.pins) });
  const stories = collectStories();
  for (const walked of walk.follow(journalBytes(workspace))) {
    stories.take(walked, walk.state);
  }
  const { state } = walk;
  const unconfirmed = freshnessProblem(workspace, freshnessOf(workspace));
  const faults = [
    ...(walk.fault ? [`The chain breaks: ${walk.fault.why}.`] : []),
    ...faultsOf(workspace, walk),
    ...(unconfirmed ? [unconfirmed.message] : []),
    ...(state.workspace ? [] : ['There is no journal here. Check signed decisions with --attestations and --keys.']),
  ];
  for (const [id, story] of stories.byId) {
    const holder = holderOf(state, id);
    if (holder) note(story, state, holder);
  }
  const concerned = findConcerned(range, workspace.worktree);
  const known = new Map([...stories.byId].map(([id, story]) => [id, { ...story, files: concerned(story) }]));
  const look: Look = { state, range };
  const items = [...known].flatMap(([id, story]) => itemOf(look, id, story) ?? []);
  return reportOn(range, {
    source: 'store',
    journal: { position: walk.position, head: walk.head },
    found: [...items, ...unknownNames(look, stories.byId)],
    problems: faults.map((text): CheckProblem => ({ code: 'unknown_state', id: null, files: [], text })),
    notes: [...notesOn(items, state, stories.byId), ...withoutFiles(state, stories.byId)],
  });
}

interface Look {
  readonly state: State;
  readonly range: CheckRange;
}

function itemOf(
  { state, range }: Look,
  id: string,
  story: Story & { readonly files: ReadonlySet<string> },
): FoundItem | null {
  const holder = holderOf(state, id);
  if (!holder) return null;
  const files = holder.widened === null ? [...story.files].sort() : allInside(range);
  const commits = namedBy(range, id);
  if (files.length === 0 && commits.length === 0) return null;
  const { decision } = story;
  const outcome = outcomeOf(holder, story);
  const title = isRfc(holder) ? holder.title : raisedOf(state, holder).text;
  const whom = isRfc(holder) ? holder.for : holder.facts.for;
  return {
    item: {
      ...{
        id,
        workspace: state.workspace?.id ?? null,
        kind: isRfc(holder) ? 'rfc' : 'question',
        title,
        files,
        commits,
      },
      ...{ outcome, for: whom },
      decision:
        decision &&
        decisionOf(decision.record, {
          by: decision.by,
          at: decision.at.time,
          key: decision.key,
          type: isRfc(holder) ? null : holder.facts.type,
        }),
    },
    position: decision?.at.at ?? null,
    mayBeReplaced: outcome === 'not_approved' || (isRfc(holder) && holder.ended?.then === 'another_way'),
    approves: isRfc(holder) || holder.facts.type === 'approval',
  };
}

function outcomeOf(holder: Holder, { decision, forgedAt }: Story): CheckOutcome {
  const decided = decisionOutcome(holder);
  const isForged = forgedAt > (decision?.at.at ?? -1) && decided !== 'withdrawn';
  return isForged ? 'unverifiable' : decided;
}

function decisionOutcome(holder: Holder): CheckOutcome {
  if (isRfc(holder)) {
    if (isHoldingRfc(holder)) return 'undecided';
    return holder.ended === null ? 'allowed' : 'refused';
  }
  if (holder.resolution === null) return 'undecided';
  if (holder.resolution.how === 'withdrawn') return 'withdrawn';
  if (refusalOf(holder) !== null) return 'refused';
  return isUnapproved(holder) ? 'not_approved' : 'allowed';
}

/** Changed files in the workspace. */
function allInside({ files, inside }: CheckRange): string[] {
  return files.flatMap(({ path }) => (inside(path) === null ? [] : [path]));
}

function namedBy({ commits }: CheckRange, id: string): string[] {
  return commits.filter(({ names }) => names.includes(id)).map(({ sha }) => sha);
}

function unknownNames({ range }: Look, known: ReadonlyMap<string, unknown>): FoundItem[] {
  const names = new Set(range.commits.flatMap((commit) => commit.names));
  return [...names].filter((id) => !known.has(id)).map((id) => unknownItem(range, id));
}

/** An id in a commit's message without anything behind it. */
export function unknownItem(range: CheckRange, id: string): FoundItem {
  const kind = id.startsWith('RFC-') ? 'rfc' : 'question';
  const item = {
    id,
    workspace: null,
    kind,
    title: null,
    for: null,
    files: [],
    outcome: 'unknown',
    decision: null,
  } as const;
  return { item: { ...item, commits: namedBy(range, id) }, position: null, mayBeReplaced: false, approves: false };
}

function notesOn(items: readonly FoundItem[], state: State, stories: ReadonlyMap<string, Story>): string[] {
  return items.flatMap(({ item: { id, outcome } }) => {
    const amendment = state.rfcs.get(id)?.amendment;
    const isUnderway = outcome === 'allowed' && amendment !== null && amendment !== undefined;
    const wasForged = outcome !== 'unverifiable' && (stories.get(id)?.forgedAt ?? -1) >= 0;
    return [
      ...(isUnderway ? [`An amendment of ${id} has no approval; the approved revision is in force.`] : []),
      ...(wasForged ? [`A record claimed a decision on ${id} without a valid signature. It had no effect.`] : []),
    ];
  });
}

/** Open questions that name no file: whether they concern the change is unknown. */
function withoutFiles(state: State, stories: ReadonlyMap<string, Story>): string[] {
  const open = [...state.questions.values()].filter(({ resolution }) => resolution === null);
  const drafts = openHolders(state).filter(isRfc);
  const ids = [...open, ...drafts]
    .filter((holder: Question | Holder) => holder.widened === null && isWithoutFiles(stories.get(holder.id)))
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  return [
    `Open, but without files, so whether they concern this change cannot be told: ${ids.slice(0, 20).join(', ')}.`,
  ];
}

function isWithoutFiles(story: Story | undefined): boolean {
  return story?.globs.size === 0 && story.paths.size === 0;
}
