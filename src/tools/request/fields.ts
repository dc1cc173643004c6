/** Input fields of the request tools, and a request as one line of text. */
import * as z from 'zod';
import type { RequestView } from '../../app/request/views.ts';
import { bundleId, requestSeconds, requestId, responsibilityId } from '../../core/records/request.ts';
import { firstLine } from '../../core/kit/text.ts';
import { textField, workId } from '../../core/kit/fields.ts';
import { workKind } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import { titleField } from '../kit/fields.ts';

export const requestIdField = requestId.describe('Id of a request, for example "R-7".');
export const responsibilityField = responsibilityId.describe(
  'Id of a responsibility in this workspace, for example "backend" or "jane@app".',
);
export const lineField = (what: string) => textField(limits.title).describe(what);
export const bundleField = bundleId;
export const secondsField = (what: string) => requestSeconds.describe(`${what} Seconds.`);

/** A time with its zone, normalized as in records. */
export const timeField = (what: string) =>
  z.iso
    .datetime({ offset: true })
    .max(limits.time)
    .transform((time) => new Date(time).toISOString())
    .describe(`${what} A time with its zone, for example 2026-05-03T14:00:00Z.`);

export const newWorkField = z
  .array(z.strictObject({ id: workId, title: titleField, kind: workKind.default('task') }))
  .max(limits.listItems)
  .describe('Work items you create for it. They are registered as new items in your name.');

export function requestLine({
  id,
  status,
  type,
  priority,
  origin_responsibility_id,
  target_responsibility_id,
  subject,
  due_at,
  available_at,
  overdue,
}: RequestView): string {
  const what = type === 'request_for_action' ? '' : ` · ${type}`;
  const when =
    status === 'created' || status === 'deferred'
      ? ` · from ${available_at}`
      : due_at !== null && status === 'pending'
        ? ` · due ${due_at}`
        : '';
  const late = overdue ? ' · overdue' : '';
  return `${id} · ${status}${late}${what} · ${origin_responsibility_id} to ${target_responsibility_id} · priority ${String(priority)}${when} · ${firstLine(subject)}`;
}
