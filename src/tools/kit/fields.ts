/** Input fields that several tools share, with the descriptions models read. */
import * as z from 'zod';
import { holdGlob, otherText, questionId, textField, workId, payloadInput } from '../../core/kit/fields.ts';
import { limits } from '../../core/kit/limits.ts';

export const workIdField = workId.describe('Id of a registered work item, for example "t-1".');
export const questionIdField = questionId.describe('Id of a question, for example "Q-12".');
export const holdsField = z
  .array(holdGlob)
  .max(limits.listItems)
  .describe(
    'Files that no agent may edit until the question or RFC is decided: workspace-relative paths or globs with * ** ?. A folder includes everything in it. ** and the root are not accepted: only a human can hold every file.',
  );
export const payloadField = (what: string) => payloadInput.optional().meta({ type: 'object' }).describe(what);
export const note = (what: string) => otherText.describe(what);
export const titleField = textField(limits.title).describe('Short name for people.');

export const waitSeconds = z
  .number()
  .min(0)
  .max(86_400)
  .optional()
  .describe('How long to wait for the human before returning, in seconds. Omit it to use the default of your host.');
