import assert from 'node:assert/strict';
import fs from 'node:fs';
import { randomUUID } from 'node:crypto';
import {
  auditBytes,
  faultsOf,
  filterEntries,
  type Audit,
  bundleOf,
  checkBundle,
  formatBundle,
} from '../../../src/app/audit/audit.ts';
import { journalBytes } from '../../../src/app/audit/savedState.ts';
import { sealedBundle } from '../../../src/app/audit/seal.ts';
import { rotate } from '../../../src/app/keys/acts.ts';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { formatPublicKey } from '../../../src/trust/publicKeys.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { agent, cancel, decide, enrolledHuman, makeHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { runCli } from '../../support/store/runCli.ts';

const question = { type: 'clarification', urgency: 'medium', mode: 'sync' } as const;

interface Setting {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly human: Human;
}

/** Two questions on two tasks, both decided; then an agent registers a third. */
async function used(): Promise<Setting> {
  const { sandbox, workspace, human, store } = await withHuman();
  for (const id of ['T1', 'T2']) await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
  await raiseQuestion(store, agent(), { ...question, text: 'Which way?', work: 'T1' });
  await raiseQuestion(store, agent('claude-002'), { ...question, text: 'And then?', work: 'T2' });
  await decide(workspace, human, 'Q-1');
  sandbox.clock.now += 60_000;
  await decide(workspace, human, 'Q-2', cancel);
  await registerWork(store, agent(), { id: 'T3', workKind: 'task', title: 'Title of T3' });
  return { sandbox, workspace, human };
}

function auditOf(workspace: Workspace): Audit {
  return auditBytes(journalBytes(workspace), workspace.pins());
}

const forged = { kind: 'question.answered', v: 1, id: 'Q-2', answer: { text: 'Yes.', choices: [] } };

const holdpoint = ({ sandbox }: Setting, ...argv: string[]) => runCli(sandbox, argv);

