/** Questions that agents would ask in a day, from a seed: the same seed gives the same stream. */
import type { QuestionMode, QuestionType, Urgency } from '../../../src/core/kit/words.ts';

export interface Ask {
  /** Minutes of work of the agent since its previous question. */
  readonly after: number;
  readonly urgency: Urgency;
  readonly mode: QuestionMode;
  readonly type: QuestionType;
  /** Questions of one burst ask the same of different things. */
  readonly alike: boolean;
}

export interface StreamOptions {
  readonly seed: number;
  readonly agents: number;
}

/** Endless, one for each agent. */
export function streams({ seed, agents }: StreamOptions): Generator<Ask, never>[] {
  return Array.from({ length: agents }, (_, index) => asks(randomFrom(seed * 1_000 + index)));
}

/**
 * A pause of 14 minutes of work in the mean, then one question, or in one of six cases a burst of four that differ in a name only.
 * Two thirds of the others stop the agent.
 */
function* asks(random: () => number): Generator<Ask, never> {
  for (;;) {
    const after = -14 * Math.log(1 - random());
    if (random() < 1 / 6) {
      for (let n = 0; n < 4; n++)
        yield { after: n === 0 ? after : 0, urgency: 'medium', mode: 'async', type: 'decision', alike: true };
      continue;
    }
    const mode = random() < 2 / 3 ? 'sync' : 'async';
    const type = random() < 0.3 ? 'decision' : mode === 'sync' && random() < 0.2 ? 'approval' : 'clarification';
    yield { after, urgency: urgencyOf(random()), mode, type, alike: false };
  }
}

/** 2 % critical, 18 % high, 50 % medium, 30 % low. */
function urgencyOf(drawn: number): Urgency {
  if (drawn < 0.02) return 'critical';
  if (drawn < 0.2) return 'high';
  return drawn < 0.7 ? 'medium' : 'low';
}

/** Numbers from 0 to 1. Source: mulberry32 by Tommy Ettinger, public domain. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
