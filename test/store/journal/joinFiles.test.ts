/** Journals that development versions kept in several files: they become one, whatever happens meanwhile. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { auditBytes } from '../../../src/app/audit/audit.ts';
import { journalBytes } from '../../../src/app/audit/savedState.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { diagnose } from '../../../src/app/recovery/recovery.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { stopsAt } from '../../support/store/faults.ts';
import { encode, journalByHand, readByHand, writeByHand, zeros } from '../../support/store/handwriting.ts';
import { work } from '../../support/store/lab.ts';
import { agent } from '../../support/store/people.ts';
import { inMemory, makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const seal = { kind: 'segment.sealed', v: 1 };
const items = Array.from({ length: 8 }, (_, number) => `T${String(number)}`);
const folderOf = ({ journal }: Sandbox) => path.dirname(journal);
const further = (sandbox: Sandbox) => fs.readdirSync(folderOf(sandbox)).filter((name) => /-\d+\.jsonl$/.test(name));

/** T0 is held, T7 is free; a seal follows every other line, and behind it is what readers passed over. */
async function rotated(): Promise<Sandbox> {
  const sandbox = makeSandbox(inMemory);
  const workspace = sandbox.open();
  const store = await workspace.store();
  for (const id of items) await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
  const asked = { type: 'clarification', urgency: 'medium', mode: 'sync', text: 'May I?', work: 'T0' } as const;
  await raiseQuestion(store, agent(), asked);
  workspace.close();
  const { lines } = readByHand(journalByHand(sandbox.journal));
  fs.rmSync(sandbox.userFolder, { recursive: true });
  let [at, prev, base, number] = [0, zeros, 0, 1];
  let parts: Buffer[] = [];
  const add = (line: object) => {
    const bytes = encode({ ...line, at, prev });
    parts.push(bytes);
    prev = readByHand(bytes, at, prev).head;
    at += bytes.length;
  };
  const write = () => {
    const name = number === 1 ? '00000001' : `${String(number).padStart(8, '0')}-${String(base)}`;
    fs.writeFileSync(path.join(folderOf(sandbox), `${name}.jsonl`), Buffer.concat(parts), { mode: 0o600 });
  };
  for (const [index, { op, time, actor, records }] of lines.entries()) {
    add({ op, time, actor, records });
    if (index % 2 === 0 || index === lines.length - 1) continue;
    add({ op, time, actor: { kind: 'system', id: 'holdpoint' }, records: [seal] });
    parts.push(encode({ at: at - 500, prev, op, time, actor, records: [{ kind: 'lost', text: 'x'.repeat(2_000) }] }));
    write();
    [parts, base, number] = [[], --at, number + 1];
  }
  write();
  assert.ok(further(sandbox).length > 3);
  return sandbox;
}

function isWhole(sandbox: Sandbox): void {
  const workspace = sandbox.open();
  const { state, problem } = workspace.standing();
  assert.ok(state, problem?.message);
  assert.deepEqual([...state.work.keys()].slice(0, items.length), items);
  assert.equal(askGate(workspace, { work: 'T0' }).state, 'BLOCKED');
  assert.equal(askGate(workspace, { work: 'T7' }).state, 'CLEAR');
  assert.deepEqual(further(sandbox), []);
  const audit = auditBytes(journalBytes(workspace), workspace.pins());
  assert.deepEqual([audit.walk.fault, audit.walk.position], [null, workspace.position()?.position]);
}

describe('a journal of several files', () => {
  afterEach(removeSandboxes);

  it('becomes one with all that was in them, and goes on', async () => {
    const sandbox = await rotated();
    const before = fs.readdirSync(folderOf(sandbox)).map((name) => fs.readFileSync(path.join(folderOf(sandbox), name)));
    isWhole(sandbox);
    const kept = fs.readdirSync(folderOf(sandbox)).filter((name) => name.endsWith('.joined'));
    assert.equal(kept.length, before.length - 1, 'nothing is deleted');
    const store = await sandbox.open().store();
    await registerWork(store, agent(), { id: 'T8', workKind: 'task', title: 'Later' });
    isWhole(sandbox);
    assert.ok(readByHand(journalByHand(sandbox.journal)).sound);
  });

  it('whose last file is shorter than what lost a race behind the seal before it', async () => {
    const sandbox = await rotated();
    const [next = '', ...others] = further(sandbox).map((name) => path.join(folderOf(sandbox), name));
    fs.writeFileSync(next, '');
    for (const file of others) fs.rmSync(file);
    const { state } = sandbox.open().standing();
    assert.ok(state);
    assert.deepEqual(further(sandbox), []);
    const store = await sandbox.open().store();
    await registerWork(store, agent(), { id: 'T8', workKind: 'task', title: 'Later' });
    assert.ok(sandbox.open().standing().state?.work.has('T8'));
  });

  it('is the same after a crash or a failure at any moment, and while others do the same', async () => {
    for (let at = 1; ; at++) {
      const sandbox = await rotated();
      const stopping = stopsAt(at);
      const first = sandbox.open({ fs: stopping.fs });
      assert.equal(askGate(first, { work: 'T0' }).verdict, 'deny');
      first.close();
      isWhole(sandbox);
      sandbox.remove();
      if (stopping.calls() < at) break;
    }
    const sandbox = await rotated();
    // Between the moment that one has read and the moment that it writes, another joins them and appends.
    let isFirst = true;
    const late = ((...given: Parameters<typeof fs.writeSync>) => {
      if (isFirst) {
        isFirst = false;
        assert.ok(sandbox.open().standing().state);
        writeByHand(sandbox.journal, [work('T9')]);
      }
      return fs.writeSync(...given);
    }) as typeof fs.writeSync;
    sandbox.open({ fs: { ...realFs, writeSync: late } }).standing();
    assert.ok(!isFirst);
    isWhole(sandbox);
    assert.ok(sandbox.open().standing().state?.work.has('T9'));
  });

  it('is UNKNOWN with a damaged seal, which cannot be set aside', async () => {
    const sandbox = await rotated();
    const bytes = fs.readFileSync(sandbox.journal);
    bytes[bytes.indexOf(seal.kind)]! ^= 1;
    fs.writeFileSync(sandbox.journal, bytes);
    const workspace = sandbox.open();
    assert.equal(askGate(workspace, { work: 'T7' }).state, 'UNKNOWN');
    const { damage } = diagnose(workspace, null) ?? assert.fail();
    assert.match('why' in damage ? damage.why : '', /include the end of a journal file/);
  });

  it('is not what an agent adds beside a journal', async () => {
    const sandbox = await rotated();
    isWhole(sandbox);
    const file = (base: number) => path.join(folderOf(sandbox), `00000002-${String(base)}.jsonl`);
    const size = () => fs.statSync(sandbox.journal).size;
    writeByHand(sandbox.journal, [seal]);
    const sealed = size() - 1;
    writeByHand(sandbox.journal, [work('T10')]);
    const before = journalByHand(sandbox.journal);
    for (const base of [0, 1, 100, sealed, size() - 1, size(), size() + 1]) {
      fs.writeFileSync(file(base), encode({ at: base, prev: zeros, records: [] }));
      const { state } = sandbox.open().standing();
      assert.ok(state?.work.has('T10'), String(base));
      assert.deepEqual(journalByHand(sandbox.journal), before);
      fs.rmSync(file(base));
    }
  });
});
