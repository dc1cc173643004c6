/** Facts about requests for the dashboard figures. */
import type { BreachFact, RequestFacts } from '../../core/dashboard/figures.ts';
import { jsonList } from '../../store/rows/read.ts';
import type { RequestEvents, Requests } from '../../store/rows/items.ts';
import type { View } from '../../store/store.ts';

/** A change of one request; the note of a reassignment is the new target. */
interface Change {
  readonly type: string;
  readonly at: string;
  readonly note: string | null;
}

const becamePending = ['released', 'resumed', 'reassigned'];
const breaches = ['sla_response_breached', 'sla_completion_breached'] as const;

/** All requests of this workspace, with their breaches of agreed times. */
export function requestFacts(view: View): RequestFacts[] {
  const { rows, state } = view;
  const workspace = state.workspace?.id ?? '';
  const changes = changesByRequest(view, workspace);
  const first = firstTargets(view, workspace);
  return rows.all<Requests>('SELECT * FROM requests WHERE workspace_id = ?', workspace).map((request) => {
    const own = changes.get(request.id) ?? [];
    const { target_responsibility_id: target, created_at, accepted_at, processed_at, closed_at } = request;
    return {
      ...{ target, status: request.status, created_at, accepted_at, processed_at, closed_at },
      available_at: availableAt(request, own),
      responded_at: request.responded_at,
      breaches: breachesIn(own, first.get(request.id) ?? target),
    };
  });
}

function changesByRequest({ rows }: View, workspace: string): Map<string, Change[]> {
  const found = new Map<string, Change[]>();
  const all = rows.all<RequestEvents>(
    `SELECT * FROM request_events WHERE workspace_id = ? AND event_type IN (SELECT value FROM json_each(?)) ORDER BY id`,
    workspace,
    jsonList([...becamePending, ...breaches]),
  );
  for (const { request_id, event_type: type, created_at: at, note } of all) {
    const known = found.get(request_id);
    if (known) known.push({ type, at, note });
    else found.set(request_id, [{ type, at, note }]);
  }
  return found;
}

/** The first target of each reassigned request: a reassignment notifies the origin and the former target. */
function firstTargets({ rows }: View, workspace: string): Map<string, string> {
  const notices = rows.all<{ id: string; responsibility: string }>(
    `SELECT request_id AS id, responsibility_id AS responsibility FROM request_notices JOIN requests ON requests.id = request_id
      WHERE workspace_id = ? AND request_notices.type = 'reassigned' AND responsibility_id <> origin_responsibility_id
      ORDER BY request_notices.number DESC`,
    workspace,
  );
  return new Map(notices.map(({ id, responsibility }) => [id, responsibility]));
}

/** Deferring a request sets its pending time to a later one than that of the response, which was to the earlier one. */
function availableAt(
  { available_at, responded_at }: { readonly available_at: string; readonly responded_at: string | null },
  changes: readonly Change[],
): string {
  if (responded_at === null || available_at <= responded_at) return available_at;
  return changes.findLast(({ type, at }) => becamePending.includes(type) && at <= responded_at)?.at ?? responded_at;
}

function breachesIn(changes: readonly Change[], first: string): BreachFact[] {
  let target = first;
  return changes.flatMap(({ type, at, note }) => {
    if (type === 'reassigned') target = note ?? target;
    const breach = breaches.find((one) => one === type);
    return breach ? [{ of: breach === 'sla_response_breached' ? 'response' : 'completion', at, target }] : [];
  });
}
