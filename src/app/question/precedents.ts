/** Precedents as agents and lists meet them. Setting, ending and taking back are on the human side. */
import { useProblem } from '../../core/precedent/matching.ts';
import type { Precedent } from '../../core/state/precedent.ts';
import { isUsedUp } from '../../core/state/precedent.ts';
import type { Question, State } from '../../core/state/state.ts';
import { StoreError } from '../../store/journal/problem.ts';
import type { Store, View } from '../../store/store.ts';
import type { AgentSession } from '../workspace/session.ts';

/** Which precedent answered a question, and when it was signed. */
export interface AnsweredBy {
  readonly id: string;
  readonly signed_at: string;
}

export function answeredByPrecedent({ precedents }: State, question: Question | undefined): AnsweredBy | null {
  const precedent = precedents.get(question?.resolution?.precedent ?? '');
  return precedent ? { id: precedent.id, signed_at: precedent.at } : null;
}

/** The precedent that answers an open question now; null if a human has to. */
export function precedentFor(state: State, question: Question): Precedent | null {
  for (const precedent of state.precedents.values())
    if (useProblem(state, precedent, question) === null) return precedent;
  return null;
}

/**
 * Notes that a precedent answers the question that was just raised, if one does. The fold decides whether that counts;
 * where it does not, the question waits for a human.
 */
export async function applyPrecedent(store: Store, { actor }: AgentSession, id: string): Promise<void> {
  if (store.read().state.precedents.size === 0) return;
  try {
    await store.transact(actor, ({ state }) => {
      const question = state.questions.get(id);
      const found = question ? precedentFor(state, question) : null;
      const records = found ? [{ kind: 'precedent.used', v: 1, id, precedent: found.id } as const] : [];
      return { records, result: null };
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** One precedent with all its fields, named as in the JSON output. */
export interface PrecedentView {
  readonly id: string;
  readonly status: 'in_force' | 'used_up' | 'expired' | 'ended';
  /** The question whose answer it repeats. */
  readonly from: string;
  readonly type: string;
  /** Template of the question. */
  readonly text: string;
  /** Templates of its other texts. */
  readonly more: Readonly<Record<string, string>>;
  /** Null: any work, or none. */
  readonly work: readonly string[] | null;
  readonly globs: readonly string[];
  readonly choices: readonly string[];
  readonly answer: { readonly text: string | null; readonly choices: readonly string[] };
  readonly effect: string | null;
  readonly until: string;
  readonly uses_at_most: number;
  readonly signed_by: string;
  readonly signed_at: string;
  readonly uses: readonly {
    readonly question: string;
    readonly at: string;
    readonly taken_back_by: string | null;
    readonly taken_back_at: string | null;
  }[];
  readonly ended_at: string | null;
  readonly ended_by: string | null;
  readonly end_reason: string | null;
}

/** Newest first. */
export function listPrecedents({ state, now }: Pick<View, 'state' | 'now'>): PrecedentView[] {
  return [...state.precedents.values()].reverse().map((one) => precedentView(one, now));
}

/** @param now ISO 8601 */
export function precedentView(precedent: Precedent, now: string): PrecedentView {
  const { id, set, by, at, uses, ended } = precedent;
  const { answer, choices } = set;
  const more = Object.entries(set.more).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    ...{ id, status: statusOf(precedent, now), from: set.from, type: set.type, text: set.text },
    more: Object.fromEntries(more),
    ...{ work: set.work, globs: set.globs, choices: choices.map(({ label }) => label) },
    answer: { text: answer.text ?? null, choices: answer.choices },
    ...{ effect: answer.effect ?? null, until: set.until, uses_at_most: set.uses, signed_by: by, signed_at: at },
    uses: uses.map(({ question, at: used, takenBack }) => ({
      ...{ question, at: used, taken_back_by: takenBack?.by ?? null, taken_back_at: takenBack?.at ?? null },
    })),
    ended_at: ended?.at ?? null,
    ended_by: ended?.how === 'human' ? ended.by : null,
    end_reason: ended?.how === 'human' ? ended.reason : null,
  };
}

function statusOf(precedent: Precedent, now: string): PrecedentView['status'] {
  if (precedent.ended?.how === 'human') return 'ended';
  if (precedent.ended !== null || now > precedent.set.until) return 'expired';
  return isUsedUp(precedent) ? 'used_up' : 'in_force';
}
