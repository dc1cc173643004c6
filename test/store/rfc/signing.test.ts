/** A human's acts in a review: comments, and an answer to an open question. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  commentOnRfc,
  overruleAnswer,
  replyToThread,
  shownRfcHash,
  type Comment,
} from '../../../src/app/rfc/decisions.ts';
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
    return { store, signing, rfc };
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
