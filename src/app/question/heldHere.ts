/** Raising a question holds at once, also while the server of a shared journal does not answer. */
import { answeredBefore, questionKey } from '../../core/question/question.ts';
import { heldHereId } from '../../core/hold/heldHere.ts';
import type { QuestionMode } from '../../core/kit/words.ts';
import type { State } from '../../core/state/state.ts';
import type { HeldRaise } from '../../store/shared/outbox.ts';
import { asAgent, isAway } from '../workspace/errors.ts';
import { confirmMs, freshnessOf } from '../workspace/freshness.ts';
import { applyRaise, withPending } from '../workspace/pending.ts';
import type { AgentSession } from '../workspace/session.ts';
import { waitUntil } from '../workspace/waiting.ts';
import type { WaitOptions } from '../workspace/waiting.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { raiseQuestion } from './questions.ts';
import type { Raised } from './questions.ts';
import type { RaiseInput } from './raise.ts';

export type { HeldRaise } from '../../store/shared/outbox.ts';

/** Held on this machine, without a number. */
export interface RaisedHere {
  readonly heldHere: HeldRaise;
  /** The same question was already held here. */
  readonly already: boolean;
  readonly mode: QuestionMode;
}

/**
 * The same as `raiseQuestion`; without an answer of the server, the question holds on this machine.
 * @throws AppError for what would be refused anyway
 */
export async function raiseOrHold(
  workspace: Workspace,
  session: AgentSession,
  input: RaiseInput,
): Promise<Raised | RaisedHere> {
  // Earlier questions are numbered first.
  if (!workspace.outbox.isEmpty()) await workspace.confirm(confirmMs);
  const store = await workspace.store();
  const op = workspace.options.newId();
  try {
    return await raiseQuestion(store, session, input, op);
  } catch (error) {
    // Also when the reply was lost: the server counts an act once, and it is appended again under the same id.
    if (!isAway(error) || freshnessOf(workspace).state === 'local') throw error;
    const asked = heldRaise(workspace, session, input, op);
    const held = await asAgent(() => Promise.resolve(hold(workspace, store.read().state, asked)));
    if (held === null) throw error;
    workspace.changed();
    return held;
  }
}

function heldRaise(workspace: Workspace, { actor, host }: AgentSession, input: RaiseInput, op: string): HeldRaise {
  // As it will be read: without members that have no value.
  const read = JSON.parse(JSON.stringify(input)) as Record<string, unknown>;
  return { v: 1, op, actor, host, input: read, at: workspace.now() };
}

/** Null when there is nothing to hold: the question was answered before, which only the server can record. */
function hold(workspace: Workspace, state: State, asked: HeldRaise): RaisedHere | null {
  const { mode } = askedHere(asked);
  const tried = withPending(workspace, state, (held) => {
    const { result, isNew, undo } = applyRaise(workspace, state, { raise: asked, holdsHere: false });
    undo();
    return { ...result, isNew, before: held.get(result.id)?.raise ?? null };
  });
  if (tried.earlier) return null;
  if (tried.isNew) workspace.outbox.add(asked);
  return { heldHere: tried.isNew ? asked : (tried.before ?? asked), already: tried.already, mode };
}

/** What became of a question that was held here: its number, or that it still has none. */
export type Numbered = { readonly id: string } | { readonly here: HeldRaise } | 'gone';

function numbered({ outbox }: Workspace, state: State, held: HeldRaise): Numbered {
  const { actor } = held;
  const { text, work, type, urgency } = held.input as unknown as RaiseInput;
  const open = state.pendingKeys.get(questionKey(actor.id, work, text));
  if (open !== undefined) return { id: open };
  const here = outbox.list().find(({ op }) => op === held.op);
  if (here) return { here };
  const own = [...state.questions.values()].findLast(
    ({ asker, raised }) => asker.id === actor.id && raised.work === work && raised.text === text.trim(),
  );
  const found = own ?? answeredBefore(state, actor.id, { text: text.trim(), work, type, urgency });
  return found ? { id: found.id } : 'gone';
}

/** Waits until it has a number, or was refused. */
export async function awaitNumber(workspace: Workspace, held: HeldRaise, options: WaitOptions): Promise<Numbered> {
  return waitUntil(
    workspace,
    ({ state }) => numbered(workspace, state, held),
    (found) => found === 'gone' || 'id' in found || found.here.refused !== undefined,
    options,
  );
}

/** Waits until this agent has no question without a number, or one was refused, and returns those that are left. */
export async function awaitNumbers(
  workspace: Workspace,
  agent: string,
  options: WaitOptions,
): Promise<readonly HeldRaise[]> {
  return waitUntil(
    workspace,
    () => heldHereBy(workspace, agent),
    (left) => left.length === 0 || left.some(({ refused }) => refused !== undefined),
    options,
  );
}

export function heldHereBy({ outbox }: Workspace, agent: string): HeldRaise[] {
  return outbox.list().filter(({ actor }) => actor.id === agent);
}

/** As agents and humans read it. */
export interface AskedHere {
  readonly text: string;
  readonly agent: string;
  readonly mode: QuestionMode;
  /** When it was raised. ISO 8601 UTC. */
  readonly at: string;
  /** Why the journal did not accept it at the last contact; null while no server has seen it. */
  readonly refused: string | null;
}

/** What agents put there is not checked before it becomes a record, so anything is shown. */
export function askedHere({ actor, input, at, refused }: HeldRaise): AskedHere {
  const { text, type, mode } = input as Readonly<Record<keyof RaiseInput, unknown>>;
  return {
    text: typeof text === 'string' && text.trim() !== '' ? text : '?',
    agent: actor.id,
    mode: mode === 'async' && type !== 'approval' ? 'async' : 'sync',
    at,
    refused: refused?.why ?? null,
  };
}

/** One question of this machine without a number. */
export interface KeptHere {
  readonly op: string;
  /** The name that gates give it. */
  readonly name: string;
  /** Null when it cannot be read: this machine denies every change then. */
  readonly asked: AskedHere | null;
}

/** All questions of this machine without a number, for a human. Empty also when the folder cannot be read. */
export function keptHere({ outbox }: Workspace): KeptHere[] {
  try {
    return outbox.kept().map(({ op, raise }, place) => ({
      op,
      name: heldHereId(place + 1),
      asked: raise && askedHere(raise),
    }));
  } catch {
    return [];
  }
}
