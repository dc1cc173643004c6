import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { freshnessOf } from '../../../src/app/workspace/freshness.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { openConfirmed } from '../../../src/store/shared/confirmed.ts';
import { runs } from '../../support/runs.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, minute, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { appendingHere, confirmNow, markShared } from '../../support/store/sharing.ts';

const state = (workspace: Workspace) => freshnessOf(workspace).state;
const why = (workspace: Workspace) => {
  const found = freshnessOf(workspace);
  return found.state === 'unknown' ? found.why : found.state;
};

describe('the confirmation of a copy', () => {
  afterEach(removeSandboxes);

  async function shared(): Promise<{ box: Sandbox; workspace: Workspace }> {
    const box = makeSandbox();
    const workspace = await appendingHere(box.open());
    await raise(workspace, 'Which database?');
    markShared(workspace);
    return { box, workspace };
  }

  async function raise(workspace: Workspace, text: string): Promise<void> {
    await raiseQuestion(await workspace.store(), agent(), {
      text,
      type: 'clarification',
      urgency: 'medium',
      mode: 'sync',
      work: null,
      holds: ['held'],
    });
  }

  it('is not needed on a local journal', async () => {
    const box = makeSandbox();
    const workspace = box.open();
    await raise(workspace, 'Which database?');
    assert.equal(state(workspace), 'local');
  });

  it('makes a shared copy current, then offline, then unknown, for all programs of the machine', async () => {
    const { box, workspace } = await shared();
    assert.equal(why(workspace), 'never');
    confirmNow(workspace);
    const other = box.open();
    assert.equal(state(workspace), 'current');
    assert.equal(state(other), 'current');
    box.clock.now += 6_000;
    assert.deepEqual(freshnessOf(other), { state: 'offline', since: '2026-03-02T09:00:00.000Z' });
    box.clock.now += 15 * minute;
    assert.equal(why(other), 'lease');
    box.clock.now -= 16 * minute;
    assert.equal(why(other), 'clock');
  });

  it('still counts when the copy has grown since', async () => {
    const { box, workspace } = await shared();
    confirmNow(workspace);
    await raise(workspace, 'Which port?');
    assert.equal(state(workspace), 'current');
    workspace.close();
    assert.equal(state(box.open()), 'current');
  });

  it('does not count for a copy that lacks its line, has another one there, or is of another workspace', async () => {
    const { box, workspace } = await shared();
    const { position, head } = workspace.position()!;
    const wrong = [
      { position: position + 1 },
      { position: position - 1 },
      { head: head.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
      { workspace: randomUUID() },
    ];
    for (const changes of wrong) {
      confirmNow(workspace, changes);
      assert.equal(why(workspace), 'never', JSON.stringify(changes));
      box.clock.now += 2_000;
    }
    await raise(workspace, 'Which port?');
    confirmNow(workspace, { position });
    assert.equal(why(workspace), 'never', 'the head of another line');
    box.clock.now += 2_000;
    confirmNow(workspace, { position, head });
    assert.equal(state(workspace), 'current', 'an earlier line of this copy');
  });

  it('shows at once, and until the next confirmation, that the server has other lines', async () => {
    const { box, workspace } = await shared();
    confirmNow(workspace);
    box.clock.now += 10;
    confirmNow(workspace, { trouble: 'forked' });
    assert.equal(why(workspace), 'forked');
    box.clock.now += 10;
    confirmNow(workspace);
    assert.equal(state(workspace), 'current');
  });

  it('confirms nothing with any other content', async () => {
    const { workspace } = await shared();
    confirmNow(workspace);
    const { path: file } = workspace.confirmed;
    const good = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
    const changed = fc
      .tuple(fc.constantFrom(...Object.keys(good)), fc.oneof(fc.jsonValue(), fc.constant(undefined)))
      .filter(([field, value]) => field !== 'up' && value !== good[field])
      .map(([field, value]) => JSON.stringify({ ...good, [field]: value }));
    fc.assert(
      fc.property(fc.oneof(changed, fc.json(), fc.string()), (text) => {
        fs.writeFileSync(file, text);
        assert.equal(state(workspace), 'unknown', text);
      }),
      { numRuns: runs(400) },
    );
    fs.rmSync(file);
    fs.mkdirSync(file);
    assert.equal(state(workspace), 'unknown');
  });

  it('is written at most once a second, in one step, and never fails', () => {
    const box = makeSandbox();
    const anchor = path.join(box.base, 'a.json');
    let now = Date.parse('2026-03-02T09:00:00.000Z');
    let renames = 0;
    const counting = {
      ...realFs,
      renameSync: ((from, to) => {
        renames++;
        realFs.renameSync(from, to);
      }) as typeof fs.renameSync,
    };
    const file = openConfirmed({
      fs: counting,
      anchor,
      clock: () => now,
      newId: randomUUID,
      uptime: () => now / 1_000,
    });
    const answered = { workspace: randomUUID(), position: 10, head: 'a'.repeat(64) };
    for (let i = 0; i < 30; i++, now += 100) file.write({ ...answered, position: 10 + i });
    assert.equal(renames, 3);
    assert.equal(file.read()?.position, 30);
    now += 2_000;
    file.write(answered, { at: now - 700, up: now - 700 });
    const { at, up } = file.read()!;
    assert.deepEqual([Date.parse(at), up], [now - 700, now - 700], 'as old as the question, not as the answer');
    assert.deepEqual(
      fs.readdirSync(box.base).filter((name) => name.startsWith('a.')),
      ['a.confirmed.json'],
    );
    const nowhere = path.join(box.base, 'missing', 'a.json');
    const lost = openConfirmed({ fs: realFs, anchor: nowhere, clock: () => now, newId: randomUUID });
    lost.write(answered);
    assert.equal(lost.read(), null);
  });
});
