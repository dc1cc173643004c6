/** A genuine request to the person's side, as a workspace makes it. */
import { randomUUID } from 'node:crypto';
import type { UnsignedRecord } from '../../../src/core/records/decision.ts';
import type { SigningRequest } from '../../../src/protocol/kit/signing.ts';
import { hashOf } from '../../../src/trust/canonical.ts';

export type Item = SigningRequest['items'][number];

export const question = {
  id: 'Q-1',
  text: 'Delete the table?',
  type: 'approval',
  urgency: 'high',
  mode: 'sync',
  asker: 'copilot-001',
  work: 't-1',
  scopes: ['src/**'],
  choices: [],
  raisedAt: '2026-03-01T00:00:00.000Z',
};

export const answered: UnsignedRecord = {
  kind: 'question.answered',
  v: 1,
  id: 'Q-1',
  answer: { choices: [], text: 'Yes.' },
};

/** @param more members of the payload that differ from the genuine ones */
export function itemOf(record: object = answered, shown: object = question, more: Partial<Item['payload']> = {}): Item {
  const { kind, id = 'policy' } = record as { kind: string; id?: string };
  return {
    record: record as Item['record'],
    shown: shown as Item['shown'],
    payload: {
      v: 1,
      workspace: '83acb4e5-f426-43be-a7e0-0d6858534ea4',
      action: kind,
      subject: id,
      shown: hashOf(shown),
      recordHash: hashOf(record),
      nonce: randomUUID(),
      position: 100,
      head: 'a'.repeat(64),
      at: '2026-03-01T00:00:01.000Z',
      by: 'Ada',
      ...more,
    },
  };
}

export function requestOf(keyid: string, ...items: Item[]): SigningRequest {
  return { v: 1, keyid, items, parts: [] };
}
