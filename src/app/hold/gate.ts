/** The gate for every head: CLEAR allows, BLOCKED and UNKNOWN deny. Needs no database. */
import path from 'node:path';
import { gate, gateReasons } from '../../core/hold/gate.ts';
import type { GateReason, GateVerdict } from '../../core/hold/gate.ts';
import type { Problem } from '../../store/journal/problem.ts';
import type { Freshness } from '../../core/hold/freshness.ts';
import { freshnessOf, freshnessOfEdit, freshnessProblem, isStrictFile, noteOffline } from '../workspace/freshness.ts';
import type { Unconfirmed } from '../workspace/freshness.ts';
import { allNames, endsAsFolder, kindAt } from '../workspace/paths.ts';
import { reasonsHere } from '../workspace/pending.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface GateRequest {
  readonly work?: string | undefined;
  /** As the caller wrote them: absolute or relative to the worktree. */
  readonly files?: readonly string[] | undefined;
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
export function askGate(workspace: Workspace, request: GateRequest): GateAnswer {
  const { files, folders } = namesOf(workspace, request.files ?? []);
  // Before the state, which so includes whatever was confirmed.
  const shared = freshnessOfEdit(workspace, freshnessOf(workspace), isStrictFile(workspace, files, folders));
  const standing = workspace.standing();
  if (standing.problem) return unknown(standing.problem, shared);
  const { state } = standing;
  const query = {
    work: request.work,
    files,
    folders,
    worktree: workspace.worktree,
    session: request.session,
    ignoreCase: workspace.ignoreCase,
  };
  const { reasons, problem: uncertain } = reasonsHere(workspace, state, () => gateReasons(state, query));
  if (uncertain) return unknown(uncertain, shared);
  const verdict = gate(state, query, reasons);
  const by = typeof request.session === 'object' ? request.session.agent : 'unknown';
  const problem =
    freshnessProblem(workspace, shared) ??
    (verdict.verdict === 'allow' ? noteOffline(workspace, shared, { by, files }) : null);
  if (problem) return unknown(problem, shared);
  return { ...verdict, state: verdict.verdict === 'allow' ? 'CLEAR' : 'BLOCKED', problem: null, shared };
}

function namesOf(workspace: Workspace, given: readonly string[]): { files: string[]; folders: ReadonlySet<string> } {
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

function unknown(problem: Problem | Unconfirmed, shared: Freshness): GateAnswer {
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
