import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { attestAll, writeAttestations } from '../../../src/app/audit/attestations.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { formatPublicKey, formatWorkspace } from '../../../src/trust/publicKeys.ts';
import type { Verdict } from '../../../src/app/decision/decisions.ts';
import { agent, cancel, decide, makeHuman, type Human } from '../../support/store/people.ts';
import { checked, holdpoint, makeRepository, type Repository } from '../../support/store/repository.ts';
import { minute, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

interface Setting {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly human: Human;
  readonly repository: Repository;
  /** A key file outside the repository. */
  readonly keys: string;
}

async function setUp(...texts: readonly string[]): Promise<Setting> {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'API tokens' });
  const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
  for (const text of texts) await raiseQuestion(store, agent(), { ...asked, text, holds: ['src/**/*.ts'] });
  sandbox.clock.now += minute;
  const keys = sandbox.at('keys.txt');
  fs.writeFileSync(keys, keyFileOf(workspace, human));
  return { sandbox, workspace, human, repository: makeRepository(sandbox), keys };
}

function keyFileOf(workspace: Workspace, human: Human): string {
  const id = workspace.standing().state?.workspace?.id ?? assert.fail('the workspace has no id');
  return `${formatWorkspace(id)}\n${formatPublicKey(human.pin)}\n`;
}

const change = { 'src/auth/login.ts': 'better login\n' };
const approve: Verdict = { kind: 'answer', answer: { choices: ['Yes'], effect: 'proceed' } };
const no: Verdict = { kind: 'answer', answer: { choices: ['No'] } };

/** What a text could try in a report: links, images, mentions, references, HTML, tables, commands and hidden characters. */
const hostile =
  '``x`` [click](https://evil.example) ![i](http://evil.example/i.png) @admin #1 <img src=x onerror=alert(1)> www.evil.example {0} ' +
  '| a | b | \u202Eabc\u0007 ::error::x vscode://x &lt;b&gt; **bold** mailto:a@evil.example';

async function hostileSetting(): Promise<Setting> {
  const setting = await setUp(`${hostile.replace('\u0007', '')}\n\n# Heading\n- item`);
  setting.repository.commit(
    { 'src/a](https:/evil.example) `@admin` <b>\n%25 é.ts': 'x\n', ...change },
    { message: `Change\n\n@admin ${hostile}` },
  );
  return setting;
}

