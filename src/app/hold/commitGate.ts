/**
 * Checks whether changes may be committed: files against file holds and against what was changed while held, and the
 * questions and RFCs that messages name. Each must exist, and must neither hold nor be refused.
 */
import { isClosed, isUnapproved, refusalOf } from '../../core/state/answerEffect.ts';
import { isHoldingRfc } from '../../core/rfc/rfc.ts';
import { raisedOf, isHolding, type CurrentState } from '../../core/state/state.ts';
import { askGate, type GateAnswer } from './gate.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { holderOf } from '../../core/hold/holds.ts';
import { seenFrom } from '../../core/kit/paths.ts';
import { isChanged, type HeldChange } from '../../core/state/heldChanges.ts';
import { sha256 } from '../../trust/canonical.ts';
import { committedNames } from '../workspace/paths.ts';
import { mayBeOwn } from './baseline.ts';

/** One commit, or one about to be created. */
export interface CommitChanges {
  /** Display name: a short hash, "the message", "what is staged". */
  readonly name: string;
  /** Absolute, or relative to the worktree, with the names that git recorded; both names of a renamed file. */
  readonly files: readonly string[];
  readonly message: string;
  /** The content that a file gets by it; null if it removes the file. */
  readonly contentOf?: (file: string) => Buffer | null;
}

/** A question or RFC named in a message that blocks the commit. */
export interface Reference {
  readonly commit: string;
  readonly id: string;
  /**
   * `refused`: a human refused, rejected or withdrew it, and has not lifted that; `unapproved`: a human closed an
   * approval without an answer.
   */
  readonly problem: 'unknown' | 'holds' | 'refused' | 'unapproved';
  /** Its text or title; null if it does not exist. */
  readonly about: string | null;
  /** Who refused or closed it. */
  readonly by: string | null;
}

export interface CommitAnswer extends GateAnswer {
  readonly references: readonly Reference[];
  /** Held files that were changed, which no human has accepted. */
  readonly changed: readonly ChangedInCommit[];
}

export function commitGate(workspace: Workspace, commits: readonly CommitChanges[]): CommitAnswer {
  const files = [...new Set(commits.flatMap((commit) => commit.files))];
  const answer = askGate(workspace, { committed: files });
  // A message can name a closed item, which only the whole state has.
  const isNamed = commits.some(({ message }) => referencesIn(message).length > 0);
  const { state } = isNamed ? workspace.standing() : workspace.current();
  if (!state) return { ...answer, references: [], changed: [] };
  const changed = changedInCommits(workspace, state, commits);
  const references = commits.flatMap(({ name, message }) =>
    referencesIn(message).flatMap((id) => inTheWay(state, name, id)),
  );
  if (references.length + changed.length === 0)
    return { ...answer, ...withTerms(state, answer, commits), references, changed };
  return { ...answer, verdict: 'deny', state: 'BLOCKED', references, changed };
}

/** What humans asked with the approvals that commits name, besides what they asked about the files. */
function withTerms(
  state: CurrentState,
  { conditions, constraints }: GateAnswer,
  commits: readonly CommitChanges[],
): Pick<GateAnswer, 'conditions' | 'constraints'> {
  const approvals = commits
    .flatMap(({ message }) => referencesIn(message))
    .flatMap((id) => state.rfcs.get(id)?.approval ?? []);
  return {
    conditions: [...new Set([...conditions, ...approvals.flatMap((one) => one.conditions)])],
    constraints: [...new Set([...constraints, ...approvals.flatMap((one) => one.constraints)])],
  };
}

/** Ids of questions and RFCs in a message: Q-12, RFC-3. Without duplicates. */
export function referencesIn(message: string): string[] {
  return [...new Set(message.match(/(?<![\w/-])(?:Q|RFC)-[1-9]\d{0,8}(?![\w-])/g))];
}

function inTheWay(state: CurrentState, commit: string, id: string): Reference[] {
  const question = state.questions.get(id);
  const rfc = state.rfcs.get(id);
  if (!question && !rfc) return [{ commit, id, problem: 'unknown', about: null, by: null }];
  if (question) {
    if (isClosed(question) && !isUnapproved(question)) return [];
    const found = { commit, id, about: raisedOf(state, question).text };
    if (refusalOf(question) !== null) return [{ ...found, problem: 'refused', by: question.resolution?.by ?? null }];
    if (isUnapproved(question)) return [{ ...found, problem: 'unapproved', by: question.resolution?.by ?? null }];
    return isHolding(question) ? [{ ...found, problem: 'holds', by: null }] : [];
  }
  if (!rfc) return [];
  const found = { commit, id, about: rfc.title };
  if (isHoldingRfc(rfc)) return [{ ...found, problem: 'holds', by: null }];
  // A rejected amendment does not set this; the approved revision stays in force.
  return rfc.ended === null ? [] : [{ ...found, problem: 'refused', by: rfc.ended.by }];
}

export interface ChangedInCommit extends Pick<HeldChange, 'at' | 'call'> {
  readonly commit: string;
  readonly path: string;
  readonly held_by: string;
  /** It is not known what changed: the baseline is missing or was changed. */
  readonly lost: boolean;
}

/** What is committed as it was when the hold began is not a change. */
function changedInCommits(
  workspace: Workspace,
  state: CurrentState,
  commits: readonly CommitChanges[],
): ChangedInCommit[] {
  const held = [...state.heldFiles].filter(([, files]) => isChanged(files));
  if (held.length === 0) return [];
  const isOwn = mayBeOwn(workspace, state);
  return commits.flatMap((commit) =>
    commit.files.flatMap((file) =>
      held.flatMap(([id, { changes, lost }]): ChangedInCommit[] => {
        const there = holderOf(state, id)?.asker.worktree ?? '.';
        const names = (committedNames(workspace, file) ?? []).map((name) => seenFrom(there, workspace.worktree, name));
        const found = changes.find((one) => names.includes(one.path) && isIn(commit, file, one));
        const about = { commit: commit.name, held_by: id };
        if (found) return [{ ...about, path: found.path, at: found.at, call: found.call, lost: false }];
        return lost && isOwn(lost)
          ? [{ ...about, path: names[0] ?? file, at: lost.at, call: lost.call, lost: true }]
          : [];
      }),
    ),
  );

  /** What is not as before; of another copy of a team, only the very content that it got there. */
  function isIn({ contentOf }: CommitChanges, file: string, change: HeldChange): boolean {
    const bytes = contentOf?.(file);
    if (bytes === undefined) return isOwn(change);
    const content = bytes && sha256(bytes);
    return isOwn(change) ? content !== change.was : content === change.is;
  }
}
