/** What the host might send to the audit trail: nothing, a little, a lot, and forged records. */
import type { AuditRow, AuditSnapshot, AuditView } from '../../../src/ui/dashboard/audit.ts';
import { before, noFolder, now, twoFolders } from '../question/samples.ts';

const ada = { who: 'Ada Lovelace', key: 'c1a0ffee00112233' };

const work = [
  { id: 't-3', title: 'API tokens' },
  { id: 'w-7', title: 'Public API' },
];

export const decided: AuditRow[] = [
  {
    ...ada,
    ...{ at: 900, index: 0, time: before(2), mark: 'verified', kind: 'question.answered', subject: 'Q-12' },
    open: '0/Q-12',
    about: 'JWT or server-side sessions for the public API tokens?',
    work,
    said: 'JWT: Mobile clients keep their tokens anyway.',
  },
  {
    ...{ at: 800, index: 0, time: before(15), mark: 'forged', kind: 'question.released', subject: 'Q-12' },
    open: '0/Q-12',
    work,
    who: 'Ada Lovelace\u202e',
    unsigned: true,
    why: 'is signed by a key that no human enrolled on this machine',
  },
  {
    ...ada,
    keyOf: 'Grace',
    ...{ at: 700, index: 0, time: before(60 * 30), mark: 'verified', kind: 'rfc.approved', subject: 'RFC-1' },
    open: '0/RFC-1',
    work: [{ id: 'w-7', title: 'Public API' }],
  },
];

export const others: AuditRow[] = [
  {
    ...{ at: 300, index: 0, time: before(60 * 40), mark: 'refused', kind: 'work.updated', subject: 't-3' },
    work: [{ id: 't-3', title: 'API tokens' }],
    who: 'copilot-001',
    why: 't-3 cannot make progress while Q-12 holds it',
  },
  {
    ...{ at: 200, index: 0, time: before(60 * 50), mark: 'unsigned', kind: 'question.raised', subject: 'Q-12' },
    open: '0/Q-12',
    work,
    who: 'copilot-001',
    said: 'JWT or server-side sessions for the public API tokens?',
  },
  {
    ...{ at: 100, index: 0, time: before(60 * 60), mark: 'refused', kind: 'something.else', subject: 'journal' },
    work: [],
    who: 'copilot-001',
    why: 'is of a kind this program does not know (something.else)',
  },
];

export const sound: AuditView = {
  type: 'audit',
  folders: [],
  folder: '0/x',
  checked: 100,
  faults: [],
  acts: 5,
  decisions: 2,
  signers: [{ name: 'Ada Lovelace', key: ada.key, decisions: 2 }],
  filter: { scope: 'decisions', text: '' },
  matching: 2,
  rows: decided.filter(({ mark }) => mark === 'verified'),
  shown: 'shown-1',
  export: 'sealed',
};

export const faulty: AuditView = {
  ...sound,
  faults: ['Forged decisions: 1. They had no effect.', 'A line of the journal is damaged.'],
  matching: 6,
  filter: { scope: 'all', text: '' },
  rows: [...decided, ...others],
  export: 'no',
};

export function snapshot(view: AuditView, more: Partial<AuditSnapshot> = {}): AuditSnapshot {
  return { type: 'snapshot', now, view, ...more };
}

/** A full page of rows, out of more. */
export function many(sent = 200): AuditView {
  const rows = Array.from({ length: sent }, (_, index): AuditRow => ({ ...sound.rows[0]!, at: 100_000 - index }));
  return { ...sound, acts: 41_000, decisions: 5_000, matching: 5_000, rows };
}

export const states: Readonly<Record<string, () => AuditSnapshot>> = {
  sound: () => snapshot(sound),
  faulty: () => snapshot(faulty),
  checking: () => snapshot({ ...sound, checked: 40, matching: 0, rows: [], export: 'no' }),
  nothing: () => snapshot({ ...sound, acts: 3, decisions: 0, signers: [], matching: 0, rows: [], export: 'unsealed' }),
  many: () => snapshot(many(40)),
  exported: () =>
    snapshot(sound, {
      notice: { good: true, text: 'Exported to /home/ada/shop.holdpoint-audit, signed with your key.' },
    }),
  notExported: () => snapshot(sound, { notice: { good: false, text: 'Export failed: EROFS' } }),
  folders: () =>
    snapshot({
      ...sound,
      folders: twoFolders,
    }),
  unavailable: () => ({
    ...snapshot(sound),
    view: noFolder,
  }),
};
