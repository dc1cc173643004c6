/** What agents were offered: outcomes, decisions and the like are offered until their agent goes on, which confirms them. */
import type { RecordKind } from '../../core/records/records.ts';
import type { Admitted } from '../../core/state/state.ts';
import type { Database, Rows } from './sqlite.ts';

type Delivered = 'outcome' | 'ask_back' | 'decision' | 'review' | 'notice';

const offers: Partial<Record<RecordKind, readonly [what: Delivered, number: string | null, isConfirmed: boolean]>> = {
  'outcome.offered': ['outcome', null, false],
  'outcome.acknowledged': ['outcome', null, true],
  'question.askBackOffered': ['ask_back', 'number', false],
  'question.askBackAcknowledged': ['ask_back', 'number', true],
  'rfc.decisionOffered': ['decision', 'decision', false],
  'rfc.decisionAcknowledged': ['decision', 'decision', true],
  'rfc.reviewOffered': ['review', 'review', false],
  'rfc.reviewAcknowledged': ['review', 'review', true],
  'request.noticeOffered': ['notice', 'notice', false],
  'request.noticeAcknowledged': ['notice', 'notice', true],
};

/** Keeps the time of the first offer, and the session of the last: only that one knows of it. */
export function projectDelivery(db: Database, { record, actor, time }: Admitted): void {
  const offer = offers[record.kind];
  if (!offer) return;
  const [what, name, isConfirmed] = offer;
  const { id, agent, ...more } = record as unknown as { id: string; agent: string } & Record<string, number>;
  const number = name === null ? 0 : (more[name] ?? 0);
  // A notice that does not exist is not delivered: an agent cannot keep one that is still to come from another.
  if (
    what === 'notice' &&
    !db.rows.all('SELECT 1 FROM request_notices WHERE request_id = ? AND number = ?', id, number)[0]
  )
    return;
  db.run(
    `INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, NULL)
      ON CONFLICT (subject, what, number, agent) DO UPDATE SET session = excluded.session WHERE acknowledged_at IS NULL`,
    ...[what, id, number, agent, actor.session ?? '', time],
  );
  if (isConfirmed)
    db.run(
      `UPDATE deliveries SET acknowledged_at = coalesce(acknowledged_at, ?)
        WHERE subject = ? AND what = ? AND number = ? AND agent = ?`,
      ...[time, id, what, number, agent],
    );
}

/** An outcome that replaces another one is delivered to those as well who have received that one. */
export function deliverAgain(db: Database, id: string): void {
  db.run(`DELETE FROM deliveries WHERE subject = ? AND what = 'outcome'`, id);
}

export interface Delivery {
  readonly what: Delivered;
  readonly subject: string;
  readonly number: number;
  readonly agent: string;
  readonly session: string;
  readonly offered_at: string;
  readonly acknowledged_at: string | null;
}

/** What this session was offered and has not confirmed, oldest first. */
export function openOffers(rows: Rows, agent: string, session: string): Delivery[] {
  return rows.all<Delivery>(
    'SELECT * FROM deliveries WHERE agent = ? AND session = ? AND acknowledged_at IS NULL ORDER BY rowid',
    agent,
    session,
  );
}

/** Undefined if it was never offered to that agent. */
export function deliveryOf(
  rows: Rows,
  what: Delivered,
  subject: string,
  { number = 0, agent }: { readonly number?: number; readonly agent: string },
): Delivery | undefined {
  return rows.all<Delivery>(
    'SELECT * FROM deliveries WHERE subject = ? AND what = ? AND number = ? AND agent = ?',
    ...[subject, what, number, agent],
  )[0];
}

/** Whether an agent has it: it confirmed it, or it was offered to this very session. */
export function hasReceived(
  delivery: Pick<Delivery, 'session' | 'acknowledged_at'> | undefined,
  { session, acknowledged }: { readonly session: string; readonly acknowledged: boolean },
): boolean {
  return (
    delivery !== undefined && (delivery.acknowledged_at !== null || (!acknowledged && delivery.session === session))
  );
}
