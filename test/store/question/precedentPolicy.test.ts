/** What the signed policy keeps from precedents, at the time of each use. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { changePolicy, shownPolicyHash, signRecord } from '../../../src/app/decision/decisions.ts';
import type { Signing } from '../../../src/app/decision/decisions.ts';
import { commitSigned, prepareSigned } from '../../../src/app/decision/passkey.ts';
import { previewPrecedent, proposedEdits } from '../../../src/app/decision/precedents.ts';
import { addPasskey, giveUpPasskey } from '../../../src/app/keys/passkeyActs.ts';
import { listPrecedents } from '../../../src/app/question/precedents.ts';
import { parseExclusion } from '../../../src/core/records/precedentPolicyText.ts';
import type { Policy } from '../../../src/core/state/state.ts';
import { makePasskey } from '../../support/authenticator.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { makeHuman } from '../../support/store/people.ts';
import { asked, setting } from '../../support/store/precedentSetting.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';
import { isSharedRun } from '../../support/store/sharedSandbox.ts';

type Setting = Awaited<ReturnType<typeof setting>>;

function change({ store, signing }: Setting, changes: Partial<Policy>) {
  const { state } = store.read();
  return changePolicy(signing, { ...state.policy, ...changes }, shownPolicyHash(state));
}

const exclude = (scene: Setting, ...lines: string[]) =>
  change(scene, { precedents: { never: lines.map((line) => parseExclusion(line)!) } });

/** The beginning of what the agent reads when it asks. */
async function asks({ call }: Setting, name: string, more: object = {}): Promise<string> {
  const { text } = await call('raise_question', asked(name, more));
  return /^Q-\d+ (?:answered by the precedent P-\d+|is still waiting)/.exec(text)?.[0] ?? text;
}

