/** Ids that open a form: of a question, an RFC or a request. */
import * as z from 'zod';
import { requestId } from '../records/request.ts';
import { rfcId } from '../records/rfc.ts';
import type { State } from '../state/state.ts';
import { questionId } from '../kit/fields.ts';

export const itemId = z.union([questionId, rfcId, requestId]);

export function hasItem(state: State, id: string): boolean {
  return state.questions.has(id) || state.rfcs.has(id) || state.requests.has(id) || state.settledRequests.has(id);
}

export function isRfcId(id: string): boolean {
  return rfcId.safeParse(id).success;
}
