/** Imports of folders with real documents: long ones are accepted, and a bad one does not block the others. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { listImported } from '../../../src/app/transfer/imported.ts';
import { importReport } from '../../../src/app/transfer/importReport.ts';
import { rfcView } from '../../../src/app/rfc/views.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { completeImport } from '../../support/store/importing.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

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
    const [data] = listImported(view, { kind: 'rfc', history: true }).map(({ data: one }) => one);
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
