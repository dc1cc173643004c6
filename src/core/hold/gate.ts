/** The gate: is this work item, file or session held? Pure functions for every caller; anything uncertain denies. */
import {
  blocksOf,
  currentWork,
  fileScopes,
  heldPlace,
  isRfc,
  isStopped,
  namedScopes,
  openHolders,
  stoppedBy,
  upwardOf,
  type Holder,
  crowd,
} from './holds.ts';
import { holding, holdingItself, seenFrom } from '../kit/paths.ts';
import { refusalOf, refusalWords } from '../state/answerEffect.ts';
import { personOf, shortAgent } from '../kit/persons.ts';
import { bindingOf, type Binding } from '../rfc/rfc.ts';
import { policyWords } from '../state/quorum.ts';
import { isStop, type CurrentState, type Question, type Lease } from '../state/state.ts';
import type { Freshness } from './freshness.ts';

export interface GateQuery {
  readonly work?: string | undefined;
  /** Cleaned, relative to the root of `worktree`. */
  readonly files?: readonly string[] | undefined;
  readonly folders?: ReadonlySet<string> | undefined;
  /** Worktree of the files, relative to the store's root; `.` is the root itself. */
  readonly worktree: string;
  /** The asking session. `unknown`: it could not be identified. Omitted: only work and files are checked. */
  readonly session?: { readonly agent: string; readonly id?: string | undefined } | 'unknown' | undefined;
  /** Whose agents run on this machine; null or omitted: all of the journal may. */
  readonly person?: string | null | undefined;
  /** True where the file system folds case. */
  readonly ignoreCase: boolean;
}

export interface GateReason {
  readonly code:
    'held_work' | 'held_file' | 'held_session' | 'stopped_work' | 'stopped_file' | 'stopped_session' | 'unknown_work';
  /** The held work item, path or agent. */
  readonly subject: string;
  /** The question or RFC that holds or stopped it; null for unknown work. */
  readonly holder: Holder | null;
  /** Who must decide it, who has signed so far, and whether with a passkey; absent if any human can with any key. */
  readonly people?: string;
}

/**
 * `conditions` and `constraints` come from approved RFCs for the queried work and files; they also accompany a positive
 * verdict.
 */
export interface GateVerdict {
  readonly verdict: 'allow' | 'deny';
  readonly reasons: readonly GateReason[];
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
}

/** @param reasons those of `gateReasons`, for callers that have them or add to them */
export function gate(
  state: CurrentState,
  query: GateQuery,
  reasons: readonly GateReason[] = gateReasons(state, query),
): GateVerdict {
  return { verdict: reasons.length === 0 ? 'allow' : 'deny', reasons, ...termsOn(state, query) };
}

/** Why the gate denies; empty if it allows. Without the terms, for callers that do not pass them on. */
export function gateReasons(state: CurrentState, query: GateQuery): GateReason[] {
  const found = [...workReasons(state, query), ...fileReasons(state, query), ...sessionReasons(state, query)];
  const { quorum, passkeys } = state.policy;
  const isPlain = quorum === undefined && passkeys === undefined;
  return isPlain ? found : found.map((reason) => withPeople(state, reason));
}

function termsOn(state: CurrentState, query: GateQuery): Pick<GateVerdict, 'conditions' | 'constraints'> {
  const bindings = bindingsOn(state, query);
  return {
    conditions: bindings.flatMap(({ conditions }) => conditions),
    constraints: bindings.flatMap(({ constraints }) => constraints),
  };
}

function withPeople(state: CurrentState, reason: GateReason): GateReason {
  const people = reason.holder && policyWords(state, reason.holder);
  return people === null ? reason : { ...reason, people };
}

function workReasons(state: CurrentState, { work }: GateQuery): GateReason[] {
  if (work === undefined) return [];
  if (!state.work.has(work)) return [{ code: 'unknown_work', subject: work, holder: null }];
  const held = blocksOf(state, work).map(({ holder }) => reasonOf('work', work, holder));
  const stopped = stoppedBy(state, work);
  return stopped ? [...held, { code: 'stopped_work', subject: work, holder: stopped }] : held;
}

function fileReasons(state: CurrentState, query: GateQuery): GateReason[] {
  if (!query.files?.length) return [];
  const filesOf = filesByPlace(query);
  const heldBy = (holder: Holder) => {
    const files = filesOf(heldPlace(holder, query.worktree));
    if (files.length === 0) return files;
    const scopes = fileScopes(state, holder);
    return files.filter(({ isHeldBy }) => scopes.some(isHeldBy));
  };
  return openHolders(state, (holder) => heldBy(holder).length > 0).flatMap((holder) => {
    const scopes = fileScopes(state, holder);
    const subjects = new Set(heldBy(holder).map((file) => heldOf(file, scopes)));
    return [...subjects].map((subject) => reasonOf('file', subject, holder));
  });
}

