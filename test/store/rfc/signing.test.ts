/** A human's acts in a review: comments with a decision, and an answer to an open question. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  commentOnRfc,
  decideRfc,
  overruleAnswer,
  replyToThread,
  shownRfcHash,
  type Comment,
  type RfcVerdict,
} from '../../../src/app/rfc/decisions.ts';
import { rfcView } from '../../../src/app/rfc/views.ts';
import { signedBy, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { callTool } from '../../support/store/callTool.ts';

describe('a signed review', () => {
  afterEach(removeSandboxes);

  async function scene(file = '# Tokens\n\n## Summary\n\nUse tokens.\n') {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    fs.writeFileSync(path.join(sandbox.folder, 'rfc.md'), file);
    const [store, human] = [await workspace.store(), enrolledHuman(workspace)];
    await callTool(workspace, 'propose_rfc', { file: 'rfc.md', submit: true });
    const signing = signedBy(store, human);
    const rfc = () => store.read().state.rfcs.get('RFC-1')!;
    return {
      store,
      signing,
      rfc,
      view: () => rfcView(store.read(), 'RFC-1')!,
      decide: async (verdict: RfcVerdict) =>
        decideRfc(signing, 'RFC-1', verdict, shownRfcHash(store.read().state, rfc())),
    };
  }

  const section = { key: 'summary', heading: 'Summary' } as const;
  const comment = (text: string, blocking = false): Comment => ({
    revision: 1,
    type: 'concern',
    section,
    text,
    blocking,
  });

  it('covers the texts of threads', async () => {
    const { signing, rfc, store } = await scene();
    const shown = (about: Parameters<typeof shownRfcHash>[2]) => shownRfcHash(store.read().state, rfc(), about);
    await commentOnRfc(signing, 'RFC-1', comment('Which?'), shown({ kind: 'rfc.commented', revision: 1 }));
    const texts = () => rfc().threads.map((thread) => thread.texts);
    const before = texts();
    const reply = { thread: 1, text: 'This.' };
    await replyToThread(signing, 'RFC-1', reply, shown({ kind: 'rfc.threadReplied', thread: 1 }));
    assert.match(texts()[0] ?? '', /^[0-9a-f]{64}$/);
    assert.notDeepEqual(texts(), before);
  });

  it('includes comments with the decision, numbered consecutively, each signed', async () => {
    const { decide, view } = await scene();
    const comments = [comment('Which?', true), { ...comment('Why?'), quote: 'tokens' }];
    assert.equal((await decide({ kind: 'request_changes', reason: 'See there.', comments })).outcome, 'decided');
    assert.deepEqual(
      view().threads.map(({ number, text, quote, blocking, signed }) => [number, text, quote, blocking, signed]),
      [
        [1, 'Which?', null, true, true],
        [2, 'Why?', 'tokens', false, true],
      ],
    );
    assert.equal(view().last_decision?.action, 'changes_requested');
  });

  it('refuses an approval with a blocking comment, and records nothing', async () => {
    const { decide, view } = await scene();
    const approve = { kind: 'approve', conditions: [], constraints: [] } as const;
    await assert.rejects(async () => decide({ ...approve, comments: [comment('No.', true)] }), /blocks the approval/);
    assert.deepEqual([view().threads.length, view().status], [0, 'under_review']);
    assert.equal((await decide({ ...approve, comments: [comment('Nice.')] })).outcome, 'decided');
    assert.deepEqual([view().threads.length, view().status], [1, 'approved']);
  });

  it('records no comments either if the decision comes too late', async () => {
    const { store, signing, rfc, decide, view } = await scene();
    const shown = shownRfcHash(store.read().state, rfc());
    await decide({ kind: 'request_changes', reason: 'First.' });
    const late = { kind: 'request_changes', reason: 'Late.', comments: [comment('x')] } as const;
    assert.equal((await decideRfc(signing, 'RFC-1', late, shown)).outcome, 'already');
    assert.equal(view().threads.length, 0);
  });

  it('records several comments without a decision, all or none', async () => {
    const { store, signing, rfc, view } = await scene();
    const shown = shownRfcHash(store.read().state, rfc(), { kind: 'rfc.commented', revision: 1 });
    const send = async (comments: Comment[]) => commentOnRfc(signing, 'RFC-1', comments, shown);
    await assert.rejects(
      async () => send([comment('one'), { ...comment('two'), revision: 2 }]),
      /has changed since it was shown/,
    );
    assert.equal(view().threads.length, 0);
    await send([comment('one'), comment('two')]);
    assert.deepEqual(
      view().threads.map(({ text }) => text),
      ['one', 'two'],
    );
  });

  it('offers the choices that the author lists under a question', async () => {
    const { store, signing, rfc } = await scene(
      '# Tokens\n\n## Summary\n\nUse tokens.\n\n## Open questions\n\n- [ ] How long?\n  - 1 h: short (recommended)\n  - 30 days\n',
    );
    const shown = shownRfcHash(store.read().state, rfc(), { kind: 'rfc.answerOverruled', question: 1 });
    await overruleAnswer(signing, 'RFC-1', { question: 1 }, shown);
    assert.deepEqual(store.read().state.questions.get('Q-1')?.raised?.choices, [
      { label: '1 h', description: 'short', recommended: true },
      { label: '30 days', recommended: false },
    ]);
  });
});
