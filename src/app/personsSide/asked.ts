/** What a request asks, as its hash was taken. */
import { askedContent } from '../../core/request/request.ts';
import type { RequestAsk } from '../../core/records/request.ts';
import type { OpenRequest } from '../../core/state/request.ts';
import { requestRow } from '../../store/rows/requestRows.ts';
import type { View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';

/** From its row. Null if that is not what was recorded. */
export function askedRequest(view: View, { id, content }: OpenRequest): object | null {
  const row = requestRow(view.rows, view.state.workspace?.id ?? '', id);
  if (!row) return null;
  const about = {
    id,
    ask: { type: row.type, payload: JSON.parse(row.payload_json ?? '{}') as RequestAsk['payload'] } as RequestAsk,
    origin: row.origin_responsibility_id,
    subject: row.subject,
    summary: row.summary,
    priority: row.priority,
    availableAt: row.available_at,
    ...given('mandate', row.origin_mandate_id),
    ...given('bodyPath', row.body_md_path),
    ...given('dueAt', row.due_at),
    ...given('sourceContext', row.source_context),
    ...given('payload', row.free_payload_json),
  };
  // The row has whom it is for now; the hash, whom it was sent to.
  const targets = [row.target_responsibility_id, ...view.state.responsibilities.keys()];
  const asked = targets.map((target) => askedContent({ ...about, target }));
  return asked.find((one) => hashOf(one) === content) ?? null;
}

function given<Name extends string>(name: Name, value: string | null): Partial<Record<Name, string>> {
  return value === null ? {} : ({ [name]: value } as Record<Name, string>);
}