/** The file itself, or what is held in the folder: the folder is not. */
function heldOf({ subject, isHeldBy, isItself }: SeenFile, scopes: readonly string[]): string {
  return scopes.some(isItself) ? subject : (scopes.find(isHeldBy) ?? subject);
}

/** The reason for a hold, or for a stop that no human has lifted. */
export function reasonOf(what: 'work' | 'file' | 'session', subject: string, holder: Holder): GateReason {
  return { code: `${isStopped(holder) ? 'stopped' : 'held'}_${what}`, subject, holder };
}

interface SeenFile {
  readonly subject: string;
  readonly isHeldBy: (glob: string) => boolean;
  /** Whether a hold is about it, and not only about what is below it. */
  readonly isItself: (pattern: string) => boolean;
}

/** Cached by place, which is that of a holder's files: there may be thousands of holders in a few worktrees. */
function filesByPlace(query: GateQuery): (place: string) => readonly SeenFile[] {
  const known = new Map<string, SeenFile[]>();
  return (place) => {
    const files = known.get(place) ?? filesSeenFrom(place, query);
    known.set(place, files);
    return files;
  };
}

/** By location: a hold also applies inside a new worktree nested in the one it was raised in. */
function filesSeenFrom(place: string, { files = [], folders, worktree, ignoreCase }: GateQuery): SeenFile[] {
  return files.flatMap((subject) => {
    const seen = seenFrom(place, worktree, subject);
    return seen === null
      ? []
      : [
          {
            ...{ subject, isItself: holdingItself(seen, ignoreCase) },
            isHeldBy: holding(seen, ignoreCase, folders?.has(subject) === true),
          },
        ];
  });
}

/** What holds the session, whichever work and files are asked about. */
function sessionReasons(state: CurrentState, query: GateQuery): GateReason[] {
  const { session } = query;
  if (session === undefined) return [];
  const agents = session === 'unknown' ? ownAgents(state, query) : maybeSame(state, session.agent);
  const id = session === 'unknown' ? undefined : session.id;
  const found = [
    ...(session === 'unknown' ? openHolders(state, (holder) => mayHoldUnknown(holder, query)) : []),
    ...agents.flatMap((agent) => holdersOfSession(state, query, agent, id)),
  ];
  const held = new Map(found.map((holder) => [holder.id, holder]));
  const subject = session === 'unknown' ? 'this session' : session.agent;
  return [...held.values()].map((holder) => reasonOf('session', subject, holder));
}

/** Whatever may be of a session that could not be identified: in a shared journal, not what is another person's. */
function mayHoldUnknown(holder: Holder, { person, worktree }: GateQuery): boolean {
  const { asker } = holder;
  const isNear = asker.worktree === undefined || seenFrom(asker.worktree, worktree, '.') !== null;
  return isNear && isOwnAgent(asker.id, person) && !stopsOnlyWork(holder);
}

/** Their current work may be held by anybody's question. */
function ownAgents(state: CurrentState, { person }: GateQuery): string[] {
  return person == null ? [] : [...state.agents.keys()].filter((agent) => isOwnAgent(agent, person));
}

function isOwnAgent(agent: string, person: string | null = null): boolean {
  return person === null || personOf(agent) === null || personOf(agent) === person;
}

/**
 * The ids that may be this agent's: its own and, since a journal can be shared and moved back, those that differ only in that
 * one has no person. No agent can act under the other id any more, so what holds that one holds this one as well.
 */
function maybeSame(state: CurrentState, agent: string): string[] {
  const isMaybe = (id: string) =>
    id !== agent && shortAgent(id) === shortAgent(agent) && (personOf(id) === null || personOf(agent) === null);
  return [agent, ...[...state.agents.keys()].filter(isMaybe)];
}

/**
 * An agent's session is held by its own question without a work item. Unless the query names an item, it is also held
 * by the holders of its current item, or by its own open questions if it has none. An RFC holds only the work and files
 * it names, because its author must be able to revise it. A stop without a work item holds the session that asked;
 * otherwise it holds only the work.
 */
function holdersOfSession(state: CurrentState, query: GateQuery, agent: string, id: string | undefined): Holder[] {
  const isOwn = ({ asker }: Holder) => asker.id === agent || (id !== undefined && asker.session === id);
  const own = openHolders(state, (holder) => isOwn(holder) && !stopsOnlyWork(holder)).filter(
    (holder) => !isRfc(holder),
  );
  // An agent over the limit is held whatever it works on, because it cannot ask more.
  const held: Holder[] = [...own.filter(namesNoWork), ...crowd(state, agent).slice(0, 1)];
  if (query.work !== undefined) return held;
  const current = currentWork(state, agent);
  return [...held, ...(current === null ? own : blocksOf(state, current.id).map((block) => block.holder))];
}

