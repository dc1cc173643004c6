/** Every kind of decision, signed on the person's side or refused there: through the whole of both sides but VS Code. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  changePolicy,
  decideQuestion,
  liftRefusal,
  revokeAnswer,
  shownAnswerHash,
  shownHash,
  shownPolicyHash,
  signRecord,
} from '../../../src/app/decision/decisions.ts';
import type { Signing, Unsigned, Verdict } from '../../../src/app/decision/decisions.ts';
import { askBack } from '../../../src/app/decision/askBack.ts';
import {
  endPrecedent,
  previewPrecedent,
  proposedEdits,
  setPrecedent,
  takeBackUse,
} from '../../../src/app/decision/precedents.ts';
import { acceptChanges, setHeldFiles } from '../../../src/app/hold/decisions.ts';
import { enrolEditor, replaceLost, shownKeys, takeOut, trustKey } from '../../../src/app/keys/acts.ts';
import { confirmPasskey, renamePasskey } from '../../../src/app/keys/passkeyActs.ts';
import { enrolKey, pinPasskey } from '../../../src/app/keys/enrolment.ts';
import { closeAsHuman, declineProposal, postAsHuman, shownEventHash } from '../../../src/app/memory/decisions.ts';
import { closeEvent } from '../../../src/app/memory/events.ts';
import { eventNamed } from '../../../src/app/memory/views.ts';
import { applyPrecedent } from '../../../src/app/question/precedents.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import {
  answerRequest,
  appoint,
  createAsHuman,
  shownAppointmentHash,
  shownRequestHash,
} from '../../../src/app/request/decisions.ts';
import { createRequest, registerResponsibility } from '../../../src/app/request/requests.ts';
import {
  commentOnRfc,
  decideRfc,
  overruleAnswer,
  replyToThread,
  resolveThread,
  shownRfcHash,
} from '../../../src/app/rfc/decisions.ts';
import { giveFeedback, proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { formatFor, shownWithChanges } from '../../../src/core/fold/heldChanges.ts';
import { shownHolder } from '../../../src/core/fold/widening.ts';
import { holderOf } from '../../../src/core/hold/holds.ts';
import { askForFormat } from '../../../src/core/state/askForFormat.ts';
import { moment } from '../../../src/signer/kinds/kind.ts';
import { kinds } from '../../../src/signer/kinds/table.ts';
import type { Store } from '../../../src/store/store.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makePasskey } from '../../support/authenticator.ts';
import { agent, makeHuman } from '../../support/store/people.ts';
import { openPersonsSide } from '../../support/store/personsSide.ts';
import type { PersonsSide } from '../../support/store/personsSide.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import type { Clock } from '../../support/store/sandbox.ts';

const bot = agent();
const asked = { type: 'decision', urgency: 'high', mode: 'sync', work: null } as const;
/** Recoveries are signed in `recovery.test.ts`. */
const signedSomewhere = new Set<string>(['journal.restored', 'journal.lineSetAside', 'journal.startedAnew']);

