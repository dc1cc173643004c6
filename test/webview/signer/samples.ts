/** What the remote machine may ask Holdpoint Signer to show. */
import { defaultPolicy } from '../../../src/core/state/state.ts';
import { pageOf } from '../../../src/signer/page.ts';
import { checkRequest } from '../../../src/signer/check.ts';
import { json } from '../../../src/signer/kinds/kind.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { english } from '../../support/store/personsSide.ts';
import { terms } from '../../support/store/precedentLab.ts';
import { answered, itemOf, question, requestOf } from '../../unit/signer/requests.ts';
import type { Item } from '../../unit/signer/requests.ts';

const keyid = 'b'.repeat(64);
const at = '2026-03-01T00:00:00.000Z';

const section = (heading: string) => ({
  key: 'other',
  heading,
  text: `${heading} has a line that is long enough to need several rows on a narrow screen.\n`.repeat(12),
});
const document = {
  title: 'Signed tokens for partners',
  sections: [section('Summary'), section('Motivation'), section('Design')],
  alternatives: [{ name: 'Sessions', description: 'One per partner.', pros: ['Simple'], cons: ['State'] }],
  questions: [{ text: 'Per user?', answered: false }],
};
const remark = (thread: number, text: string) => ({
  ...{ id: 'RFC-1', thread, revision: 1, type: 'concern', section: { key: 'other', heading: 'Design' } },
  ...{ quote: 'a line that is long enough', text, blocking: thread === 1, by: 'copilot-001', signed: false },
});
const remarks = [remark(1, 'Tokens of partners never expire.'), remark(2, 'Which library?')];
const reply = { before: hashOf(remarks[0]), reply: 1, text: 'They expire after an hour.', by: 'Ada', signed: true };
const rfc = {
  ...{ id: 'RFC-1', status: 'under_review', title: document.title },
  revision: { number: 1, hash: hashOf(document), by: 'copilot-001', at },
  ...{ workflows: ['W-1'], tasks: [], holds: ['src/auth/**'], contexts: [] },
  threads: [
    { number: 1, blocking: true, resolved: true, replies: 1, texts: hashOf(reply) },
    { number: 2, blocking: false, resolved: false, replies: 0, texts: hashOf(remarks[1]) },
  ],
  questions: [{ number: 1, text: 'Per user?', state: 'unanswered' }],
};
const approved = {
  ...{ kind: 'rfc.approved', v: 1, id: 'RFC-1', revision: 1, hash: rfc.revision.hash },
  ...{ conditions: ['Tokens expire.'], constraints: ['At most ten partners.'] },
};

const asked = {
  ...question,
  choices: [
    { label: 'Delete it', description: 'A backup of yesterday is on the server.' },
    { label: 'Keep it', description: 'The migration stops.' },
  ],
  background: 'The migration to the new schema leaves the table without a use.',
  impact: 'Rows of 2024 and before are gone.',
  ifDelayed: 'The release waits.',
  files: [{ path: 'migrations/0007_drop.sql' }],
  payload: '{"sql":"drop table parcels_2024","cascade":true}',
};

const policy = {
  ...{ kind: 'policy.changed', v: 1, questionLifeHours: 48, onExpiry: 'escalate' },
  reminders: { critical: 5, high: 30, medium: 0, low: 0 },
  quorum: { rules: [{ globs: ['payments/**'], people: ['ada', 'grace', 'linus'], count: 2 }] },
  precedents: {
    never: [
      { types: ['approval'], globs: ['payments/**', 'migrations/**'] },
      { urgencies: ['high'] },
      { agents: ['build-bot'] },
    ],
  },
};

const precedent = { kind: 'precedent.set', v: 1, ...terms() };
const earlier = ['react', 'vue', 'zod'].map((name, index) => ({
  ...{ id: `Q-${String(index + 1)}`, text: `Add dependency \`${name}\`?`, status: 'answered' },
  ...{ how: 'answered', answer: { choices: ['Add it'], effect: 'proceed' }, at },
}));

const diagnosis = {
  ...{ problem: 'damaged', what: 'The journal is damaged: the line at offset 48211 does not match its hash.' },
  copy: { lastAct: at, acts: 211 },
  damage: { from: 48_211, to: 49_007, bytesHash: 'c'.repeat(64), resumes: 'd'.repeat(64) },
  ...{ startAnew: { loses: 214 }, open: ['Q-12', 'Q-14', 'RFC-3'] },
};

interface Asked {
  readonly item: Item;
  readonly parts?: object[];
}

const requests: Readonly<Record<string, Asked>> = {
  question: {
    item: itemOf(
      { ...answered, answer: { choices: ['Delete it'], text: 'Keep the backup for a year.', effect: 'proceed' } },
      asked,
    ),
  },
  rfc: { item: itemOf(approved, rfc), parts: [document, ...remarks, reply] },
  policy: { item: itemOf(policy, { ...defaultPolicy }) },
  recovery: {
    item: itemOf({ kind: 'journal.restored', v: 1, lost: 3 }, diagnosis, { subject: 'journal' }),
  },
  precedent: { item: itemOf(precedent, { precedent: terms(), earlier }) },
};

export const signerPages = Object.keys(requests);

/** The page as the extension shows it. */
export async function signerPage(name: string): Promise<string> {
  const { item, parts = [] } = requests[name] ?? { item: itemOf() };
  const { items, by } = await checkRequest({ ...requestOf(keyid, item), parts });
  return pageOf({
    decisions: items.map(({ describe, whole }) => ({ ...describe(english), whole: json(whole) })),
    by,
    notes: [
      { text: 'Window: shop (ssh-remote). Workspace: 83acb4e5-f426-43be-a7e0-0d6858534ea4' },
      {
        text: 'You have signed for another workspace in this window, not for this one. Check where this is from.',
        isWarning: true,
      },
    ],
    ...{ l10n: english, language: 'en', tooSoonMs: 10 },
  });
}
