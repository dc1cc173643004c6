/** Text fields as every head parses them: trimmed, bounded, and free of what cannot be stored or shown safely. */
import * as z from 'zod';
import { isPersonName, personOf, shortAgent } from './persons.ts';
import { visibleText } from './visible.ts';
import { limits } from './words.ts';

const loneSurrogate = /[\uD800-\uDFFF]/u;
// Tab, line feed and carriage return are allowed; other C0 controls, DEL and C1 are not.
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

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
    z.refine((value) => !loneSurrogate.test(value), 'contains half of a surrogate pair (not valid Unicode)'),
    z.refine(
      (value) => !controlCharacter.test(value),
      'contains control characters (only tab and line breaks are allowed)',
    ),
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

const agentNameLength = 64;

export const eventId = z.string().regex(/^E-[1-9]\d{0,8}$/, 'must look like E-140');

/** `{type}-{number}`, for example `backend-worker-001`: the ids that programs get. */
const numberedAgent = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d{1,6}$/;

export function isNumberedAgent(id: string): boolean {
  return id.length <= limits.id && numberedAgent.test(id);
}

/** Begins and ends with a letter or digit of any script; no slash, quote or character that is not seen. */
function isAgentName(id: string): boolean {
  return id.length <= agentNameLength && /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._@:+#-]*[\p{L}\p{M}\p{N}])?$/u.test(id);
}
/** Who else acts: an agent of such a name would pass for a human or for Holdpoint itself. */
const otherActors = new Set(['human', 'humans', 'user', 'system', 'timer', 'reviewer', 'holdpoint', 'steward']);

/**
 * Any name of 1 to 64 characters that cannot be mistaken for another, in a shared journal after its person. A name gives no
 * authority: only signatures do.
 */
export const agentId = z
  .string()
  .max(limits.id)
  .check(
    z.refine(
      (id) => isNumberedAgent(shortAgent(id)) || isAgentName(shortAgent(id)),
      `must be a name of 1 to ${String(agentNameLength)} letters, digits, spaces and . _ - @ : + #, such as backend-worker-001 or alice`,
    ),
    z.refine((id) => isPersonName(personOf(id) ?? 'none'), 'begins with what cannot be the name of a person'),
    z.refine((id) => !otherActors.has(sameNameKey(shortAgent(id))), 'is the name of another kind of actor'),
  );

/** The form in which two names are the same to a reader. */
export function sameNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** ISO 8601, UTC, milliseconds: the only time format in records and outputs. */
export const instant = z.iso.datetime({ precision: 3 });

/** Lower-case hexadecimal SHA-256. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

/** Normalised form for comparing questions: NFC, trimmed, white space collapsed, case-folded. */
export function sameTextKey(text: string): string {
  if (text !== latest.text) latest = { text, key: collapsed(text).toLowerCase() };
  return latest.key;
}

/** Most texts are words of ASCII between single spaces. */
function collapsed(text: string): string {
  return /^[!-~]+(?: [!-~]+)*$/.test(text) ? text : text.normalize('NFC').trim().replace(/\s+/gu, ' ');
}

/** Cache: one question is looked up by its text several times in a row. */
let latest = { text: '', key: '' };

/** A text by others on one line, so that no line of an output is a text by others alone. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** The first line of a text, at most `max` characters, with an ellipsis if truncated. */
export function firstLine(text: string, max = 120): string {
  const line = text.split('\n', 1)[0] ?? '';
  const characters = Array.from(line);
  if (characters.length > max) return `${characters.slice(0, max - 1).join('')}…`;
  return line.length < text.length ? `${line}…` : line;
}

/** The same for display: hidden characters appear as codes. */
export function shownLine(text: string, max = 120): string {
  return visibleText(firstLine(text, max));
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
