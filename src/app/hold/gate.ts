/** The gate for every head: CLEAR allows, BLOCKED and UNKNOWN deny. Needs no database. */

import path from 'node:path';
import type { Freshness } from '../../core/hold/freshness.ts';
import { gate, type GateReason, gateReasons, type GateVerdict, reasonOf } from '../../core/hold/gate.ts';
import { fileScopes, openHolders } from '../../core/hold/holds.ts';
import type { CurrentState } from '../../core/state/state.ts';
import type { Problem } from '../../store/journal/problem.ts';
import type { Answering } from '../workspace/atGate.ts';
import type { Unconfirmed } from '../workspace/freshness.ts';
import { allNames, committedNames, endsAsFolder, kindAt } from '../workspace/paths.ts';

export interface GateRequest {
  readonly work?: string | undefined;
  /** As the caller wrote them: absolute or relative to the worktree. */
  readonly files?: readonly string[] | undefined;
  /** Files in commits, with the names that git recorded: absolute, or relative to the worktree. */
  readonly committed?: readonly string[] | undefined;
  readonly session?: { readonly agent: string; readonly id?: string | undefined } | 'unknown' | undefined;
}

export interface GateAnswer extends GateVerdict {
  readonly state: 'CLEAR' | 'BLOCKED' | 'UNKNOWN';
  /** Set when UNKNOWN. */
  readonly problem: Problem | Unconfirmed | null;
  /** Whether the server of a shared journal confirms the answer. */
  readonly shared: Freshness;
}

/** @throws AppError `bad_input` for a path outside the workspace; callers that must fail closed treat it as a denial */
export function askGate(workspace: Answering, request: GateRequest): GateAnswer {
  const { files: asked, folders } = namesOf(workspace, request.files ?? []);
  const { names, nameless } = inCommits(workspace, request.committed ?? []);
  const files = [...asked, ...names];
  const { confirming } = workspace;
  // Before the state, which so includes whatever was confirmed.
  const shared: Freshness = confirming?.ofEdit(
    confirming.freshness(),
    (lease) => confirming.isStrictFile(files, folders)(lease) || (nameless.length > 0 && lease.strictGlobs.length > 0),
  ) ?? { state: 'local' };
  const standing = workspace.current();
  if (standing.problem) return unknownAnswer(standing.problem, shared);
  const { state } = standing;
  const query = {
    work: request.work,
    files,
    folders,
    worktree: workspace.worktree,
    session: request.session,
    person: workspace.person(),
    ignoreCase: workspace.ignoreCase,
  };
  const verdict = gate(state, query, [...gateReasons(state, query), ...namelessReasons(state, nameless)]);
  const problem = confirming?.problem(shared) ?? null;
  if (problem) return unknownAnswer(problem, shared);
  return { ...verdict, state: verdict.verdict === 'allow' ? 'CLEAR' : 'BLOCKED', problem: null, shared };
}

function namesOf(workspace: Answering, given: readonly string[]): { files: string[]; folders: ReadonlySet<string> } {
  const files: string[] = [];
  const folders = new Set<string>();
  const { location, options } = workspace;
  const { fs } = options;
  for (const [index, raw] of given.entries())
    for (const name of allNames(workspace, raw, `files[${String(index)}]`)) {
      files.push(name);
      if (endsAsFolder(raw) || kindAt(fs, path.join(location.worktree, name)) === 'folder') folders.add(name);
    }
  return { files, folders };
}

function inCommits(workspace: Answering, committed: readonly string[]): { names: string[]; nameless: string[] } {
  const found = committed.map((file) => ({ file, names: committedNames(workspace, file) }));
  return {
    names: found.flatMap(({ names }) => names ?? []),
    nameless: found.flatMap(({ file, names }) => (names === null ? [file] : [])),
  };
}

/** No hold can name them, but a pattern may mean them: whatever holds files holds them. */
function namelessReasons(state: CurrentState, nameless: readonly string[]): GateReason[] {
  if (nameless.length === 0) return [];
  const subjects = nameless.map((file) => file.slice(-200).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, '?'));
  return openHolders(state, (holder) => fileScopes(state, holder).length > 0).flatMap((holder) =>
    subjects.map((subject) => reasonOf('file', subject, holder)),
  );
}

function unknownAnswer(problem: Problem | Unconfirmed, shared: Freshness): GateAnswer {
  return { verdict: 'deny', state: 'UNKNOWN', problem, reasons: [], conditions: [], constraints: [], shared };
}

/** Groups reasons by question, so that a text names each question once. */
export function byHolder(reasons: readonly GateReason[]): Map<string, GateReason[]> {
  const groups = new Map<string, GateReason[]>();
  for (const reason of reasons) {
    const key = reason.holder?.id ?? '';
    groups.set(key, [...(groups.get(key) ?? []), reason]);
  }
  return groups;
}