function namesNoWork({ work, alsoWork }: Pick<Question, 'work' | 'alsoWork'>): boolean {
  return work === null && alsoWork.length === 0;
}

/** After a stop that names a work item, the agent may take another. */
function stopsOnlyWork(holder: Holder): boolean {
  return !isRfc(holder) && isStop(holder) && !namesNoWork(holder);
}

/** Terms that humans set for one work item. */
export function bindingsOnWork(state: CurrentState, id: string): Pick<GateVerdict, 'conditions' | 'constraints'> {
  return termsOn(state, { work: id, worktree: '.', ignoreCase: false });
}

/**
 * Terms that humans set when approving or rejecting RFCs, and refusals: for the item, everything it depends on, and the
 * files.
 */
export function bindingsOn(state: CurrentState, query: GateQuery): Binding[] {
  if (state.rfcs.size === 0 && state.refused.size === 0) return [];
  const work = query.work ?? currentOf(state, query.session)?.id;
  const reached = work === undefined ? new Set<string | null>() : new Set<string | null>(upwardOf(state, work));
  const filesOf = filesByPlace(query);
  const concerns = (holder: Holder, named: readonly (string | null)[], scopes: readonly string[]) => {
    const files = filesOf(heldPlace(holder, query.worktree));
    return named.some((id) => reached.has(id)) || scopes.some((glob) => files.some(({ isHeldBy }) => isHeldBy(glob)));
  };
  const terms = [...state.rfcs.values()].flatMap((rfc) => {
    const binding = bindingOf(rfc);
    return binding && concerns(rfc, [...rfc.workflows, ...rfc.tasks], fileScopes(state, rfc)) ? [binding] : [];
  });
  // Refusals that let the rest of the task continue: for the work and files in question, or in the same session.
  const refusals = [...state.refused].flatMap((id) => {
    const question = state.questions.get(id);
    if (!question || refusalOf(question) !== 'do_not') return [];
    const isConcerned =
      isOfSession(question, query.session) ||
      concerns(question, [question.work, ...question.alsoWork], namedScopes(state, question));
    return isConcerned ? [{ from: question, conditions: [], constraints: [refusalWords(question)] }] : [];
  });
  return [...terms, ...refusals];
}

function isOfSession({ asker, work, alsoWork }: Question, session: GateQuery['session']): boolean {
  if (session === undefined || session === 'unknown' || !namesNoWork({ work, alsoWork })) return false;
  return session.id !== undefined && session.id === asker.session;
}

function currentOf(state: CurrentState, session: GateQuery['session']) {
  return session === undefined || session === 'unknown' ? null : currentWork(state, session.agent);
}

// What agents read about a shared workspace whose server does not answer.

type Unknown = Extract<Freshness, { readonly state: 'unknown' }>;

const next =
  'Check the network and the server, or ask the workspace’s administrator; holdpoint team status shows the connection. Reading and searching still work.';

/** Why nothing may be changed, and what to do. */
export function unknownText({ since, why }: Unknown, lease: Lease): string {
  return `${reason(why, since === null ? 'never' : instant(since), lease)} ${next}`;
}

function reason(why: Unknown['why'], since: string, { seconds, strictGlobs }: Lease): string {
  const last = `The server of this shared workspace last confirmed this machine’s copy at ${since}`;
  switch (why) {
    case 'lease':
      return `${last}. Work may continue without it for ${length(seconds)}; that time is over.`;
    case 'strict':
      return `${last}. Files that match ${list(strictGlobs)} are never changed without it.`;
    case 'never':
      return 'The server of this shared workspace has not confirmed this machine’s copy.';
    case 'clock':
      return `${last}, but a clock of this machine was set back since, so how long ago is not known.`;
    case 'forked':
      return 'The server of this shared workspace has other lines than this machine’s copy: one of them was changed or restored. Only a human can resolve this.';
  }
}

/** Added to an answer that was given without the server. */
export function offlineText({ since }: Extract<Freshness, { readonly state: 'offline' }>): string {
  return `The server of this shared workspace last answered at ${instant(since)}, so newer holds are not known here.`;
}

/** For an agent that begins while the server does not answer, or is about to continue. Null while it answers. */
export function outageText(found: Freshness, lease: Lease): string | null {
  if (found.state === 'offline')
    return `${offlineText(found)} Nothing can be saved until it answers: if you have a question, stop, and ask again.`;
  if (found.state !== 'unknown') return null;
  return `The state of this workspace is UNKNOWN. ${unknownText(found, lease)} Change nothing until then.`;
}

function instant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

function length(seconds: number): string {
  return seconds >= 120 && seconds % 60 === 0 ? `${String(seconds / 60)} minutes` : `${String(seconds)} seconds`;
}

function list(globs: readonly string[]): string {
  const shown = globs.slice(0, 5).join(', ');
  return globs.length > 5 ? `${shown} and ${String(globs.length - 5)} more patterns` : shown;
}
