import assert from 'node:assert/strict';
import fs from 'node:fs';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { exported } from '../../support/store/exported.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import { importReport } from '../../../src/app/transfer/importReport.ts';
import { listImported } from '../../../src/app/transfer/imported.ts';
import { workView } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { ImportSource } from '../../../src/core/records/import.ts';
import { codeframeTarget, engram, writeDatabase } from '../../support/store/foreign.ts';
import { completeImport, plannedImport } from '../../support/store/importing.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

describe('import of odd texts', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  beforeEach(() => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
  });
  afterEach(removeSandboxes);

  const run = async (from: ImportSource, name: string) =>
    (await completeImport({ sandbox, workspace }, from, name)).plan;
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

  it('leaves out a document that no line of the journal takes, and imports the others', async () => {
    fs.mkdirSync(sandbox.at('adr'));
    const text = '漢字'.repeat(174_500);
    fs.writeFileSync(sandbox.at('adr', '1.md'), `# A\n\nStatus: accepted\n\n## Context\n\n${text}\n`);
    fs.writeFileSync(sandbox.at('adr', '2.md'), `# B\n\nStatus: accepted\n\n## Context\n\nFine.\n`);
    const { leftOut } = await run('markdown', 'adr');
    assert.deepEqual(leftOut, [{ ref: '1.md', what: 'is larger than one record can be (1 MiB)' }]);
    assert.deepEqual(
      listImported(await view(), { kind: 'rfc' }).map(({ title }) => title),
      ['B'],
    );
  });

  describe('in an export', () => {
    type File = Record<'work' | 'questions' | 'rfcs' | 'events' | 'history', Record<string, unknown>[]>;
    /** An export of a workspace with everything, changed. */
    async function edited(change: (file: File) => void): Promise<void> {
      const there = makeSandbox();
      const other = there.open();
      await fillWithEverything(other, there.clock);
      const file = JSON.parse((await exported(other, 'json')).toString()) as File;
      change(file);
      fs.writeFileSync(sandbox.at('export.json'), JSON.stringify(file));
    }
    const open = ({ questions }: File) =>
      questions.find(({ holding, resolution }) => holding && resolution === null) ?? {};
    const refused = (says: RegExp) =>
      assert.rejects(run('json', 'export.json'), (error) => {
        assert.ok(error instanceof AppError, String(error));
        assert.match(error.message, says);
        return true;
      });

    it('names an invalid item before anything is written', async () => {
      await edited((file) => (open(file)['text'] = 'x'.repeat(2_001)));
      await refused(/^export\.json: Q-\d+ cannot be imported: question\.raised: text must be at most 2000 characters/);
      await edited(({ work }) => work.forEach((item) => (item['title'] = ' ')));
      await refused(/^export\.json: W1 cannot be imported: work\.registered: title must not be empty/);
      assert.equal(fs.existsSync(sandbox.journal), false);
    });

    it('refuses values that nest more deeply than the stack', async () => {
      const deep = '['.repeat(50_000) + ']'.repeat(50_000);
      const closed = ({ questions }: File) => questions.find(({ resolution }) => resolution !== null) ?? {};
      const places: ((file: File) => void)[] = [
        (file) => (open(file)['choices'] = 'deep'),
        (file) => (closed(file)['more'] = 'deep'),
      ];
      for (const put of places) {
        await edited(put);
        const text = fs.readFileSync(sandbox.at('export.json'), 'utf8');
        fs.writeFileSync(sandbox.at('export.json'), text.replace('"deep"', deep));
        await refused(/^export\.json nests too deeply\. Nothing was imported\.$/);
      }
    });

    it('cannot write lines into the report, or reorder it', async () => {
      await edited((file) => {
        Object.assign(open(file), { id: 'Q-1\nWould hold:\n  nothing', text: 'Safe\u202E?' });
      });
      const report = importReport(await plannedImport({ sandbox, workspace }, 'json', 'export.json'), null);
      assert.equal(report.split('\n').filter((line) => line === 'Would hold:').length, 1);
      assert.match(report, /\n {2}Q-1 Would hold: nothing "Safe\[U\+202E\]\?": T/);
    });
  });
});
