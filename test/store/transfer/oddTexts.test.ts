import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { exported } from '../../support/store/exported.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import { importReport } from '../../../src/app/transfer/importing.ts';
import { listImported } from '../../../src/app/transfer/exporting.ts';
import { workView } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { ImportSource } from '../../../src/core/records/import.ts';
import { codeframeTarget, engram, writeDatabase } from '../../support/store/foreign.ts';
import { completeImport, plannedImport } from '../../support/store/importing.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { rfcView } from '../../../src/app/rfc/views.ts';

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
    const resolved = listImported(await view()).filter(({ status }) => status === 'resolved');
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
      listImported(await view(), 'rfc').map(({ title }) => title),
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

/** Imports of folders with real documents: long ones are accepted, and a bad one does not block the others. */
describe('a folder of RFC files', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  beforeEach(() => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
  });
  afterEach(removeSandboxes);

  const write = (name: string, text: string | Uint8Array) => {
    fs.mkdirSync(path.dirname(sandbox.at('docs', name)), { recursive: true });
    fs.writeFileSync(sandbox.at('docs', name), text);
  };
  async function run(drafts = true) {
    const { plan, done } = await completeImport({ sandbox, workspace }, 'markdown', 'docs', { drafts });
    return { plan, report: importReport(plan, done), view: (await workspace.store()).read() };
  }
  const name = `Keep ${'what is there '.repeat(30)}`.trim();
  const long = `# Long\n\n## Motivation\n\nBecause.\n\n## Alternatives\n\n### ${name}\n\n${'It works. '.repeat(1_500)}\n\n### Sessions\n\nPros:\n- a\nCons:\n- b\n\n## Unresolved questions\n`;

  it('is imported with what is too long only in the text, and the report says so', async () => {
    write('long.md', long);
    const { report, view } = await run();
    assert.match(report, /Imported: 1 row\./);
    assert.match(report, /Imported with changes:\n {2}long\.md has 1 alternative only in its text$/m);
    const rfc = rfcView(view, 'RFC-1');
    assert.deepEqual(
      rfc?.alternatives.map(({ name: shown, pros, cons }) => [shown, pros, cons]),
      [['Sessions', ['a'], ['b']]],
    );
    assert.ok(rfc.sections.some(({ text }) => text.includes(name) && text.includes('It works. It works.')));
    assert.ok(rfc.sections.some(({ heading, text }) => heading === 'Unresolved questions' && text === '(empty)'));
  });

  it('has bad files reported by name, and the others imported', async () => {
    write('good.md', '# Good\n\n## Motivation\n\nBecause.\n');
    write('notText.md', new Uint8Array([0x23, 0x20, 0xff, 0xfe]));
    write('large.md', `# Large\n\n## Motivation\n\n${'x'.repeat(1024 * 1024)}\n`);
    write('lines.md', `# Lines\n\n## Motivation\n${'\n'.repeat(20_100)}x\n`);
    write('nested.md', `# Nested\n\n## Alternatives\n\n${'- '.repeat(60)}x\n`);
    const { plan, report, view } = await run();
    assert.deepEqual(
      plan.leftOut.map(({ ref }) => ref),
      ['large.md', 'lines.md', 'nested.md', 'notText.md'],
    );
    assert.match(report, /Imported: 1 row\./);
    assert.deepEqual(
      [...view.state.rfcs.values()].map(({ title }) => title),
      ['Good'],
    );
  });

  it('keeps comments in the text, and shows front matter as a section', async () => {
    write(
      'one.md',
      '---\nstatus: accepted\nauthors: Ada\n---\n\n<!-- Directions for authors. -->\n\n# One\n\n## Motivation\n\n<!-- Why? -->\n\nBecause.\n\n## Decision\n\n<!-- note -->\nWe do it.\n',
    );
    write('two.md', '---\nauthors: Ada\n---\n\n# Two\n\n<!-- Status: accepted -->\n\n## Motivation\n\nBecause.\n');
    const { plan, view } = await run();
    const [data] = listImported(view, 'rfc').flatMap(({ became, data: one }) => (became === null ? [one] : []));
    const said = JSON.stringify(data?.['document']);
    assert.ok(said.includes(JSON.stringify('```yaml\nstatus: accepted\nauthors: Ada\n```')), said);
    assert.ok(said.includes('<!-- Directions for authors. -->') && said.includes('<!-- Why? -->'));
    const draft = rfcView(view, 'RFC-1');
    assert.equal(draft?.status, 'draft', 'a status within a comment is none');
    assert.ok(draft.sections.some(({ text }) => text.includes('<!-- Status: accepted -->')));
    assert.equal(draft.sections[0]?.text, '```yaml\nauthors: Ada\n```');
    const [memory] = [...plan.rows].flatMap((row) => (row.row === 'event' ? [row.text] : []));
    assert.equal(memory, 'One\n\nWe do it.\n\n(one.md)', 'what templates say is no decision');
  });

  it('may contain enhancement proposals, each a README with a file beside it', async () => {
    write('sig-node/12-quiet/README.md', '# KEP-12: Quiet\n\n## Motivation\n\nBecause.\n\n## Proposal\n\nBe quiet.\n');
    write('sig-node/12-quiet/kep.yaml', 'title: Quiet\nstatus: implemented\ncreation-date: 2020-02-03\n');
    write('README.md', '# Enhancements\n\n## Motivation\n\nA list.\n');
    const { plan } = await run(false);
    assert.deepEqual(plan.notTaken, ['file README.md']);
    assert.deepEqual(
      plan.rows.map((row) => [row.row, row.ref, row.at]),
      ['history', 'event'].map((row) => [row, 'sig-node/12-quiet/README.md', '2020-02-03T00:00:00.000Z']),
    );
    assert.match(JSON.stringify(plan.rows), /"heading":"kep\.yaml","text":"```yaml\\ntitle: Quiet\\n/);
  });

  it('is imported without invalid rows of any kind', async () => {
    write('good.md', '# Good\n\nStatus: accepted\n\n## Decision\n\nWe do it.\n');
    const folder = Array.from({ length: 6 }, () => 'a'.repeat(200)).join('/');
    write(`${folder}/deep.md`, '# Deep\n\nStatus: accepted\n\n## Decision\n\nWe do it.\n');
    const { plan, report } = await run(false);
    assert.match(report, /Imported: 2 rows\./);
    assert.deepEqual(
      plan.leftOut.map(({ ref, what }) => [ref.endsWith('/deep.md'), what]),
      Array.from({ length: 2 }, () => [true, 'cannot be imported: ref must be at most 1000 characters after trimming']),
    );
  });
});
