/** What people name when they want a form: a question, an RFC or a request. */
import * as z from 'zod';
import { requestId } from './requestWords.ts';
import { rfcId } from './rfcWords.ts';
import type { State } from './state.ts';
import { questionId } from './text.ts';

export const itemId = z.union([questionId, rfcId, requestId]);

export function hasItem(state: State, id: string): boolean {
  return state.questions.has(id) || state.rfcs.has(id) || state.requests.has(id) || state.settledRequests.has(id);
}

export function isRfcId(id: string): boolean {
  return rfcId.safeParse(id).success;
}
