import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { attestAll, readAttestation, writeAttestations } from '../../../src/app/audit/attestations.ts';
import { attestedEffect } from '../../../src/core/decision/question.ts';
import { decideRfc, shownRfcHash, type RfcVerdict } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { agent, signedBy, cancel, decide, type Human } from '../../support/store/people.ts';
import { removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { attestedBy, checkedInCi } from '../../support/store/repository.ts';
import { withHuman } from '../../support/store/withHuman.ts';

interface Setting {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly human: Human;
  readonly folder: string;
}

const question = { type: 'clarification', urgency: 'medium', mode: 'sync' } as const;

/** Q-1 answered, Q-2 cancelled, Q-3 (an approval) answered with No, Q-4 open; all written. */
async function decided(): Promise<Setting> {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'API tokens' });
  await raiseQuestion(store, agent(), { ...question, text: 'Which way?', work: 'T1', holds: ['src/auth/**'] });
  await raiseQuestion(store, agent(), { ...question, text: 'And then?', work: 'T1' });
  await raiseQuestion(store, agent(), { ...question, type: 'approval', text: 'Drop the table?', work: 'T1' });
  await raiseQuestion(store, agent(), { ...question, text: 'Still open?', work: 'T1' });
  await decide(workspace, human, 'Q-1');
  await decide(workspace, human, 'Q-2', cancel);
  await decide(workspace, human, 'Q-3', { kind: 'answer', answer: { choices: ['No'], text: 'Never.' } });
  writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
  return { sandbox, workspace, human, folder: sandbox.at('ws', '.holdpoint', 'decisions') };
}

const trustIn = (...humans: Human[]) => createTrust(() => humans.map(({ pin }) => pin));

function fileOf({ folder }: Setting, id: string): { name: string; text: string } {
  const name = fs.readdirSync(folder).find((one) => one.startsWith(`${id}-`)) ?? '';
  return { name, text: fs.readFileSync(`${folder}/${name}`, 'utf8') };
}

