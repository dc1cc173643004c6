/** Text fields as every head parses them: trimmed, bounded, and free of what cannot be stored or shown safely. */
import * as z from 'zod';
import { cleanGlob } from './glob.ts';
import { limits } from './limits.ts';
import { cleanPath, PathError } from './paths.ts';
import { hasControl, hasLoneSurrogate } from './quickChecks.ts';
import { agentIdProblem } from './text.ts';

const textFields = new Map<number, z.ZodString>();

/**
 * A trimmed string of 1..`max` UTF-16 code units. What a program writes must also be seen (`parseRecords`).
 * @param max limit after trimming; longer text is an error that names the limit, never truncated
 */
export function textField(max: number): z.ZodString {
  const known = textFields.get(max);
  if (known) return known;
  // One `check` call, because each method copies the schema and programs create these at start.
  const made = z.string().check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(max, `must be at most ${String(max)} characters after trimming`),
    z.refine((value) => !hasLoneSurrogate(value), 'contains half of a surrogate pair (not valid Unicode)'),
    z.refine((value) => !hasControl(value), 'contains control characters (only tab and line breaks are allowed)'),
  );
  textFields.set(max, made);
  return made;
}

/** A text field other than question and answer: 1..10,000 characters. */
export const otherText = textField(limits.otherText);

/** A person's name or a responsibility: one line. */
export const addressee = textField(limits.id).refine((text) => !/[\r\n]/.test(text), 'must be one line');

/** Work item ids are chosen by agents: short, printable, no white space. */
export const workId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:#/@-]*$/,
    'must start with a letter or digit and hold only letters, digits and . _ : # / @ -',
  )
  .max(limits.id, `must be at most ${String(limits.id)} characters`);

export const questionId = z.string().regex(/^Q-[1-9]\d{0,8}$/, 'must look like Q-12');

export const eventId = z.string().regex(/^E-[1-9]\d{0,8}$/, 'must look like E-140');

export const agentId = z
  .string()
  .max(limits.id)
  .check(({ value, issues }) => {
    const message = agentIdProblem(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  });

/** ISO 8601, UTC, milliseconds: the only time format in records and outputs. */
export const instant = z.iso.datetime({ precision: 3 });

/** Lower-case hexadecimal SHA-256. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

export const workspacePath = z.string().transform(cleanedText(cleanPath));

/** A hold pattern, cleaned. */
export const holdGlob = z
  .string()
  .max(limits.glob, `must be at most ${String(limits.glob)} characters`)
  .transform(cleanedText(cleanGlob));

function cleanedText(clean: (raw: string) => string) {
  return (raw: string, context: z.RefinementCtx): string => {
    try {
      return clean(raw);
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  };
}
