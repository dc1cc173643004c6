/**
 * Free data that an integration keeps with a question or a request. It has no meaning to Holdpoint: tools take and return it as a
 * JSON object, records keep its text, and the human sees that text, because the signature covers it.
 */
import * as z from 'zod';
import { limits } from './limits.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** As records have it: exactly the text that `payloadText` makes, so that it cannot say one thing twice. */
export const recordedPayload = z
  .string()
  .superRefine((text, context) => {
    const problem = textProblem(text);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  })
  .optional();

/** As tools take it. Not a schema of objects: those drop some names in silence. */
export const payloadInput = z.unknown().superRefine((value, context) => {
  const problem = value === undefined ? null : payloadProblem(value);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

/** The member of a record; none without a payload. */
export function recordPayload(value: unknown): { readonly payload?: string } {
  return value === undefined || value === null ? {} : { payload: JSON.stringify(value) };
}

export function payloadOf(text: string | null): Payload | null {
  return text === null ? null : (JSON.parse(text) as Payload);
}

/** For people, one member per line. */
export function shownPayload(payload: Payload | null): string | null {
  return payload === null ? null : JSON.stringify(payload, null, 2);
}
/** Each character may begin an indented line. */
export const shownPayloadLength = limits.payloadBytes * (2 + 2 * limits.payloadDepth);

function textProblem(text: string): string | null {
  if (text.length > limits.payloadBytes) return tooLong;
  try {
    const value: unknown = JSON.parse(text);
    return payloadProblem(value) ?? (JSON.stringify(value) === text ? null : 'must be JSON in its shortest form');
  } catch {
    return 'must be JSON';
  }
}

const tooLong = `must be at most ${String(limits.payloadBytes)} bytes of JSON`;

function payloadProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object';
  return shapeProblem(value, 1) ?? (utf8Length(JSON.stringify(value)) > limits.payloadBytes ? tooLong : null);
}

function shapeProblem(value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth > limits.payloadDepth) return `must have at most ${String(limits.payloadDepth)} levels`;
  if (Object.hasOwn(value, '__proto__')) return 'must not have the name __proto__';
  for (const one of Object.values(value)) {
    const problem = shapeProblem(one, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

/** JSON text has no halves of surrogate pairs: those are escaped. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