describe('the reports of holdpoint check', function () {
  this.timeout(60_000);
  afterEach(removeSandboxes);

  it('name the head commit, and say the same', async () => {
    const { sandbox, repository } = await setUp('Drop the table?');
    const head = repository.commit(change);
    const run = (...more: string[]) => holdpoint(sandbox, repository.folder, 'check', '--base', 'main', ...more);
    const file = sandbox.at('report');
    const printed = [await run(), await run('--markdown'), await run('--json')];
    for (const { code, out, err } of printed) {
      assert.equal(code, 2);
      assert.ok(`${out}${err}`.includes(head));
      assert.match(`${out}${err}`, /Q-1/);
    }
    assert.equal((await run('--json', '--markdown')).code, 1, 'only one of them is printed');
    const both = await run('--json', '--markdown', `${file}.md`);
    assert.deepEqual([both.code, both.out === printed[2]?.out], [2, true]);
    assert.equal(fs.readFileSync(`${file}.md`, 'utf8').trimEnd(), printed[1]?.out);
  });

  it('are not written through a link of the branch', async () => {
    const { sandbox, repository } = await setUp();
    const target = sandbox.at('target');
    fs.writeFileSync(target, 'kept');
    fs.symlinkSync(target, path.join(repository.folder, 'report.md'));
    repository.commit({});
    const { code } = await holdpoint(sandbox, repository.folder, 'check', '--base', 'main', '--markdown', 'report.md');
    assert.deepEqual([code, fs.readFileSync(target, 'utf8')], [2, 'kept']);
  });

  it('as text have no line that others begin', async () => {
    const { sandbox, repository } = await setUp('Drop it?\n::error::forged');
    const files = { 'src/a\n::add-mask::b.ts': 'x\n', 'src/c\r::stop-commands::d.ts': 'x\n' };
    repository.commit(files);
    const { err } = await holdpoint(sandbox, repository.folder, 'check', '--base', 'main');
    assert.match(err, /add-mask/);
    const lines = err.split(/[\n\r\u2028]/).map((line) => line.trim());
    assert.deepEqual(
      lines.filter((line) => line.startsWith(':') || line.startsWith('#')),
      [],
    );
  });

  it('in Markdown have texts by others in code spans only', async () => {
    const { sandbox, repository } = await hostileSetting();
    const { out } = await holdpoint(sandbox, repository.folder, 'check', '--base', 'main', '--markdown');
    const kinds = new Set<string>();
    const words: string[] = [];
    const codes: string[] = [];
    walk(fromMarkdown(out));
    const harmless = ['heading', 'inlineCode', 'list', 'listItem', 'paragraph', 'root', 'strong', 'text'];
    assert.deepEqual([...kinds].sort(), harmless);
    assert.doesNotMatch(words.join(' '), /[@<>#|&[\]`]|https?:|www|admin|evil/);
    assert.ok(codes.some((code) => code.includes('[click](https://evil.example)') && code.includes('[U+202E]')));
    assert.doesNotMatch(out, /[\u202e\u0007\r]/);

    function walk(node: { type: string; value?: string; children?: readonly object[] }): void {
      kinds.add(node.type);
      if (node.type === 'text') words.push(node.value ?? '');
      if (node.type === 'inlineCode') codes.push(node.value ?? '');
      for (const child of node.children ?? []) walk(child as typeof node);
    }
  });

  it('in Markdown fit into a comment', async () => {
    const { sandbox, repository } = await setUp(
      ...Array.from({ length: 60 }, (_, n) => `${String(n)} ${'x'.repeat(190)}`),
    );
    const files = Array.from({ length: 300 }, (_, n) => [`src/${'long'.repeat(40)}/${String(n)}.ts`, 'x\n'] as const);
    repository.commit(Object.fromEntries(files));
    const { out } = await holdpoint(sandbox, repository.folder, 'check', '--base', 'main', '--markdown');
    assert.ok(out.length < 65_000, String(out.length));
    assert.match(out, /and \d+ more|too long/);
  });
});

describe('holdpoint check on attestations', function () {
  this.timeout(60_000);
  afterEach(removeSandboxes);

  interface Attested extends Setting {
    readonly folder: string;
  }

  /** Q-1 allowed, Q-2 refused, Q-3 cancelled, Q-4 open; in a repository whose `main` has the decisions. */
  async function attested(...ids: readonly string[]): Promise<Attested> {
    const setting = await setUp('Drop the table?', 'Drop all tables?', 'Drop the database?', 'Drop the server?');
    const { workspace, human, repository } = setting;
    const verdicts = { 'Q-1': approve, 'Q-2': no, 'Q-3': cancel } as const;
    for (const id of ['Q-1', 'Q-2', 'Q-3'] as const)
      if (ids.includes(id)) await decide(workspace, human, id, verdicts[id]);
    writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
    repository.git('checkout', '--quiet', 'main');
    repository.commit({}, { message: 'Decisions' });
    repository.git('checkout', '--quiet', '-B', 'feature');
    return { ...setting, folder: path.join(repository.folder, '.holdpoint', 'decisions') };
  }

  const run = (setting: Setting, keys = setting.keys) =>
    checked(
      { ...setting.sandbox, home: setting.sandbox.at('nobody') },
      setting.repository,
      '--attestations',
      '.holdpoint/decisions',
      '--keys',
      keys,
    );

  const outcomes = ({ items }: Awaited<ReturnType<typeof run>>) =>
    items.map(({ id, outcome, clear }) => [id, outcome, clear]);

  it('accepts what was approved, and says who signed with which key', async () => {
    const setting = await attested('Q-1');
    setting.repository.commit(change);
    const report = await run(setting);
    assert.deepEqual([report.code, report.source, outcomes(report)], [0, 'attestations', [['Q-1', 'allowed', true]]]);
    const { by, key, effect } = report.items[0]?.decision ?? {};
    assert.deepEqual([by, key, effect], ['Ada', setting.human.keyid, 'proceed']);
    assert.equal(report.journal, null);
  });

  it('denies what was refused or not approved', async () => {
    const setting = await attested('Q-1', 'Q-2', 'Q-3');
    setting.repository.commit(change);
    const report = await run(setting);
    const expected = [
      ['Q-1', 'allowed', true],
      ['Q-2', 'refused', false],
      ['Q-3', 'not_approved', false],
    ];
    assert.deepEqual([report.code, outcomes(report)], [2, expected]);
  });

  it('denies a commit that names a question without a decision', async () => {
    const setting = await attested('Q-1');
    setting.repository.commit({ 'README.md': 'x\n' }, { message: 'As in Q-4' });
    const report = await run(setting);
    assert.deepEqual([report.code, outcomes(report)], [2, [['Q-4', 'unknown', false]]]);
  });

  it('reads them from the head, not from the checkout', async () => {
    const setting = await attested('Q-1');
    setting.repository.commit(change);
    const [name = ''] = fs.readdirSync(setting.folder);
    // Untracked: it would be read from the folder, and does not verify.
    fs.writeFileSync(path.join(setting.folder, `Q-9-${'0'.repeat(32)}.json`), '{}');
    assert.equal((await run(setting)).code, 0);
    setting.repository.git('update-index', '--assume-unchanged', `.holdpoint/decisions/${name}`);
    fs.writeFileSync(path.join(setting.folder, name), '{}');
    assert.equal((await run(setting)).code, 0);
  });

  it('denies decisions that were changed, deleted, linked or signed by others', async () => {
    const setting = await attested('Q-1', 'Q-2');
    const [first = '', second = ''] = fs.readdirSync(setting.folder);
    setting.repository.commit({ [`.holdpoint/decisions/${second}`]: null });
    assert.deepEqual((await run(setting)).problems.map(({ code, files }) => [code, files[0]]).slice(0, 1), [
      ['unverifiable', `.holdpoint/decisions/${second}`],
    ]);
    const text = fs.readFileSync(path.join(setting.folder, first), 'utf8');
    setting.repository.commit({ [`.holdpoint/decisions/${first}`]: text.replace('Drop the table', 'Drop a table') });
    assert.match(
      (await run(setting)).problems.map((problem) => problem.text).join('\n'),
      /differs from what the human saw/,
    );
    setting.repository.commit({ [`.holdpoint/decisions/${first}`]: text });
    fs.symlinkSync(first, path.join(setting.folder, `Q-9-${'0'.repeat(32)}.json`));
    setting.repository.commit({});
    assert.match((await run(setting)).problems.map((problem) => problem.text).join('\n'), /is not a plain file/);
    const strangers = setting.sandbox.at('strangers.txt');
    fs.writeFileSync(strangers, keyFileOf(setting.workspace, makeHuman()));
    assert.match(
      (await run(setting, strangers)).problems.map((problem) => problem.text).join('\n'),
      /no human enrolled/,
    );
  });

  it('reads the decisions of a workspace in a part of the repository', async () => {
    const setting = await attested('Q-2');
    const { sandbox, repository, keys, folder } = setting;
    const decisions = fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]);
    const own = Object.fromEntries(
      decisions.map(([name = '', text = '']) => [`app/.holdpoint/decisions/${name}`, text]),
    );
    repository.commit({ ...own, 'src/other.ts': 'x\n' });
    const cwd = path.join(repository.folder, 'app');
    const argv = ['check', '--base', 'main', '--json', '--attestations', '.holdpoint/decisions', '--keys', keys];
    const clear = await holdpoint(sandbox, cwd, ...argv);
    assert.equal(clear.code, 0, clear.out);
    assert.match(clear.out, /outside the workspace, which nothing here can concern: 1\./);
    repository.commit({ 'app/src/a.ts': 'x\n' });
    const { code, out } = await holdpoint(sandbox, cwd, ...argv);
    const { items } = JSON.parse(out) as Awaited<ReturnType<typeof checked>>;
    assert.deepEqual([code, items[0]?.id, items[0]?.files], [2, 'Q-2', ['app/src/a.ts']]);
  });

  it('takes no keys from the commit, and no missing folder for a clear one', async () => {
    const setting = await attested('Q-1');
    setting.repository.commit({ ...change, 'keys.txt': fs.readFileSync(setting.keys, 'utf8') });
    const { sandbox, repository, keys } = setting;
    const base = ['check', '--base', 'main', '--keys'];
    const own = await holdpoint(
      sandbox,
      repository.folder,
      ...base,
      'keys.txt',
      '--attestations',
      '.holdpoint/decisions',
    );
    assert.deepEqual([own.code, own.err.includes('proves nothing')], [2, true]);
    const unpinned = sandbox.at('unpinned.txt');
    fs.writeFileSync(unpinned, formatPublicKey(setting.human.pin));
    const of = ['--attestations', '.holdpoint/decisions'];
    const anywhere = await holdpoint(sandbox, repository.folder, ...base, unpinned, ...of);
    assert.deepEqual([anywhere.code, anywhere.err.includes('has no workspace line')], [1, true]);
    const typo = await holdpoint(sandbox, repository.folder, ...base, keys, '--attestations', '.holdpoint/decision');
    assert.deepEqual([typo.code, typo.err.includes('has no signed decision')], [2, true]);
    const outside = await holdpoint(sandbox, repository.folder, ...base, keys, '--attestations', '..');
    assert.deepEqual([outside.code, outside.err.includes('not a folder in the repository')], [1, true]);
  });
});
