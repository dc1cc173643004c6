/** Fields as every head parses them. Texts are trimmed, bounded, and free of what cannot be stored or shown safely. */
import * as z from 'zod';
import { cleanGlob, cleanPath, PathError } from './paths.ts';
import { limits } from './limits.ts';
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

// Free data that an integration keeps with a question or a request. It has no meaning to Holdpoint: tools take and return it as a
// JSON object, records keep its text, and the human sees that text, because the signature covers it.

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

/** JSON text has no halves of surrogate pairs, which could not be encoded: it has them escaped. */
function utf8Length(json: string): number {
  return encodeURIComponent(json).replaceAll(/%../g, '.').length;
}

// The optional texts of a question: what each is called in records, and in the JSON of views, tools and exports; its title
// for readers; and what agents are told about it. All of these derive their fields from this list.

export const questionTexts = [
  { record: 'background', view: 'background', title: 'Background' },
  { record: 'context', view: 'context', title: 'Context' },
  { record: 'impact', view: 'impact', title: 'Impact' },
  { record: 'ifDelayed', view: 'if_delayed', title: 'If this waits' },
  { record: 'assumption', view: 'assumption', title: 'Assumption' },
] as const;

const about: Readonly<Record<(typeof questionTexts)[number]['view'], string>> = {
  background: 'Why you ask: what you found, in Markdown.',
  context: 'The code or text the question is about.',
  impact: 'The impact, for example "Delays API tokens by 2 days".',
  if_delayed: 'What happens if the answer comes late.',
  assumption: 'async: what you assume until the answer comes.',
};

/** Those, and whom the question is for, which is a name. */
export const questionNotes = [...questionTexts, { record: 'for', view: 'for' }] as const;

type Note = (typeof questionNotes)[number];
type RecordNotes = { readonly [One in Note as One['record']]?: string };
export type ViewNotes = { readonly [One in Note as One['view']]: string | null };

export function noteFields() {
  return fields('record', otherText.optional());
}

export function textInputs() {
  const entries = questionTexts.map(({ view }) => [view, otherText.describe(about[view]).optional()]);
  return Object.fromEntries(entries) as { readonly [Name in keyof typeof about]: z.ZodOptional<typeof otherText> };
}

export function exportedNoteFields() {
  return fields('view', z.string().nullable());
}

function fields<Layer extends keyof Note, Field>(layer: Layer, field: Field) {
  const entries = questionNotes.map((note) => [note[layer], field]);
  return Object.fromEntries(entries) as { readonly [One in Note as One[Layer]]: Field };
}

export function viewNotes(notes: { readonly [Name in keyof RecordNotes]: string | undefined }): ViewNotes {
  return Object.fromEntries(questionNotes.map(({ view, record }) => [view, notes[record] ?? null])) as ViewNotes;
}

/** From a view or a tool's input; what is missing there is missing in the record. */
export function recordNotes(given: { readonly [Name in keyof ViewNotes]?: string | null | undefined }): RecordNotes {
  const entries = questionNotes.map(({ record, view }) => [record, given[view]]);
  return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string')) as RecordNotes;
}

/** JSON leaves out the members that are undefined, and records have none. */
export function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

// A tool of an MCP server as humans write it in the policy: `docs/search`. Each host has its own spelling
// (`mcp__docs__search`, `mcp_docs_search`, `docs-search`), known to its adapter.

export const serverToolPattern = /^[\w.-]{1,99}\/[\w.:-]{1,100}$/;
export const serverTool = z.string().regex(serverToolPattern);

/** Null if the text has another form. */
export function partsOfServerTool(written: string): { readonly server: string; readonly tool: string } | null {
  if (!serverTool.safeParse(written).success) return null;
  const [server = '', tool = ''] = written.split('/');
  return { server, tool };
}
