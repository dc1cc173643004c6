/**
 * Precedents: rules by which development versions answered questions. They are history only: nothing writes them any
 * more, and what one answered waits for a human again. Their signatures are not read, because nothing follows from them.
 */
import * as z from 'zod';
import { questionId } from '../kit/fields.ts';
import { record } from './parts.ts';

const precedentId = z.string().regex(/^P-[1-9]\d{0,5}$/);

export const precedentRecords = [
  record('precedent.set', () => ({ id: precedentId })),
  record('precedent.ended', () => ({ id: precedentId })),
  record('precedent.used', () => ({ id: questionId, precedent: precedentId })),
  record('precedent.takenBack', () => ({ id: questionId })),
] as const;