describe('the audit', () => {
  afterEach(removeSandboxes);

  it('lists who decided what and when, with valid signatures', async () => {
    const { workspace, human } = await used();
    const audit = auditOf(workspace);
    const rows = filterEntries(audit.entries, {}).map(({ mark, kind, subject, who, said, work, keyid }) => [
      ...[mark, kind, subject, who, said],
      ...[work, keyid],
    ]);
    assert.deepEqual(rows, [
      ['verified', 'question.answered', 'Q-1', 'Ada', 'Yes, go on.', ['T1'], human.keyid],
      ['verified', 'question.cancelled', 'Q-2', 'Ada', 'Not wanted any more.', ['T2'], human.keyid],
    ]);
    const summary = audit.summary(faultsOf(workspace, audit.walk));
    assert.deepEqual(summary.faults, []);
    assert.deepEqual(summary.signers, [{ keyid: human.keyid, name: 'Ada', decisions: 2 }]);
  });

  it('can be filtered by hold, item, time and name', async () => {
    const { workspace } = await used();
    const { entries } = auditOf(workspace);
    const kinds = (filter: Parameters<typeof filterEntries>[1]) =>
      filterEntries(entries, filter).map(({ kind }) => kind);
    assert.deepEqual(kinds({ hold: 'Q-1', all: true }), ['question.raised', 'question.answered']);
    assert.deepEqual(kinds({ work: 'T2', all: true }), ['work.registered', 'question.raised', 'question.cancelled']);
    assert.deepEqual(kinds({ since: '2026-03-02T09:01' }), ['question.cancelled']);
    assert.deepEqual(kinds({ who: 'claude', all: true }), ['agent.registered', 'question.raised']);
    assert.deepEqual(kinds({ who: 'aDa', hold: 'Q-2' }), ['question.cancelled']);
  });

  it('reports a forged decision, and why it is invalid', async () => {
    const setting = await used();
    writeByHand(setting.sandbox.journal, [forged]);
    const audit = auditOf(setting.workspace);
    const attempt = audit.entries.at(-1);
    assert.deepEqual([attempt?.mark, attempt?.subject, attempt?.actor], ['forged', 'Q-2', 'copilot-001']);
    assert.match(audit.summary().faults.join(), /1 decision is not verified/);
    const { code, out, err } = await holdpoint(setting, 'audit');
    assert.equal(code, 2);
    assert.match(out, /forged +copilot-001 +question\.answered +Q-2/);
    assert.match(err, /has no valid signature/);
  });

  it('finds a broken chain, and a journal that is shorter than last seen on this machine', async () => {
    for (const harm of ['flip', 'cut'] as const) {
      const setting = await used();
      const { sandbox, workspace } = setting;
      workspace.close();
      const bytes = fs.readFileSync(sandbox.journal);
      if (harm === 'flip') bytes.write('X', bytes.indexOf('Which way?'));
      fs.writeFileSync(sandbox.journal, harm === 'cut' ? bytes.subarray(0, bytes.lastIndexOf('\n', -2)) : bytes);
      const { code, err } = await holdpoint(setting, 'audit', '--verify');
      assert.equal(code, 2);
      assert.match(err, harm === 'cut' ? /shorter than last seen on this machine/ : /The chain breaks: .* its hash/);
    }
  });

  it('of a sound store exits 0; so does a missing store', async () => {
    const setting = await used();
    const { code, out } = await holdpoint(setting, 'audit', '--json', '--hold', 'Q-1');
    assert.equal(code, 0);
    const { entries, decisions, faults } = JSON.parse(out) as { entries: unknown[]; decisions: number; faults: [] };
    assert.deepEqual([entries.length, decisions, faults], [2, 2, []]);
    assert.match((await holdpoint(setting, 'audit', '--verify')).out, /Everything verifies\.$/);
    const fresh = { ...setting, sandbox: makeSandbox() };
    const nothing = await holdpoint(fresh, 'audit');
    assert.deepEqual([nothing.code, nothing.out], [0, 'Nothing has been recorded here yet.']);
  });

  it('says that an act is not signed where only its line names a human', async () => {
    const setting = await used();
    const { sandbox } = setting;
    const done = { kind: 'work.registered', v: 1, id: 'T4', workKind: 'task', title: 'Mine' };
    writeByHand(sandbox.journal, [done, forged], { actor: { kind: 'human', id: 'Ada' } });
    writeByHand(sandbox.journal, [{ ...done, id: 'T5' }], { actor: { kind: 'agent', id: 'ada' } });
    const { out } = await holdpoint(setting, 'audit', '--all');
    assert.match(out, /unsigned +ada \(not signed\) +work\.registered +T5/);
    assert.match(out, /unsigned +Ada \(not signed\) +work\.registered +T4/);
    assert.match(out, /forged +Ada \(not signed\) +question\.answered +Q-2/);
    assert.match(out, /verified +Ada +question\.answered +Q-1/);
    assert.doesNotMatch(out, /copilot-001 \(not signed\)/);
  });

  it('says whose key it is where a signature names somebody else', async () => {
    const setting = await used();
    const { workspace } = setting;
    const grace = enrolledHuman(workspace, 'Grace');
    await raiseQuestion(await workspace.store(), agent(), { ...question, text: 'And now?', work: null });
    await decide(workspace, { ...grace, name: 'Ada' }, 'Q-3');
    const { out } = await holdpoint(setting, 'audit');
    assert.match(out, /verified +Ada +question\.answered +Q-1/);
    assert.match(out, /verified +Ada \(key of Grace\) +question\.answered +Q-3/);
  });

  it('prints each act on one line, so that no text can look like another act', async () => {
    const setting = await used();
    const fake = `2026-03-02T10:00:00.000Z  verified  Ada  question.answered  Q-9`;
    writeByHand(setting.sandbox.journal, [{ ...forged, id: `Q-2\n${fake}` }]);
    const store = await setting.workspace.store();
    await raiseQuestion(store, agent(), { ...question, text: `Why?${' '.repeat(60)}${fake}`, work: null });
    const { out } = await holdpoint(setting, 'audit', '--all');
    assert.equal(out.split('\n').filter((line) => line.startsWith('2026-03-02T10:00:00.000Z  verified')).length, 0);
    assert.match(out, /Why\? 2026-03-02T10:00:00\.000Z verified Ada question\.answered Q-9/);
  });

  it('refuses a time that it cannot read, and understands time zones', async () => {
    const setting = await used();
    for (const since of ['yesterday', '2026-3-2', '2026-03-02 09:00']) {
      const { code, err } = await holdpoint(setting, 'audit', '--since', since);
      assert.deepEqual([code, err.includes('--since')], [1, true], since);
    }
    const { code, out } = await holdpoint(setting, 'audit', '--since', '2026-03-02T11:01:00+02:00', '--json');
    const { entries } = JSON.parse(out) as { entries: { subject: string }[] };
    assert.deepEqual([code, entries.map(({ subject }) => subject)], [0, ['Q-2']]);
  });

  it('escapes terminal sequences in a forged record', async () => {
    const setting = await used();
    writeByHand(setting.sandbox.journal, [{ ...forged, id: 'Q-2\u001b[2J\u202e' }]);
    const { out } = await holdpoint(setting, 'audit');
    assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f\u202e]/u);
  });

  describe('exported', () => {
    const keyFile = (setting: Setting, ...humans: Human[]) => {
      const file = setting.sandbox.at('keys.txt');
      fs.writeFileSync(file, humans.map(({ pin }) => formatPublicKey(pin)).join('\n'));
      return file;
    };

    it('is verified without the store, with keys from elsewhere', async () => {
      const setting = await used();
      const file = setting.sandbox.at('audit.holdpoint');
      const exported = await holdpoint(setting, 'audit', '--export', file);
      assert.equal(exported.code, 0, exported.err);
      const elsewhere = { ...setting, sandbox: makeSandbox() };
      const check = (...humans: Human[]) =>
        holdpoint(elsewhere, 'audit', '--verify', file, '--key', keyFile(elsewhere, ...humans));
      const good = await check(setting.human);
      assert.deepEqual([good.code, good.err], [0, '']);
      assert.match(good.out, /2 decisions verified[^]*Everything verifies\.[^]*Not sealed/);
      const stranger = await check(makeHuman());
      assert.equal(stranger.code, 2);
      assert.match(stranger.err, /2 decisions are not verified/);
      assert.equal((await holdpoint(elsewhere, 'audit', '--verify', file)).code, 1, 'no key: keys in it prove nothing');
      assert.equal((await holdpoint(setting, 'audit', '--export', file)).code, 2, 'nothing is overwritten');
    });

    it('with a seal, reveals any truncation, edit or replacement', async () => {
      const { workspace, human } = await used();
      const bytes = journalBytes(workspace);
      const audit = auditOf(workspace);
      const options = { signer: human, newId: randomUUID, now: workspace.now(), pins: workspace.pins() };
      const bundle = sealedBundle(audit, bytes, { ...options, shown: hashOf(audit.summary()) });
      const good = checkBundle(bundle, [human.pin]);
      assert.deepEqual(good.summary.faults, []);
      assert.deepEqual(good.seal, { by: 'Ada', at: workspace.now(), keyid: human.keyid });

      const { header } = good;
      const cut = bytes.subarray(0, bytes.lastIndexOf('\n', -2));
      const shorter = auditBytes(cut, [human.pin]);
      const plain = bundleOf(shorter, cut, { exportedAt: workspace.now(), pins: [] });
      const faults = (file: Buffer) => checkBundle(file, [human.pin]).summary.faults.join(' ');
      assert.equal(faults(formatBundle({ ...plain, seal: null }, cut)), '', 'without a seal the tail is not missed');
      assert.match(faults(formatBundle({ ...plain, seal: header.seal }, cut)), /signature is for something else/);
      assert.match(faults(formatBundle(header, cut)), /not the exported one/);
      assert.match(
        faults(formatBundle({ ...header, exportedAt: '2026-01-01T00:00:00.000Z' }, bytes)),
        /something else/,
      );
      assert.match(faults(formatBundle({ ...header, workspace: randomUUID() }, bytes)), /a different workspace/);
      const stranger = makeHuman();
      const foreign = sealedBundle(audit, bytes, { ...options, signer: stranger, shown: hashOf(0) });
      assert.match(faults(foreign), /signed by a key that no human enrolled/);
      assert.throws(() => checkBundle(bytes, [human.pin]), /not an audit exported by Holdpoint/);
    });

    it('notices any other way to write its first line', async () => {
      const { workspace, human } = await used();
      const bytes = journalBytes(workspace);
      const audit = auditOf(workspace);
      const options = { signer: human, newId: randomUUID, now: workspace.now(), pins: workspace.pins() };
      const bundle = sealedBundle(audit, bytes, { ...options, shown: hashOf(audit.summary()) });
      const changed = (from: string, to: string) => {
        const text = bundle.toString('latin1');
        assert.ok(text.includes(from), from);
        return checkBundle(Buffer.from(text.replace(from, to), 'latin1'), [human.pin]);
      };
      const time = `"exportedAt":"${workspace.now()}"`;
      const sig = /"sig":"[^"]*"/.exec(bundle.toString('latin1'))?.[0] ?? '';
      // 64 bytes are 86 digits, the last of which has four bits to spare.
      const spare = sig.replace(/.(?===")/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
      for (const [from, to] of [
        ['{"holdpoint"', '{ "holdpoint"'],
        [time, `"exportedAt":"2020-01-01T00:00:00.000Z",${time}`],
        ['"name":"Ada"', '"name":"\\u0041da"'],
        [sig, spare],
      ] as const)
        assert.match(changed(from, to).summary.faults.join(), /first line is not written as Holdpoint/, to);
      assert.throws(() => changed('"name":"Ada"', '"name":"Ada","role":"CEO"'), /not an audit exported by Holdpoint/);
    });

    it('has no seal by a key that was given up in it', async () => {
      const { workspace, human } = await used();
      const next = makeHuman('Ada');
      const scope = { workspaces: [workspace] as [Workspace], shown: '0'.repeat(64) };
      await rotate(scope, human, enrolKey(workspace, next.publicKey, 'Ada'));
      const bytes = journalBytes(workspace);
      const audit = auditOf(workspace);
      const sealedBy = (signer: Human) => {
        const options = { newId: randomUUID, now: workspace.now(), pins: [], shown: hashOf(0) };
        const bundle = sealedBundle(audit, bytes, { ...options, signer });
        return checkBundle(bundle, [human.pin, next.pin]).summary.faults;
      };
      assert.deepEqual(sealedBy(next), []);
      assert.match(sealedBy(human).join(), /signed by a key that was removed/);
    });

    it('is refused for a broken chain', async () => {
      const setting = await used();
      setting.workspace.close();
      const bytes = fs.readFileSync(setting.sandbox.journal);
      bytes.write('X', bytes.indexOf('Which way?'));
      fs.writeFileSync(setting.sandbox.journal, bytes);
      const file = setting.sandbox.at('audit.holdpoint');
      const { code, err } = await holdpoint(setting, 'audit', '--export', file);
      assert.deepEqual([code, fs.existsSync(file)], [2, false]);
      assert.match(err, /cannot be exported/);
    });
  });
});
