/**
 * "Ask back": before answering, a human puts a question to the agent that asked. The hold stays as it is; the agent's
 * reply gives the question back to the human.
 */
import * as z from 'zod';
import { envelope, record } from './parts.ts';
import { agentId, otherText, questionId } from '../kit/fields.ts';

/** How often a human can ask back about one question. */
export const askBacksAtMost = 20;

/** From 1, in the order in which they were asked. */
const number = z.int().min(1).max(askBacksAtMost);

export const askBackRecords = [
  /** A human asks the agent; signed, so that no program puts words into a human's mouth. */
  record('question.askedBack', () => ({ id: questionId, text: otherText, envelope })),
  /** The agent's reply to it: one each. It decides nothing and releases nothing. */
  record('question.replied', () => ({ id: questionId, number, text: otherText })),
  /** It was delivered to an agent (many times) / the agent acted after receiving it (once). */
  record('question.askBackOffered', () => ({ id: questionId, number, agent: agentId })),
  record('question.askBackAcknowledged', () => ({ id: questionId, number, agent: agentId })),
] as const;

/** What a human asked back, and the agent's reply. */
export interface AskBack {
  readonly text: string;
  readonly by: string;
  readonly keyid: string;
  readonly at: string;
  readonly reply: Reply | null;
}

export interface Reply {
  readonly text: string;
  readonly by: string;
  readonly at: string;
}

/** The member for shown and signed content. Absent without one, so that earlier signatures keep their hashes. */
export function shownAskBacks({ askBacks }: { readonly askBacks: readonly AskBack[] }): {
  readonly askBacks?: readonly AskBack[];
} {
  return askBacks.length === 0 ? {} : { askBacks };
}