describe('on the person’s side', () => {
  let workspace: Workspace;
  let store: Store;
  let ada: PersonsSide;
  let clock: Clock;
  let read: number;
  beforeEach(async () => {
    read = 0;
    const sandbox = makeSandbox();
    clock = sandbox.clock;
    workspace = sandbox.open();
    ada = await openPersonsSide(workspace);
    store = await workspace.store();
  });
  afterEach(removeSandboxes);

  const state = () => store.read().state;
  const question = (id = 'Q-1') => state().questions.get(id)!;
  const ask = (text: string, more: object = {}) => raiseQuestion(store, bot, { ...asked, text, ...more });
  const decide = (verdict: Verdict, id = 'Q-1') =>
    ada.sign((signing) => decideQuestion(signing, id, verdict, shownHash(state(), question(id))));
  const answer = (text: string): Verdict => ({ kind: 'answer', answer: { choices: [], text } });

  /** The decisions that were shown since the last call, each as a title and the texts below it; all must count. */
  function saw(): string[][] {
    assert.deepEqual(state().refusals, []);
    const last = ada.seen.slice(read);
    read = ada.seen.length;
    for (const { kind } of last) signedSomewhere.add(kind);
    return last.map(({ title, rows }) => [
      title,
      ...rows.flatMap(({ text, before }) => (before === undefined ? [text] : [text, before])),
    ]);
  }

  function includes(shown: readonly string[] | undefined, ...texts: readonly string[]): void {
    for (const text of texts)
      assert.ok(
        shown?.some((one) => one.includes(text)),
        `${text} in ${JSON.stringify(shown)}`,
      );
  }

  it('decisions on questions show the question and the decision', async () => {
    for (const text of ['JWT?', 'Which port?', 'Now?']) await ask(text);
    await ada.sign((signing) => askBack(signing, { id: 'Q-1', text: 'Why?', shown: shownHash(state(), question()) }));
    includes(saw()[0], 'Ask the agent about Q-1', 'JWT?', 'Why?', 'copilot-001');
    await decide({ kind: 'cancel', reason: 'Too late.' }, 'Q-2');
    includes(saw()[0], 'Cancel Q-2', 'Which port?', 'Too late.');
    await decide({ kind: 'release', note: 'Go on.' }, 'Q-3');
    includes(saw()[0], 'Release Q-3 without an answer', 'Now?', 'Go on.');
    await decide(answer('Sessions.'));
    includes(saw()[0], 'Answer Q-1', 'JWT?', 'Sessions.');
    await ada.sign((signing) => revokeAnswer(signing, 'Q-1', 'Stale.', shownAnswerHash(state(), question())));
    includes(saw()[0], 'Stop reusing the answer to Q-1', 'JWT?', 'Stale.', 'Sessions.');
  });

  it('a lifted refusal shows what was refused', async () => {
    await ask('Delete the table?', { type: 'approval' });
    await decide({ kind: 'answer', answer: { choices: ['No'], effect: 'do_not' } });
    includes(saw()[0], 'It must not be done until you lift this.');
    const lifting = { id: 'Q-1', reason: 'There is a backup.', shown: shownAnswerHash(state(), question()) };
    await ada.sign((signing) => liftRefusal(signing, lifting));
    includes(saw()[0], 'Lift the refusal of Q-1', 'Delete the table?', 'There is a backup.');
  });

  it('a precedent shows what it matches and answers, and what it would have answered', async () => {
    await ask('Add dependency `react`?', { holds: ['app/package.json'] });
    await decide(answer('Yes, add it.'));
    await ask('Add dependency `vue`?', { holds: ['app/package.json'] });
    saw();
    const draft = () => {
      const edits = proposedEdits(state(), question(), workspace.now());
      return { edits, preview: previewPrecedent(state(), 'Q-1', edits, workspace.now()) };
    };
    const { edits, preview } = draft();
    assert.equal(preview.problem, null);
    await ada.sign((signing) => setPrecedent(signing, { from: 'Q-1', edits, shown: preview.shown! }));
    const [set] = saw();
    includes(set, 'Always answer such questions: P-1', 'Add dependency `{name: word}`?', 'Yes, add it.');
    includes(set, 'It may be done.', 'app/package.json', moment(edits.until), 'UTC', '20', 'decision');
    includes(set, 'Q-2 (pending): Add dependency `vue`?', 'Q-1 (answered): Add dependency `react`?');
    await ask('Add dependency `zod`?', { holds: ['app/package.json'] });
    await applyPrecedent(store, bot, 'Q-3');
    const shown = shownAnswerHash(state(), question('Q-3'));
    await ada.sign((signing) => takeBackUse(signing, { id: 'Q-3', reason: 'Not this one.', shown }));
    includes(saw()[0], 'Take back the answer that a precedent gave to Q-3', '`zod`', 'Not this one.', 'P-1');
    assert.equal(question('Q-3').resolution, null);
    await ada.sign((signing) => endPrecedent(signing, 'P-1', 'Enough.'));
    includes(saw()[0], 'End the precedent P-1', 'Enough.', 'Add dependency `{name: word}`?', 'Yes, add it.');
    assert.equal(state().precedents.get('P-1')?.ended?.how, 'human');
  });

  it('the policy shows what changes', async () => {
    const shown = shownPolicyHash(state());
    const policy = { ...state().policy, questionLifeHours: 5 };
    await ada.sign((signing) => changePolicy(signing, policy, shown));
    assert.deepEqual(saw(), [['Change the policy', '5 hours', 'Before: 24 hours']]);
    const never = [{ types: ['approval'], globs: ['payments/**'] }, { agents: ['build-bot'] }] as const;
    const precedents = { never: never.map((one) => ({ ...one })) };
    const again = shownPolicyHash(state());
    await ada.sign((signing) => changePolicy(signing, { ...policy, precedents }, again));
    const lines = 'approval payments/**\nagent:build-bot';
    assert.deepEqual(saw(), [['Change the policy', lines, 'Before: not set: the default']]);
  });

  it('scopes of holds and accepted changes show the question, the files and the effect', async () => {
    await ask('Edit it?', { holds: ['src/one'] });
    const scope = (files: 'all' | 'named') =>
      ada.sign((signing) => setHeldFiles(signing, 'Q-1', files, hashOf(shownHolder(state(), 'Q-1'))));
    await scope('all');
    includes(saw()[0], 'Hold all files with Q-1', 'Edit it?', 'No agent may edit any file');
    await scope('named');
    includes(saw()[0], 'Hold only the named files with Q-1', 'Agents may edit the other files again.', 'src/one');
    await propose('Limits');
    const [was, is] = ['a'.repeat(64), 'b'.repeat(64)];
    for (const [id, path] of [
      ['Q-1', 'src/one'],
      ['RFC-1', 'src/auth'],
    ] as const) {
      const holder = () => holderOf(state(), id)!;
      const file = { part: 1, hash: was, scopes: hashOf([path]), files: 1 };
      await store.transact(bot.actor, (view) => ({
        records: [
          ...askForFormat(view.state, formatFor(holder())),
          { kind: 'hold.baselineTaken', v: 1, id, ...file },
          { kind: 'hold.violated', v: 1, id, files: [{ path, was, is }] },
        ],
        result: null,
      }));
      const shown = hashOf(shownWithChanges(state(), holder()));
      await ada.sign((signing) => acceptChanges(signing, id, { shown }));
      const files = `${path}: ${is.slice(0, 12)}, before ${was.slice(0, 12)}`;
      includes(saw()[0], `Accept changes of held files of ${id}`, files, id === 'Q-1' ? 'Edit it?' : 'Limits');
    }
  });

  async function propose(title: string): Promise<void> {
    await proposeRfc(store, bot, {
      ...{ title, workflows: [], tasks: [], holds: ['src/auth'], contexts: [], submit: true },
      sections: [{ key: 'summary', heading: 'Summary', text: `All of ${title}.` }],
      questions: [{ text: 'Per user?', answered: false }],
    });
  }
  const rfc = (id = 'RFC-1') => state().rfcs.get(id)!;

  it('verdicts on RFCs show the whole document of the revision', async () => {
    for (const title of ['Limits', 'Queues', 'Shards', 'Tokens']) await propose(title);
    const about = { revision: 1, type: 'concern', section: null, blocking: false } as const;
    await giveFeedback(store, bot.actor, 'RFC-1', { ...about, text: 'It is slow.' });
    await giveFeedback(store, bot.actor, 'RFC-1', { ...about, text: 'It is dear.' });
    const comments = [{ ...about, text: 'And the cost?' }];
    const rule = (id: string, verdict: Parameters<typeof decideRfc>[2]) =>
      ada.sign((signing) => decideRfc(signing, id, verdict, shownRfcHash(state(), rfc(id))));
    const terms = { conditions: ['Log it.'], constraints: ['At most ten.'], waived: [1] };
    await rule('RFC-1', { kind: 'approve', ...terms, comments });
    const [approved, commented] = saw();
    includes(approved, 'Approve RFC-1', 'Log it.', 'At most ten.', 'Per user?', 'All of Limits.', 'src/auth');
    includes(approved, 'It is slow.', 'It is dear.');
    includes(commented, 'Comment on RFC-1', 'And the cost?');
    await rule('RFC-2', { kind: 'request_changes', reason: 'Say more.' });
    includes(saw()[0], 'Request changes of RFC-2', 'Say more.', 'All of Queues.');
    await rule('RFC-3', { kind: 'reject', reason: 'No.', then: 'another_way' });
    includes(saw()[0], 'Reject RFC-3', 'No.', 'The work continues another way.', 'All of Shards.');
    await rule('RFC-4', { kind: 'withdraw', reason: 'Done elsewhere.' });
    includes(saw()[0], 'Withdraw RFC-4', 'Done elsewhere.', 'All of Tokens.');
    assert.equal(rfc().approval?.keyid, ada.pin.keyid);
  });

  it('remarks on RFCs show what is said, with all texts of the thread', async () => {
    await propose('Limits');
    const what = { revision: 1, type: 'concern', section: null, text: 'Why?', blocking: true } as const;
    const seen = (about: Parameters<typeof shownRfcHash>[2]) => shownRfcHash(state(), rfc(), about);
    await ada.sign((s) => commentOnRfc(s, 'RFC-1', what, seen({ kind: 'rfc.commented', ...what })));
    includes(saw()[0], 'Comment on RFC-1', 'Why?');
    const reply = { thread: 1, text: 'Because.' };
    await ada.sign((s) => replyToThread(s, 'RFC-1', reply, seen({ kind: 'rfc.threadReplied', thread: 1 })));
    includes(saw()[0], 'Reply in RFC-1', 'Because.', 'Ada (signed)\nWhy?');
    await updateRfc(store, bot, 'RFC-1', { replies: [{ thread: 1, text: 'Not so.' }] });
    await ada.sign((s) => resolveThread(s, 'RFC-1', 1, seen({ kind: 'rfc.threadResolved', thread: 1 })));
    const conversation = ['Ada (signed)\nWhy?', 'Ada (signed)\nBecause.', `${bot.actor.id} (not signed)\nNot so.`];
    includes(saw()[0], 'Resolve a thread of RFC-1', conversation.join('\n\n'));
    await ada.sign((s) =>
      overruleAnswer(s, 'RFC-1', { question: 1 }, seen({ kind: 'rfc.answerOverruled', question: 1 })),
    );
    includes(saw()[0], 'Answer a question of RFC-1 yourself', 'Per user?');
  });

  it('a revision that comes while its person reads is not approved', async () => {
    await propose('Limits');
    const shown = shownRfcHash(state(), rfc());
    await updateRfc(store, bot, 'RFC-1', { document: { title: 'No limits' } });
    const verdict = { kind: 'approve', conditions: [], constraints: [] } as const;
    // There is nothing to sign: the act ends before.
    await assert.rejects(
      ada.sign((signing) => decideRfc(signing, 'RFC-1', verdict, shown)),
      { code: 'conflict' },
    );
    assert.deepEqual(ada.seen, []);
  });

  it('notes show their texts, also those that are closed', async () => {
    const post = { type: 'warning', text: 'Never clear the cache.', priority: 'high', scopes: ['src'] } as const;
    await ada.sign((signing) => postAsHuman(signing, post));
    includes(saw()[0], 'Post E-1 in your name', 'Never clear the cache.', 'src');
    await ada.sign((signing) => postAsHuman(signing, { ...post, text: 'Other.' }));
    saw();
    const shown = (id: string) => shownEventHash(state(), eventNamed(store.read(), id)!);
    await closeEvent(store, bot, 'E-1', { how: 'resolved', reason: 'It is fixed.' });
    await ada.sign((signing) => declineProposal(signing, 'E-1', shown('E-1')));
    includes(saw()[0], 'Keep E-1', 'Never clear the cache.', 'It is fixed.');
    await ada.sign((signing) => closeAsHuman(signing, 'E-1', { how: 'replaced', text: 'Clear it.' }, shown('E-1')));
    const [posted, closed] = saw();
    includes(posted, 'Post E-3 in your name', 'Clear it.');
    includes(closed, 'Close E-1', 'Never clear the cache.', 'E-3 replaces it.');
    await ada.sign((s) => closeAsHuman(s, 'E-2', { how: 'resolved', reason: 'Old.' }, shown('E-2')));
    includes(saw()[0], 'Close E-2', 'Other.', 'Old.');
  });

  it('requests show what is asked, also after they were passed on', async () => {
    const appointed = async (id: string, kind: 'human' | 'steward') => {
      const one = { id, kind, name: `The ${id}`, agents: [] };
      await ada.sign((signing) => appoint(signing, one, shownAppointmentHash(state(), one)));
      includes(saw()[0], `Appoint ${id}`, `The ${id}`);
    };
    await appointed('ada', 'human');
    await appointed('desk', 'steward');
    await registerResponsibility(store, bot, { id: 'builder', kind: 'agent', name: 'Builder', agents: [] });
    const common = { suggested_actions: ['Buy it'], links: [], tags: ['web'] };
    const action = { type: 'request_for_action', payload: common } as const;
    const respond = (id: string, given: Parameters<typeof answerRequest>[2]) =>
      ada.sign((signing) => answerRequest(signing, id, given, shownRequestHash(state(), id) ?? ''));
    const shownPolicy = shownPolicyHash(state());
    const policy = { ...state().policy, overdue: { action: 'reassign', reassignTo: 'ada' } } as const;
    await ada.sign((signing) => changePolicy(signing, policy, shownPolicy));
    saw();
    const domain = { ask: action, subject: 'A domain', summary: 'Any will do.', completionSeconds: 60 };
    await createRequest(store, bot, { ...domain, target: 'desk' });
    await respond('R-1', { act: 'accept', note: 'Tomorrow.' });
    includes(saw()[0], 'Respond to R-1: accept', 'A domain', 'Any will do.', 'Buy it', 'Tomorrow.', 'desk');
    clock.now += 3_600_000;
    await sweep(store);
    await respond('R-1', { act: 'accept' });
    includes(saw()[0], 'Respond to R-1: accept', 'A domain', 'Any will do.', 'ada');
    const bundles = { bundle_ids: ['B-1'], objectives: 'Read it.' };
    const ingest = { type: 'ingest_new_context', payload: { ...common, ...bundles } } as const;
    await createRequest(store, bot, { ask: ingest, target: 'desk', subject: 'New texts', summary: 'Two.' });
    await respond('R-2', { act: 'accept' });
    saw();
    await respond('R-2', { act: 'record a step', step: 'normalise', note: 'Cleaned.', requests: [] });
    includes(saw()[0], 'Record a step of R-2: normalise', 'New texts', 'Cleaned.');
    const sent = { ask: action, origin: 'ada', target: 'builder', subject: 'Build it', summary: 'All of it.' };
    await ada.sign((signing) => createAsHuman(signing, sent));
    includes(saw()[0], 'Send R-3 in your name', 'Build it', 'All of it.', 'builder');
  });

  it('acts on keys show whole fingerprints', async () => {
    await ask('Something?');
    const [grace, linus, old] = [makeHuman('Grace'), makeHuman('Linus'), makeHuman('Ada')];
    const phone = makePasskey('Ada', { label: 'Phone' });
    const fingerprint = (keyid: string) => (keyid.match(/.{4}/g) ?? []).join(' ');
    const keyAct = async (act: (scope: Parameters<typeof takeOut>[0], signing: Signing) => Promise<unknown>) => {
      const known = shownKeys(workspace.pins(), null);
      const at = (one: Store) =>
        Object.create(workspace, { store: { value: () => Promise.resolve(one) } }) as Workspace;
      await ada.sign((signing) => act({ workspaces: [at(signing.store)], shown: hashOf(known) }, signing), [known]);
      // A changed ring reopens the store.
      store = await workspace.store();
    };
    await keyAct((scope, { signer }) => trustKey(scope, signer, grace.pin, 'Grace'));
    includes(saw()[0], 'Trust the key of Grace', fingerprint(grace.keyid));
    await keyAct((scope, { signer }) => takeOut(scope, signer, grace.keyid, false));
    includes(saw()[0], 'Revoke the key of Grace', fingerprint(grace.keyid));
    enrolKey(workspace, linus.publicKey, 'Linus');
    await keyAct((scope, { signer }) => enrolEditor(scope, signer, ada.pin));
    includes(saw()[0], 'Add this key as yours', fingerprint(ada.pin.keyid), 'Linus');
    enrolKey(workspace, old.publicKey, 'Ada');
    await keyAct((scope, { signer }) => replaceLost(scope, signer, ada.pin, [old.keyid]));
    includes(saw()[0], 'Replace lost keys by this one', fingerprint(old.keyid));
    pinPasskey(workspace, phone.pin);
    await keyAct((scope, signing) => confirmPasskey(signing, phone.pin, scope.shown));
    includes(saw()[0], 'Add the passkey Phone', fingerprint(phone.pin.keyid));
    await keyAct((scope, { signer }) => renamePasskey(scope, signer, { keyid: phone.pin.keyid, label: 'My phone' }));
    includes(saw()[0], 'Name the passkey My phone');
    const why = (keyid: string) => workspace.pins().find((pin) => pin.keyid === keyid)?.retired?.why ?? 'counts';
    assert.deepEqual([grace.keyid, linus.keyid, old.keyid, ada.pin.keyid].map(why), [
      'takenOut',
      'counts',
      'lost',
      'counts',
    ]);
  });

  const elsewhere: readonly Unsigned[] = [
    { kind: 'key.rotated', v: 1, keyid: 'a'.repeat(64), publicKey: '', name: 'Ada', from: 'b'.repeat(64) },
    { kind: 'store.shared', v: 1, name: 'shop', roots: [] },
    { kind: 'store.unshared', v: 1 },
  ];
  for (const record of elsewhere)
    it(`${record.kind} is signed in another window: nothing of it is asked`, async () => {
      signedSomewhere.add(record.kind);
      assert.ok('instead' in kinds[record.kind]);
      const act = async ({ store: one, signer }: Signing) => {
        const binding = { shown: 'a'.repeat(64), nonce: randomUUID(), at: '2026-03-01T00:00:00.000Z' };
        const made = { workspaceId: store.workspaceId ?? randomUUID(), position: store.position };
        await one.transact(bot.actor, () => ({
          records: [{ ...record, envelope: signRecord(made, signer, valid(record), binding).envelope }],
          result: null,
        }));
      };
      await assert.rejects(ada.sign(act), { code: 'denied', message: /in a window that works on your own machine/ });
      assert.deepEqual(ada.seen, []);
    });

  it('covers every signed kind', () => {
    assert.deepEqual(
      Object.keys(kinds).filter((kind) => !signedSomewhere.has(kind)),
      [],
    );
  });
});

/** With the keys that its schema asks for. */
function valid(record: Unsigned): Unsigned {
  const key = makeHuman('Ada').publicKey.toString('base64');
  if (record.kind === 'store.shared') return { ...record, roots: [key] };
  return record.kind === 'key.rotated' ? { ...record, publicKey: key } : record;
}