describe('the policy on precedents', () => {
  afterEach(removeSandboxes);

  for (const [title, line, other] of [
    ['an urgency', 'medium high', 'low'],
    ['a type', 'decision', 'approval'],
    ['files', 'app/**', 'lib/**'],
    ['an agent', 'agent:claude-code-001', 'agent:claude-code-002'],
    ['a type of agents', 'agent:claude-code', 'agent:codex'],
    ['a question by several conditions', 'decision app/** agent:claude-code', 'decision app/** agent:codex'],
    ['all questions', 'everything', 'approval'],
  ] as const)
    it(`stops one that was signed before by ${title}, and only then`, async () => {
      const scene = await setting();
      await scene.set();
      assert.equal(await asks(scene, 'vue'), 'Q-2 answered by the precedent P-1');
      await exclude(scene, other);
      assert.equal(await asks(scene, 'lodash'), 'Q-3 answered by the precedent P-1');
      await exclude(scene, other, line);
      assert.equal(await asks(scene, 'jquery'), 'Q-4 is still waiting');
      assert.ok(scene.isHeld());
      await exclude(scene);
      assert.equal(await asks(scene, 'zod'), 'Q-5 answered by the precedent P-1');
    });

  it('says so in the draft, and takes none for a question that it names', async () => {
    const scene = await setting();
    await exclude(scene, 'app/**');
    const { state } = scene.store.read();
    const edits = proposedEdits(state, state.questions.get('Q-1')!, scene.workspace.now());
    const { problem, shown } = previewPrecedent(state, 'Q-1', edits, scene.workspace.now());
    assert.deepEqual([problem, shown], ['Q-1: the policy says that precedents never answer it', null]);
  });

  it('keeps questions about files that take approvals of certain people, one or more', async () => {
    for (const count of [1, 2]) {
      const scene = await setting();
      await scene.set();
      const people = [scene.human.name, 'Grace'];
      await change(scene, { quorum: { rules: [{ globs: ['app/**'], people, count }] } });
      assert.equal(await asks(scene, 'vue'), 'Q-2 is still waiting');
      assert.ok(scene.isHeld());
    }
  });

  it('is not loosened by a record without its signature, nor by one with another key’s', async function () {
    if (isSharedRun) return this.skip(); // it writes to the journal by hand
    const scene = await setting();
    const { sandbox, store } = scene;
    await scene.set();
    await exclude(scene, 'decision');
    const { state } = store.read();
    const record = { kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire' } as const;
    const looser = { ...record, precedents: { never: [] } };
    const binding = { shown: shownPolicyHash(state), nonce: randomUUID(), at: scene.workspace.now() };
    const byStranger = signRecord(store, makeHuman('Ada'), looser, binding) as object;
    const genuine = signRecord(store, scene.human, record, binding) as object;
    for (const forged of [looser, byStranger, { ...genuine, precedents: { never: [] } }]) {
      writeByHand(sandbox.journal, [forged], { actor: { kind: 'human', id: 'Ada' } });
      assert.deepEqual(store.read().state.policy.precedents, { never: [{ types: ['decision'] }] });
    }
    assert.equal(await asks(scene, 'vue'), 'Q-2 is still waiting');
    writeByHand(sandbox.journal, [{ kind: 'precedent.used', v: 1, id: 'Q-2', precedent: 'P-1' }], {
      actor: { kind: 'agent', id: 'claude-code-001' },
    });
    assert.match(
      store.read().state.refusals.at(-1)!.why,
      /P-1 does not answer Q-2: the policy says that precedents never answer it/,
    );
    assert.ok(scene.isHeld());
  });

  describe('with passkeys', () => {
    before(function () {
      if (isSharedRun) this.skip(); // a team's root gives keys their place, not the editor
    });

    /** Ada has the editor's key and a passkey on her phone. */
    async function withPhone() {
      const scene = await setting();
      const { workspace, human, store } = scene;
      const phone = makePasskey('Ada');
      await addPasskey({ workspaces: [workspace], shown: 'a'.repeat(64) }, human, phone.pin);
      const onPhone = async <T>(act: (signing: Signing) => Promise<T>): Promise<T> => {
        const context = { store, newId: randomUUID, pin: phone.pin };
        const prepared = await prepareSigned(context, act);
        return commitSigned({ ...context, prepared, assertion: phone.assert(prepared.options.challenge) }, act);
      };
      return { ...scene, onPhone };
    }
    const asking = { passkeys: { rules: [{ types: ['decision' as const] }] } };

    it('that ask for one for certain questions, one that a passkey signed answers them', async () => {
      const scene = await withPhone();
      await change(scene, asking);
      assert.equal(await scene.onPhone((signing) => scene.set({}, signing)), 'P-1');
      assert.equal(await asks(scene, 'vue'), 'Q-2 answered by the precedent P-1');
      assert.equal(scene.isHeld(), false);
      const [listed] = listPrecedents(scene.store.read());
      assert.deepEqual([listed?.signed_by, listed?.uses.length], ['Ada', 1]);
      assert.equal(scene.store.read().state.questions.get('Q-2')!.resolution!.passkey, true);
    });

    it('one of the editor’s key does not, whether it was signed before or after', async () => {
      const scene = await withPhone();
      await scene.set();
      await change(scene, asking);
      assert.equal(await asks(scene, 'vue'), 'Q-2 is still waiting');
      await assert.rejects(scene.set(), /the policy asks for a passkey/);
      assert.ok(scene.isHeld());
    });

    it('one by a passkey that was given up does not', async () => {
      const scene = await withPhone();
      await change(scene, asking);
      await scene.onPhone((signing) => scene.set({}, signing));
      const { workspace, human, store } = scene;
      const [keyid] = [...store.read().state.passkeys.keys()];
      await giveUpPasskey({ workspaces: [workspace], shown: 'a'.repeat(64) }, human, { keyid: keyid!, why: 'lost' });
      assert.equal(await asks(scene, 'vue'), 'Q-2 is still waiting');
    });

    it('that ask for one for certain files, none answers: each such decision takes a touch', async () => {
      const scene = await withPhone();
      await scene.onPhone((signing) => scene.set({}, signing));
      assert.equal(await asks(scene, 'vue'), 'Q-2 answered by the precedent P-1');
      await change(scene, { passkeys: { rules: [{ globs: ['app/**'] }] } });
      assert.equal(await asks(scene, 'lodash'), 'Q-3 is still waiting');
      assert.ok(scene.isHeld());
    });
  });
});
