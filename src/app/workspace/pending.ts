/**
 * Questions raised while the server of a shared journal did not answer. This machine's gates read the state as if they
 * were in the journal, and at the next contact they get there. Nothing of them stays in the state meanwhile.
 */
import { applyLine } from '../../core/fold/fold.ts';
import { heldHereId } from '../../core/hold/heldHere.ts';
import type { GateReason } from '../../core/hold/gate.ts';
import { never } from '../../core/question/question.ts';
import type { State } from '../../core/state/state.ts';
import { encodeLine } from '../../store/journal/line.ts';
import { parseRecords } from '../../store/journal/parseRecords.ts';
import { SavedStateGone, StoreError, messageOf } from '../../store/journal/problem.ts';
import type { HeldRaise, Outbox } from '../../store/shared/outbox.ts';
import type { Store, View } from '../../store/store.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { raise } from '../question/raise.ts';
import type { RaisedAs, RaiseInput } from '../question/raise.ts';
import { AppError } from './errors.ts';
import type { AgentSession } from './session.ts';

/** The part of a workspace that this needs. */
interface Here {
  readonly outbox: Outbox;
  position(): { readonly position: number; readonly head: string } | null;
  pins(): readonly PinnedKey[];
}

/** Why it is not known what this machine holds. */
export interface OutboxProblem {
  readonly code: 'outbox';
  readonly message: string;
}

/** The questions that are held here, by the id that each would have now. */
export type HeldHere = ReadonlyMap<string, { readonly raise: HeldRaise; readonly name: string }>;

/**
 * Calls `read` while all questions held on this machine are in the state, and removes them again.
 * @throws Error when one of them cannot be applied: then what holds is not known
 */
export function withPending<T>(workspace: Here, state: State, read: (held: HeldHere) => T): T {
  const raises = workspace.outbox.list();
  const undo: (() => void)[] = [];
  const held = new Map<string, { raise: HeldRaise; name: string }>();
  try {
    for (const [place, raise] of raises.entries()) {
      const { result, undo: remove } = applyRaise(workspace, state, { raise, holdsHere: true });
      undo.push(remove);
      if (!result.already && !result.earlier) held.set(result.id, { raise, name: heldHereId(place + 1) });
    }
    return read(held);
  } finally {
    for (const remove of undo.toReversed()) remove();
  }
}

export interface AppliedRaise {
  readonly result: RaisedAs;
  /** Whether it changes anything. */
  readonly isNew: boolean;
  undo(): void;
}

/** Applies a question to the state as its line would be. @throws AppError, StoreError when it is refused */
export function applyRaise(
  workspace: Here,
  state: State,
  { raise: held, holdsHere }: { readonly raise: HeldRaise; readonly holdsHere: boolean },
): AppliedRaise {
  const { records, result } = raise({ state, now: held.at, holdsHere }, sessionOf(held), inputOf(held));
  if (records.length === 0) return { result, isNew: false, undo: () => undefined };
  const parsed = parseRecords(records);
  const { position = 0, head = noHead } = workspace.position() ?? {};
  const { op, actor, at: time } = held;
  const { body, bytes, hash } = encodeLine({ at: position + 1, prev: head, op, time, actor, records: parsed });
  const line = { ...body, hash, end: body.at + bytes.length - 1 };
  const folded = applyLine(
    state,
    line,
    createTrust(() => workspace.pins()),
    parsed,
  );
  const [refusal] = folded.refused;
  if (!refusal) return { result, isNew: true, undo: folded.undo };
  folded.undo();
  throw new StoreError(refusal.reason === 'held' ? 'held' : 'refused', refusal.why);
}

const noHead = '0'.repeat(64);

/** What `find` finds in the journal, and what questions held on this machine add; or why that is not known. */
export function reasonsHere(
  workspace: Here,
  state: State,
  find: () => readonly GateReason[],
): { readonly reasons: readonly GateReason[]; readonly problem: OutboxProblem | null } {
  const known = find();
  if (isNothingHeld(workspace)) return { reasons: known, problem: null };
  const keys = new Set(known.map(keyOf));
  try {
    const added = withPending(workspace, state, (held) =>
      find()
        .filter((reason) => !keys.has(keyOf(reason)))
        .map((reason) => renamed(reason, held)),
    );
    return { reasons: [...known, ...added], problem: null };
  } catch (error) {
    if (error instanceof SavedStateGone) throw error;
    return { reasons: known, problem: { code: 'outbox', message: unreadable(workspace, error) } };
  }
}

/** Anything uncertain is looked at. */
function isNothingHeld({ outbox }: Here): boolean {
  try {
    return outbox.isEmpty();
  } catch {
    return false;
  }
}

function keyOf({ code, subject, holder }: GateReason): string {
  return JSON.stringify([code, subject, holder?.id ?? null]);
}

/** A question held here gets a name that no question of the journal has. */
function renamed(reason: GateReason, held: HeldHere): GateReason {
  const { holder } = reason;
  const here = holder && held.get(holder.id);
  return here ? { ...reason, holder: { ...holder, id: here.name } } : reason;
}

function unreadable({ outbox }: Here, error: unknown): string {
  const why = isRefused(error) ? ` (${messageOf(error)})` : '';
  return `Questions were raised on this machine while the server of this shared workspace did not answer, and what they hold is not known${why}: a human has to look at them in the editor's view "Waiting for you", or at ${outbox.folder}.`;
}

/**
 * Appends the questions held here, in order. One that the journal refuses stays with the reason, holds on, and is tried
 * again. One that cannot be read stays, and keeps no other back.
 * @throws StoreError when the server does not answer
 */
export async function deliverPending(outbox: Outbox, store: Store, now: () => string): Promise<void> {
  for (const { op, raise: held } of outbox.kept()) {
    if (held === null) continue;
    const act = ({ state, now }: View) => raise({ state, now, holdsHere: true }, sessionOf(held), inputOf(held));
    try {
      await store.transact(held.actor, act, op);
    } catch (error) {
      if (!isRefused(error)) throw error;
      outbox.refuse(op, { why: messageOf(error), at: now() });
      continue;
    }
    outbox.remove(op);
  }
}

function isRefused(error: unknown): error is AppError | StoreError {
  if (error instanceof AppError) return true;
  return error instanceof StoreError && ['refused', 'held', 'constraint'].includes(error.code);
}

function sessionOf({ actor, host }: HeldRaise): AgentSession {
  return { actor, host };
}

/** @throws StoreError naming the field and the limit */
function inputOf({ input }: HeldRaise): RaiseInput {
  const asked = {
    ...(input as unknown as RaiseInput),
    kind: 'question.raised',
    v: 1,
    id: 'Q-1',
    expiresAt: never,
  } as const;
  const [record] = parseRecords([asked]);
  const {
    kind: _kind,
    v: _v,
    id: _id,
    expiresAt: _expiresAt,
    reopens: _reopens,
    ...rest
  } = record as typeof asked & {
    reopens?: string;
  };
  return rest;
}
