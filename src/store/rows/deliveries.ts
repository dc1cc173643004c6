/** What agents were offered: outcomes, decisions and the like are offered until their agent goes on, which confirms them. */
import type { Admitted, RecordInput, RecordKind } from '../../core/records/records.ts';
import type { Database, Rows } from './sqlite.ts';

/** What says that it was offered and that it was received, and the field that numbers it. */
const kinds = {
  outcome: ['outcome.offered', 'outcome.acknowledged', null],
  ask_back: ['question.askBackOffered', 'question.askBackAcknowledged', 'number'],
  decision: ['rfc.decisionOffered', 'rfc.decisionAcknowledged', 'decision'],
  review: ['rfc.reviewOffered', 'rfc.reviewAcknowledged', 'review'],
  notice: ['request.noticeOffered', 'request.noticeAcknowledged', 'notice'],
} as const satisfies Readonly<Record<string, readonly [RecordKind, RecordKind, string | null]>>;
export type Delivered = keyof typeof kinds;

const offers = new Map<string, readonly [what: Delivered, number: string | null, isConfirmed: boolean]>(
  (Object.keys(kinds) as Delivered[]).flatMap((what) => {
    const [offered, acknowledged, number] = kinds[what];
    return [
      [offered, [what, number, false]],
      [acknowledged, [what, number, true]],
    ] as const;
  }),
);

export function deliveryRecord(
  { what, subject: id, number, agent }: Pick<Delivery, 'what' | 'subject' | 'number' | 'agent'>,
  isConfirmed: boolean,
): RecordInput {
  const [offered, acknowledged, name] = kinds[what];
  const kind = isConfirmed ? acknowledged : offered;
  return { kind, v: 1, id, agent, ...(name === null ? {} : { [name]: number }) } as RecordInput;
}

/** Keeps the time of the first offer, and the session of the last: only that one knows of it. */
export function projectDelivery(db: Database, { record, actor, time }: Admitted): void {
  const offer = offers.get(record.kind);
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
