import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { keyId } from '../../../src/trust/envelope.ts';
import { readByHand } from '../../support/store/handwriting.ts';
import { agent } from '../../support/store/people.ts';
import { bundleWriter, start, type Running } from '../../support/store/programs.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import type { Job } from '../../support/store/writer.ts';

const racers = 8;

describe('several programs at once', () => {
  let tools: Sandbox;
  let bundle: string;

  before(async () => {
    tools = makeSandbox();
    bundle = await bundleWriter(tools.base);
  });
  after(removeSandboxes);

  /** Runs all jobs at the same moment. Returns their parsed results. */
  async function race(sandbox: Sandbox, jobs: readonly Job[]): Promise<unknown[]> {
    const programs = jobs.map((job) => start(bundle, sandbox, job));
    await Promise.all(
      programs.map(async (program) => {
        assert.equal(await program.next(), 'ready');
      }),
    );
    for (const program of programs) program.go();
    return Promise.all(programs.map(result));
  }

  async function result(program: Running): Promise<unknown> {
    const said: unknown = JSON.parse((await program.next()) ?? 'null');
    assert.equal(await program.next(), null);
    return said;
  }

  it(`${String(racers)} register one item at first use: all find it registered, and it is registered once`, async () => {
    const sandbox = makeSandbox();
    const outcomes = await race(
      sandbox,
      Array.from({ length: racers }, () => ({ does: 'register', id: 'T1' })),
    );
    const errors = outcomes.map((outcome) => (outcome as { error?: string }).error);
    assert.deepEqual(
      errors,
      Array.from({ length: racers }, () => undefined),
    );
    const { lines, sound } = readByHand(fs.readFileSync(sandbox.journal));
    assert.ok(sound);
    const kinds = lines.flatMap(({ records }) => records.map(({ kind }) => kind));
    for (const kind of ['workspace.created', 'work.registered'])
      assert.equal(kinds.filter((found) => found === kind).length, 1, kind);
  }).timeout(60_000);

  it(`${String(racers)} ask the same for one agent: there is one question`, async () => {
    const sandbox = makeSandbox();
    const outcomes = await race(
      sandbox,
      Array.from({ length: racers }, (_, index) => ({
        does: 'raise',
        agent: 'copilot-001',
        text: index % 2 === 0 ? 'Which way?' : 'which  WAY?',
      })),
    );
    assert.equal(outcomes.filter((outcome) => (outcome as { ok: boolean }).ok).length, racers - 1);
    assert.deepEqual([...(sandbox.open().standing().state?.questions.keys() ?? [])], ['Q-1']);
  }).timeout(60_000);

  it(`${String(racers)} ask different questions: every number is used once`, async () => {
    const sandbox = makeSandbox();
    await race(
      sandbox,
      Array.from({ length: racers }, (_, index) => ({
        does: 'raise',
        agent: `copilot-${String(index)}`,
        text: 'Which way?',
      })),
    );
    const { state } = sandbox.open().standing();
    assert.deepEqual(
      [...(state?.questions.keys() ?? [])],
      Array.from({ length: racers }, (_, index) => `Q-${String(index + 1)}`),
    );
    assert.equal(new Set([...(state?.questions.values() ?? [])].map(({ asker }) => asker.id)).size, racers);
  }).timeout(60_000);

  it(`${String(racers)} humans answer one question: the first wins, the others get its answer`, async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open({ clock: Date.now });
    const store = await workspace.store();
    await raiseQuestion(store, agent(), {
      text: 'Which way?',
      type: 'decision',
      urgency: 'low',
      mode: 'sync',
      work: null,
    });
    const jobs = Array.from({ length: racers }, (_, index): Job => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const spki = publicKey.export({ format: 'der', type: 'spki' });
      enrolKey(workspace, spki, 'Ada');
      const key = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
      return { does: 'answer', id: 'Q-1', text: `Answer ${String(index)}`, key, keyid: keyId(spki) };
    });
    const outcomes = (await race(sandbox, jobs)) as { ok?: { outcome: string; answer: string } }[];
    assert.deepEqual(outcomes.map(({ ok }) => ok?.outcome).sort(), [
      ...Array.from({ length: racers - 1 }, () => 'already'),
      'decided',
    ]);
    const winner = outcomes.find(({ ok }) => ok?.outcome === 'decided')?.ok?.answer;
    assert.deepEqual(new Set(outcomes.map(({ ok }) => ok?.answer)), new Set([winner]));
    assert.equal(store.read().state.questions.get('Q-1')?.resolution?.answer?.text, winner);
    assert.deepEqual(store.read().state.refusals, [], 'who lost left no forgery behind');
  }).timeout(60_000);

  it('notice each other’s changes', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    await workspace.store();
    const noticed = new Promise<void>((resolve) => {
      workspace.onChange(() => {
        if (workspace.standing().state?.work.has('T1')) resolve();
      });
    });
    await race(sandbox, [{ does: 'register', id: 'T1' }]);
    await noticed;
  });
});
