import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import {
  attestAll,
  readAttestation,
  readAttestations,
  writeAttestations,
  type Accepted,
} from '../../../src/app/audit/attestations.ts';
import { attestedGate, type AttestedCommit } from '../../../src/app/audit/attestedGate.ts';
import { attestedEffect } from '../../../src/core/decision/question.ts';
import { decideRfc, shownRfcHash, type RfcVerdict } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { formatPublicKey, formatWorkspace } from '../../../src/trust/publicKeys.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { agent, signedBy, cancel, decide, type Human, makeHuman } from '../../support/store/people.ts';
import { realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { runCli } from '../../support/store/runCli.ts';

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

/** What CI accepts: decisions of these people in this workspace. */
function acceptedIn({ workspace }: Setting, ...humans: Human[]): Accepted {
  return { trust: trustIn(...humans), workspaces: [idOf(workspace)] };
}

function idOf(workspace: Workspace): string {
  return workspace.standing().state?.workspace?.id ?? assert.fail('the workspace has no id');
}

const anywhere = { required: [], inside: (file: string) => file };

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
    const { attestations, bad } = readAttestations(realFs, setting.folder, acceptedIn(setting, setting.human));
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

    it('with an unknown key', async () => {
      const setting = await decided();
      const { attestations, bad } = readAttestations(realFs, setting.folder, acceptedIn(setting, makeHuman()));
      assert.deepEqual([attestations.length, bad.length], [0, 3]);
    });

    it('as a link', async () => {
      const setting = await decided();
      fs.symlinkSync(fileOf(setting, 'Q-1').name, `${setting.folder}/Q-9-${'0'.repeat(32)}.json`);
      const { bad } = readAttestations(realFs, setting.folder, acceptedIn(setting, setting.human));
      assert.deepEqual(
        bad.map(({ why }) => why),
        ['is not a plain file'],
      );
    });
  });

  describe('accept commits', () => {
    let setting: Setting;
    const read = () => readAttestations(realFs, setting.folder, acceptedIn(setting, setting.human));
    function check(
      name: string,
      commit: Partial<AttestedCommit>,
      expected: RegExp | null,
      required: string[] = [],
    ): void {
      it(name, async () => {
        setting = await decided();
        const { attestations, bad } = read();
        const commits = [{ name: 'c0ffee', files: ['src/auth/login.ts'], names: [], ...commit }];
        const { allowed, reasons } = attestedGate(commits, { attestations, bad }, { ...anywhere, required });
        assert.equal(allowed, expected === null, reasons.join());
        if (expected) assert.match(reasons.join('\n'), expected);
      });
    }
    check('that name nothing and touch nothing guarded', {}, null);
    check('that name what was decided', { names: ['Q-1'] }, null);
    check('but not those that name a dismissed question', { names: ['Q-2'] }, /names Q-2, which a human dismissed/);
    check('but not those that name an open question', { names: ['Q-4'] }, /names Q-4, which has no attested decision/);
    check('but not those that name a refusal', { names: ['Q-3'] }, /names Q-3, which a human refused/);
    check('but not those that touch guarded files and name nothing', {}, /must name the decision/, ['src/auth/**']);
    check('that touch guarded files and name a decision about them', { names: ['Q-1'] }, null, ['src/auth/**']);
    check(
      'but not those that touch guarded files and name a decision about others',
      { files: ['src/auth/login.ts', 'src/pay/send.ts'], names: ['Q-1'] },
      /c0ffee changes src\/pay\/send\.ts, which Q-1 is not about: name a decision whose scopes contain it/,
      ['src/**'],
    );

    it('but not with a file that only claims to be an attestation', async () => {
      setting = await decided();
      fs.writeFileSync(
        `${setting.folder}/Q-4-${'0'.repeat(32)}.json`,
        fileOf(setting, 'Q-1').text.replaceAll('Q-1', 'Q-4'),
      );
      const { attestations, bad } = read();
      const { allowed, reasons } = attestedGate([], { attestations, bad }, anywhere);
      assert.equal(allowed, false);
      assert.match(reasons.join(), /Q-4-0+\.json differs from what was signed/);
    });

    it('by the latest decision on an RFC', async () => {
      setting = await decided();
      const { workspace, human } = setting;
      const store = await workspace.store();
      const nothing = { workflows: [], tasks: [], holds: ['src/outbox/**'], contexts: [] };
      await proposeRfc(store, agent(), { title: 'Outbox', ...nothing, submit: true });
      const rule = async (verdict: RfcVerdict) => {
        const { state } = store.read();
        await decideRfc(signedBy(store, human), 'RFC-1', verdict, shownRfcHash(state, state.rfcs.get('RFC-1')!));
        writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
        const { attestations, bad } = read();
        assert.deepEqual(bad, []);
        return attestedGate([{ name: 'c0ffee', files: [], names: ['RFC-1'] }], { attestations, bad }, anywhere);
      };
      assert.match((await rule({ kind: 'request_changes', reason: 'Say more.' })).reasons.join(), /a human sent back/);
      await updateRfc(store, agent(), 'RFC-1', { submit: true });
      const { allowed, decisions } = await rule({ kind: 'approve', conditions: [], constraints: [] });
      assert.deepEqual([allowed, decisions[0]?.action, decisions[0]?.by], [true, 'rfc.approved', 'Ada']);
      // Rejecting an amendment leaves the approved revision in force.
      await updateRfc(store, agent(), 'RFC-1', { document: { title: 'Outbox again' }, submit: true });
      assert.equal((await rule({ kind: 'reject', reason: 'Too much.', then: 'another_way' })).allowed, true);
    });

    it('that name an answer in words that say no, if its effect is stated', async () => {
      setting = await decided();
      const { workspace, human } = setting;
      const store = await workspace.store();
      await raiseQuestion(store, agent(), { ...question, text: 'Keep the old one?', work: 'T1' });
      await decide(workspace, human, 'Q-5', { kind: 'answer', answer: { text: 'No, drop it.', choices: [] } });
      writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
      const named = attestedGate([{ name: 'c0ffee', files: [], names: ['Q-5'] }], read(), anywhere);
      assert.equal(named.allowed, true, named.reasons.join());
      const words = { text: 'No, drop it.', choices: [] };
      assert.equal(attestedEffect(words, 'clarification'), 'do_not', 'as older programs wrote it');
      assert.equal(attestedEffect({ ...words, text: 'Yes.' }, 'clarification'), 'proceed');
      assert.equal(attestedEffect({ ...words, text: 'Yes.' }, null), 'do_not');
    });

    it('but not by a decision of another workspace', async () => {
      setting = await decided();
      const elsewhere = await decided();
      const accepted = {
        ...acceptedIn(setting, setting.human, elsewhere.human),
        workspaces: [idOf(elsewhere.workspace)],
      };
      const { attestations, bad } = readAttestations(realFs, setting.folder, accepted);
      assert.deepEqual([attestations.length, bad.length], [0, 3]);
      assert.match(bad[0]?.why ?? '', /is a decision of the workspace .*, which the file of keys does not name/);
    });

    for (const then of ['stop', 'another_way'] as const)
      it(`but not those that name a rejected RFC: ${then}`, async () => {
        setting = await decided();
        const { workspace, human } = setting;
        const store = await workspace.store();
        const nothing = { workflows: [], tasks: [], holds: ['src/outbox/**'], contexts: [] };
        await proposeRfc(store, agent(), { title: 'Outbox', ...nothing, submit: true });
        const { state } = store.read();
        const shown = shownRfcHash(state, state.rfcs.get('RFC-1')!);
        await decideRfc(signedBy(store, human), 'RFC-1', { kind: 'reject', reason: 'Not this.', then }, shown);
        writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
        const { attestations, bad } = read();
        const { allowed, reasons } = attestedGate(
          [{ name: 'c0ffee', files: [], names: ['RFC-1'] }],
          { attestations, bad },
          anywhere,
        );
        assert.deepEqual([allowed, reasons], [false, ['c0ffee names RFC-1, which a human rejected.']]);
      });
  });
});

