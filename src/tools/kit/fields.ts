/** Input fields that several tools share, with the descriptions models read. */
import * as z from 'zod';
import { holdGlob, otherText, questionId, textField, workId, payloadInput } from '../../core/kit/fields.ts';
import { limits } from '../../core/kit/limits.ts';
import { guideOf, type ToolContext } from './operation.ts';

export const workIdField = workId.describe('Id of a registered work item, for example "t-1".');
export const questionIdField = questionId.describe('Id of a question, for example "Q-12".');
export const many = <T extends z.ZodType>(item: T) => z.array(item).max(limits.listItems);
export const holdsField = many(holdGlob).describe(
  'Files that no agent may edit until the question or RFC is decided: workspace-relative paths or globs with * ** ?. A folder includes everything in it. ** and the root are not accepted: only a human can hold every file.',
);
/** A file or folder as its caller writes it: workspace-relative or absolute. */
export const pathField = z.string().min(1).max(limits.path);
export const payloadField = (what: string) => payloadInput.optional().meta({ type: 'object' }).describe(what);
export const note = (what: string) => otherText.describe(what);
export const titleField = textField(limits.title).describe('Short name for people.');

export const waitSeconds = z
  .number()
  .min(0)
  .max(86_400)
  .optional()
  .describe('How long to wait for the human before returning, in seconds. Omit it to use the default of your host.');

/** Of an agent, which reads every line, unless its input asks for more. */
const usual = 5;

export const pageFields = {
  skip: z.int().min(0).default(0).describe('Number of items to skip, to continue a list.'),
  limit: z.int().min(1).max(10_000).optional().describe('The maximum number of items.'),
};

export interface Page {
  readonly skip: number;
  /** May be Infinity. */
  readonly limit: number;
}

export function pageOf(
  { listsAll = false }: ToolContext,
  { skip, limit }: { skip: number; limit?: number | undefined },
): Page {
  return { skip, limit: limit ?? (listsAll ? Infinity : usual) };
}

/**
 * The text of a list: how many there are and how many follow, the lines, and how to continue.
 * @param what all of them, in words
 */
export function pageText(
  context: ToolContext,
  { skip }: Page,
  { lines, total, what }: { readonly lines: readonly string[]; readonly total: number; readonly what: string },
): string {
  const shown = lines.length;
  const next = skip + shown;
  const how = guideOf(context).call === 'Run' ? `--skip ${String(next)}` : `"skip": ${String(next)}`;
  const isLast = shown === 0 || next >= total;
  return [
    shown === total ? what : `${String(shown)} of ${what}`,
    ...lines,
    ...(isLast ? [] : [`${String(total - next)} more: repeat this with ${how}.`]),
  ].join('\n');
}
