/**
 * `holdpoint check` on a store: reads the journal from its first line and trusts nothing saved, so that what it says of
 * signatures, it has checked itself. A copy of a shared journal is read in the same way.
 */
import { holderOf, isRfc, openHolders, type Holder, namedScopes } from '../../core/hold/holds.ts';
import { isUnapproved, refusalOf } from '../../core/state/answerEffect.ts';
import { isHoldingRfc } from '../../core/rfc/rfc.ts';
import { raisedOf, type Question, type State } from '../../core/state/state.ts';
import { type WalkedLine, walkJournal } from '../../store/journal/ledger.ts';
import { createTrust } from '../../trust/envelope.ts';
import { freshnessOf, freshnessProblem } from '../workspace/freshness.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { faultsOf } from './audit.ts';
import { journalBytes } from './savedState.ts';
import {
  findConcerned,
  isSettling,
  reportOn,
  type CheckItem,
  type CheckOutcome,
  type CheckProblem,
  type CheckRange,
  type CheckReport,
  type Examined,
  type Scope,
} from './checkReport.ts';
import type { Admitted } from '../../core/records/records.ts';

// What the journal tells of each question and RFC over time: its files and its last decision.

interface Story extends Scope {
  readonly globs: Set<string>;
  readonly paths: Set<string>;
  /** The last verified decision that settled it. */
  decision: Omit<NonNullable<Examined['decision']>, 'type'> | null;
  /** Position of the last record that claimed a decision without a valid signature; -1 without one. */
  forgedAt: number;
}

/** @param state after the line */
function collect(stories: Map<string, Story>, { folded }: WalkedLine, state: State): void {
  for (const admitted of folded.admitted) {
    const { record } = admitted;
    const holder = 'id' in record ? holderOf(state, record.id) : undefined;
    if (!holder) continue;
    const story = stories.get(holder.id) ?? newStory(holder);
    stories.set(holder.id, story);
    note(story, state, holder);
    story.decision = decisionIn(admitted, holder) ?? story.decision;
  }
  for (const { subject, reason, at } of folded.refused) {
    const story = stories.get(subject);
    if (story && reason === 'forgery') story.forgedAt = at;
  }
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
function decisionIn({ record, signed, time, at: position }: Admitted, holder: Holder): Story['decision'] {
  if (!signed || !('envelope' in record) || !isSettling(record)) return null;
  const ofAmendment = record.kind === 'rfc.changesRequested' || record.kind === 'rfc.rejected';
  if (ofAmendment && isRfc(holder) && holder.approval !== null) return null;
  return { record, by: signed.by, key: signed.keyid, at: time, position };
}

export function checkStore(workspace: Workspace, range: CheckRange): CheckReport {
  const walk = walkJournal({ trust: createTrust(workspace.pins) });
  const stories = new Map<string, Story>();
  for (const walked of walk.follow(journalBytes(workspace))) collect(stories, walked, walk.state);
  const { state } = walk;
  const unconfirmed = freshnessProblem(workspace, freshnessOf(workspace));
  const faults = [
    ...(walk.fault ? [`The chain breaks: ${walk.fault.why}.`] : []),
    ...faultsOf(workspace, walk),
    ...(unconfirmed ? [unconfirmed.message] : []),
    ...(state.workspace ? [] : ['There is no journal here. Check signed decisions with --attestations and --keys.']),
  ];
  const concerned = findConcerned(range, workspace.worktree);
  const examined = [...stories].flatMap(([id, story]): Examined[] => {
    const holder = holderOf(state, id);
    if (!holder) return [];
    note(story, state, holder);
    const files = holder.widened === null ? [...concerned(story)].sort() : allInside(range);
    return [{ id, workspace: state.workspace?.id ?? null, files, ...examinedHolder(state, holder, story) }];
  });
  return reportOn(range, {
    source: 'store',
    journal: { position: walk.position, head: walk.head },
    examined,
    problems: faults.map((text): CheckProblem => ({ code: 'unknown_state', id: null, files: [], text })),
    notes: (items) => [...notesOn(items, state, stories), ...withoutFiles(state, stories)],
  });
}

function examinedHolder(state: State, holder: Holder, story: Story): Omit<Examined, 'id' | 'workspace' | 'files'> {
  const type = isRfc(holder) ? null : holder.facts.type;
  const outcome = outcomeOf(holder, story);
  const common = { outcome, decision: story.decision && { ...story.decision, type } };
  if (isRfc(holder)) {
    const { title, for: to, ended } = holder;
    return { ...common, title, for: to, mayBeReplaced: ended?.then === 'another_way', approves: true };
  }
  const about = { title: raisedOf(state, holder).text, for: holder.facts.for };
  return { ...common, ...about, mayBeReplaced: outcome === 'not_approved', approves: type === 'approval' };
}

function outcomeOf(holder: Holder, { decision, forgedAt }: Story): CheckOutcome {
  const decided = decisionOutcome(holder);
  const isForged = forgedAt > (decision?.position ?? -1) && decided !== 'withdrawn';
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

function notesOn(items: readonly CheckItem[], state: State, stories: ReadonlyMap<string, Story>): string[] {
  return items.flatMap(({ id, outcome }) => {
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