describe('holdpoint gate --attestations', () => {
  afterEach(removeSandboxes);

  function git(cwd: string, ...args: string[]): void {
    const as = ['-c', 'user.name=Bo', '-c', 'user.email=bo@example.org', '-c', 'commit.gpgSign=false'];
    execFileSync('git', ['-C', cwd, ...as, ...args], {
      stdio: 'pipe',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
  }

  async function ask(folder: string, home: string, ...argv: string[]) {
    const { code, said } = await runCli({ folder, home }, ['gate', ...argv], { env: { PATH: process.env['PATH'] } });
    return { code, said: said.join('\n') };
  }

  it('judges commits of a clone that has no store, by keys from elsewhere', async () => {
    const setting = await decided();
    const { sandbox, folder, human } = setting;
    const { home, folder: origin } = sandbox;
    git(origin, 'init', '-q', '-b', 'main');
    fs.writeFileSync(`${origin}/a.js`, '1\n');
    git(origin, 'add', '.');
    git(origin, 'commit', '-qm', 'Begin');
    const tracked = execFileSync('git', ['-C', origin, 'ls-files'], { encoding: 'utf8' });
    assert.equal(tracked.match(/\.holdpoint\//g)?.length, 3, `only decisions are committed: ${tracked}`);
    const clone = sandbox.at('clone');
    git(sandbox.base, 'clone', '-q', origin, clone);
    const keys = sandbox.at('keys.txt');
    const ours = formatWorkspace(idOf(setting.workspace));
    fs.writeFileSync(keys, `${ours}\n${formatPublicKey(human.pin)}`);
    const commit = (message: string, file = 'a.js') => {
      fs.appendFileSync(`${clone}/${file}`, '2\n');
      git(clone, 'add', '.');
      git(clone, 'commit', '-qm', message);
    };
    const given = ['--attestations', '.holdpoint/decisions', '--keys', keys];
    const gate = (...more: string[]) => ask(clone, sandbox.at('nobody'), '--commit', 'HEAD~1..HEAD', ...given, ...more);

    fs.mkdirSync(`${clone}/src/auth`, { recursive: true });
    commit('Tokens as decided in Q-1', 'src/auth/a.js');
    const allowed = await gate('--require', 'src/auth/**');
    assert.deepEqual([allowed.code, allowed.said.includes('Q-1: question.answered by Ada')], [0, true], allowed.said);
    commit('Tokens as asked in Q-4');
    assert.match((await gate()).said, /names Q-4, which has no attested decision/);
    commit('Something');
    assert.deepEqual([(await gate()).code, (await gate('--require', 'a.js')).code], [0, 2]);
    const stranger = sandbox.at('stranger.txt');
    fs.writeFileSync(stranger, `${ours}\n${formatPublicKey(makeHuman().pin)}`);
    const wrong = await ask(clone, home, '--commit', 'HEAD', ...given.slice(0, 3), stranger);
    assert.deepEqual([wrong.code, wrong.said.includes('no human enrolled')], [2, true]);
    const unpinned = sandbox.at('unpinned.txt');
    fs.writeFileSync(unpinned, formatPublicKey(human.pin));
    const anywhereElse = await ask(clone, home, '--commit', 'HEAD', ...given.slice(0, 3), unpinned);
    assert.deepEqual([anywhereElse.code, anywhereElse.said.includes('has no workspace line')], [2, true]);
    const keyless = await ask(clone, home, '--commit', 'HEAD', ...given.slice(0, 2));
    assert.equal(keyless.code, 2, 'keys are never taken from the repository');
    git(clone, 'replace', 'HEAD', 'HEAD~2');
    assert.equal((await gate('--require', 'a.js')).code, 2, 'a replaced commit is read as it is');
    git(clone, 'replace', '-d', 'HEAD');
    fs.renameSync(`${clone}/.holdpoint/decisions`, sandbox.at('moved'));
    fs.symlinkSync(sandbox.at('moved'), `${clone}/.holdpoint/decisions`);
    assert.match((await gate()).said, /leads through a link/);
    fs.rmSync(`${clone}/.holdpoint/decisions`);
    fs.renameSync(sandbox.at('moved'), `${clone}/.holdpoint/decisions`);
    git(clone, 'rm', '-q', `.holdpoint/decisions/${fileOf(setting, 'Q-3').name}`);
    commit('Tidy up');
    assert.match((await gate()).said, /was a decision and has been deleted/);
    assert.equal(fs.readdirSync(folder).length, 3);
  });
});
