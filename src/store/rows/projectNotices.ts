/** Rows of notices: what the agents of a request's parties are notified of, and which agent has which. */
import type { RequestNotice } from '../../core/records/requestWords.ts';
import type { RecordOf } from '../../core/records/records.ts';
import type { Projecting } from './projection.ts';

export function notify(at: Projecting, id: string, responsibility: string, type: RequestNotice): void {
  const { state, effect } = at;
  const { actor, signed, time } = effect;
  const agent = !signed && actor.kind === 'agent' ? actor.id : null;
  const workspace = state.workspace?.id ?? '';
  at.db.run(
    `INSERT INTO request_notices
      SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM request_notices WHERE workspace_id = ? AND request_id = ?`,
    [workspace, id, responsibility, type, time, agent, workspace, id],
  );
}

type Delivered = RecordOf<'request.noticeOffered' | 'request.noticeAcknowledged'>;

/**
 * The first offer's time stays; the session is the last one's, for only that knows of it. A notice that does not exist is
 * not delivered: an agent cannot keep one that is still to come from another.
 */
export function offerNotice({ db, state, effect }: Projecting, { id, notice, agent }: Delivered): void {
  db.run(
    `INSERT INTO request_notice_deliveries
      SELECT workspace_id, request_id, number, ?, ?, ?, NULL FROM request_notices
      WHERE workspace_id = ? AND request_id = ? AND number = ?
      ON CONFLICT (workspace_id, request_id, notice, agent_id)
      DO UPDATE SET session = excluded.session WHERE acknowledged_at IS NULL`,
    [agent, effect.actor.session ?? '', effect.time, state.workspace?.id ?? '', id, notice],
  );
}

export function acknowledgeNotice(at: Projecting, record: Delivered): void {
  offerNotice(at, record);
  at.db.run(
    `UPDATE request_notice_deliveries SET acknowledged_at = coalesce(acknowledged_at, ?)
      WHERE workspace_id = ? AND request_id = ? AND notice = ? AND agent_id = ?`,
    [at.effect.time, at.state.workspace?.id ?? '', record.id, record.notice, record.agent],
  );
}