describe('attestations', () => {
  afterEach(removeSandboxes);

  it('are one file per decision, written once and named after their content', async () => {
    const setting = await decided();
    const { workspace, folder } = setting;
    assert.deepEqual(
      fs.readdirSync(folder).map((name) => name.replace(/-[0-9a-f]{32}\.json$/, '')),
      ['Q-1', 'Q-2', 'Q-3'],
    );
    const again = writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
    assert.deepEqual(again, { total: 3, written: [] });
    const ignore = fs.readFileSync(`${folder}/../.gitignore`, 'utf8');
    assert.match(ignore, /\n\*\n!\/decisions\/\n!\/decisions\/\*\.json\n$/);
  });

  it('verify by themselves, with what the human was shown', async () => {
    const setting = await decided();
    const { attestations, bad } = attestedBy(setting.workspace);
    assert.deepEqual(bad, []);
    const [first] = attestations;
    assert.deepEqual([first?.decision.by, first?.decision.subject, first?.keyid], ['Ada', 'Q-1', setting.human.keyid]);
    assert.deepEqual([first?.shown?.['text'], first?.shown?.['scopes']], ['Which way?', ['src/auth/**']]);
  });

  describe('do not verify', () => {
    function check(
      name: string,
      edit: (file: { name: string; text: string }) => { name: string; text: string },
      why: RegExp,
    ): void {
      it(name, async () => {
        const setting = await decided();
        const file = edit(fileOf(setting, 'Q-1'));
        const read = readAttestation(file.name, file.text, trustIn(setting.human));
        assert.match('why' in read ? read.why : 'verified', why);
      });
    }
    const swapped = (from: string, to: string) => (file: { name: string; text: string }) => ({
      ...file,
      text: file.text.replace(from, to),
    });
    check('with another answer', swapped('Yes, go on.', 'Yes, go on!'), /differs from what was signed/);
    check('with another question', swapped('Which way?', 'Whatever?'), /differs from what the human saw/);
    check('with another name of the human', swapped('"by": "Ada"', '"by": "Eve"'), /differs from what was signed/);
    check('with wider scopes', swapped('src/auth/**', 'src/**'), /differs from what the human saw/);
    check(
      'for another question',
      (file) => ({ ...file, text: file.text.replaceAll('Q-1', 'Q-4') }),
      /differs from|given for something else/,
    );
    check('without the signature', swapped('"sig": "', '"sig": "AAAA'), /has no valid signature/);
    check('under another name', (file) => ({ ...file, name: 'Q-1-0.json' }), /does not match its content/);
    check('with white space added', (file) => ({ ...file, text: `${file.text}\n` }), /does not match its content/);
    check(
      'without what was shown',
      (file) => ({ ...file, text: file.text.replace(/"shown": \{[^]*\},\n {2}"v"/, '"shown": null,\n  "v"') }),
      /human saw/,
    );
    check('with other contents', (file) => ({ ...file, text: '{}' }), /is not an attestation/);
    check('with invalid JSON', (file) => ({ ...file, text: 'yes' }), /is not JSON/);
  });

  describe('accept commits', () => {
    let setting: Setting;
    beforeEach(async () => {
      setting = await decided();
    });
    const judge = (commit: Parameters<typeof checkedInCi>[1]) => checkedInCi(attestedBy(setting.workspace), commit);

    const guarded = { files: ['src/auth/login.ts'], required: ['src/auth/**'] };
    const both = { files: ['src/auth/login.ts', 'src/pay/send.ts'], required: ['src/**'], names: ['Q-1'] };
    for (const [what, commit, missing] of [
      ['that name nothing and touch nothing guarded', { files: ['src/pay/send.ts'] }, null],
      ['that touch guarded files and name a decision about them', { ...guarded, names: ['Q-1'] }, null],
      ['but not those that touch guarded files and name nothing', guarded, 'src/auth/login.ts'],
      ['but not those that name a decision about other files', both, 'src/pay/send.ts'],
    ] as const)
      it(what, () => {
        const { result, problems } = judge(commit);
        assert.deepEqual(
          [result, problems.map(({ files }) => files.join())],
          missing === null ? ['proceed', []] : ['denied', [missing]],
        );
      });

    it('by the latest decision on an RFC', async () => {
      const { workspace, human } = setting;
      const store = await workspace.store();
      const nothing = { workflows: [], tasks: [], holds: ['src/outbox/**'], contexts: [] };
      await proposeRfc(store, agent(), { title: 'Outbox', ...nothing, submit: true });
      const rule = async (verdict: RfcVerdict, id = 'RFC-1') => {
        const { state } = store.read();
        await decideRfc(signedBy(store, human), id, verdict, shownRfcHash(state, state.rfcs.get(id)!));
        writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
        const { items, problems } = judge({ names: [id] });
        return [items[0]?.outcome, items[0]?.decision?.action, problems.length];
      };
      assert.deepEqual(await rule({ kind: 'request_changes', reason: 'Say more.' }), [
        ...['undecided', 'rfc.changesRequested', 1],
      ]);
      await updateRfc(store, agent(), 'RFC-1', { submit: true });
      const approved = ['allowed', 'rfc.approved', 0];
      assert.deepEqual(await rule({ kind: 'approve', conditions: [], constraints: [] }), approved);
      // Rejecting an amendment leaves the approved revision in force.
      await updateRfc(store, agent(), 'RFC-1', { document: { title: 'Outbox again' }, submit: true });
      assert.deepEqual(await rule({ kind: 'reject', reason: 'Too much.', then: 'another_way' }), approved);
      for (const [id, then] of [
        ['RFC-2', 'stop'],
        ['RFC-3', 'another_way'],
      ] as const) {
        await proposeRfc(store, agent(), { title: then, ...nothing, submit: true });
        assert.deepEqual(await rule({ kind: 'reject', reason: 'No.', then }, id), ['refused', 'rfc.rejected', 1]);
      }
    });

    it('by the effect of an answer, whatever its words', () => {
      const words = { text: 'No, drop it.', choices: [] };
      assert.equal(attestedEffect(words, 'clarification'), 'do_not', 'as older programs wrote it');
      assert.equal(attestedEffect({ ...words, effect: 'proceed' }, 'clarification'), 'proceed');
      assert.equal(attestedEffect({ ...words, text: 'Yes.' }, 'clarification'), 'proceed');
      assert.equal(attestedEffect({ ...words, text: 'Yes.' }, null), 'do_not');
    });

    it('but not by a decision of another workspace', () => {
      const { attestations, bad } = attestedBy(setting.workspace, { workspaces: [randomUUID()] });
      assert.deepEqual([attestations.length, bad.length], [0, 3]);
      assert.match(bad[0]?.why ?? '', /is a decision of the workspace .*, which the file of keys does not name/);
    });
  });
});
