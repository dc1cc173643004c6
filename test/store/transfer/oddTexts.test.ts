import assert from 'node:assert/strict';
import fs from 'node:fs';
import { listImported } from '../../../src/app/transfer/imported.ts';
import { preparedImport, runImport } from '../../../src/app/transfer/importing.ts';
import type { Plan } from '../../../src/app/transfer/importPlan.ts';
import { workView } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { ImportSource } from '../../../src/core/records/import.ts';
import { codeframeTarget, engram, writeDatabase } from '../../support/store/foreign.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

describe('import of odd texts', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  beforeEach(() => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
  });
  afterEach(removeSandboxes);

  async function run(from: ImportSource, name: string): Promise<Plan> {
    const options = { path: sandbox.at(name), source: name, asHistory: false, drafts: false };
    const plan = await preparedImport(workspace, from, options);
    await runImport(workspace, agent('shell-001').actor, plan);
    return plan;
  }
  const view = async () => (await workspace.store()).read();

  it('cuts long titles and names to what their fields take, and never within a character', async () => {
    await writeDatabase(sandbox.at('emoji.db'), (db) => {
      db.run(codeframeTarget);
      db.run('UPDATE tasks SET title = ?', [`${'a'.repeat(199)}😀 and more`]);
      db.run("UPDATE blockers SET question = ?, agent_id = ? WHERE status = 'RESOLVED'", [
        `🚀🚀 ${'a'.repeat(250)}`,
        '🤖'.repeat(60),
      ]);
    });
    const { leftOut } = await run('codeframe', 'emoji.db');
    assert.deepEqual(
      leftOut.map(({ ref }) => ref),
      ['blocker 13'],
    );
    const resolved = listImported(await view(), { status: 'resolved' });
    assert.deepEqual(
      resolved.map(({ title, agent: by }) => [title, by]),
      [[`🚀🚀 ${'a'.repeat(194)}…`, `${'🤖'.repeat(49)}…`]],
    );
    assert.equal(workView((await view()).state, 'codeframe-task-7').title, `${'a'.repeat(199)}…`);
  });

  it('keeps an event whose reason is cut', async () => {
    await writeDatabase(sandbox.at('long.db'), (db) => {
      db.run(engram(4));
      db.run("UPDATE events SET resolved_reason = ? WHERE status = 'resolved'", [`${'a'.repeat(9_999)}😀`]);
    });
    assert.deepEqual((await run('engram', 'long.db')).leftOut, []);
  });

  it('keeps the decision of a document whose status is cut', async () => {
    fs.mkdirSync(sandbox.at('adr'));
    const status = `deprecated ${'a'.repeat(488)}😀`;
    fs.writeFileSync(sandbox.at('adr', '1.md'), `# A\n\nStatus: ${status}\n\n## Decision\n\nUse it.\n`);
    assert.deepEqual((await run('markdown', 'adr')).leftOut, []);
  });
});
