/** The RFC commands of the command line. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { holdpointHere } from '../support/store/runCli.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';

describe('holdpoint rfc', function () {
  this.timeout(240_000);
  after(removeSandboxes);

  interface Json {
    readonly [name: string]: unknown;
    readonly rfc?: {
      readonly sections: { key: string; text: string }[];
      readonly status: string;
      readonly title: string;
    };
  }

  function cli() {
    const { folder, home } = makeSandbox();
    const run = (...args: string[]) => holdpointHere({ folder, home }, {}, ...args);
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out) as Json;
    const write = (name: string, text: string) => {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    };
    return { run, json, write };
  }

  it('creates an RFC from a file, from parts and with references; shows, lists and updates it', async () => {
    const { run, json, write } = cli();
    await run('work', 'register', '--kind', 'workflow', '--id', 'w-1', '--title', 'Login');
    await run('work', 'register', '--id', 't-1', '--title', 'Tokens', '--workflow', 'w-1');
    write('path/to/rfc.md', '# Authentication\n\n## Summary\n\nTokens.\n\n## Alternatives\n\n- Sessions: as now.\n');
    write('sections/design.md', 'Signed with Ed25519.\n');

    const made = await run(
      ...'rfc create --title'.split(' '),
      'Authentication Architecture',
      ...'--file path/to/rfc.md --blocking-workflow-id w-1'.split(' '),
    );
    assert.equal(made.code, 0);
    assert.match(made.out, /^RFC-1 "Authentication Architecture" is your draft\. Do not work on Login \(w-1\)/);
    assert.equal((await run('gate', '--work', 't-1')).code, 2);
    assert.match((await run('gate', '--work', 't-1', '--json')).out, /"rfc":"RFC-1"/);

    const parts = [
      ...'--summary Migrate --motivation Scale --design'.split(' '),
      'Three phases',
      '--alternative',
      'Wait: it may pass',
      '--question',
      'Who runs it?',
    ];
    assert.equal(
      (await run('rfc', 'create', '--title', 'Database Migration Strategy', ...parts, '--blocking-task-id', 't-1'))
        .code,
      0,
    );
    const asked = await run('rfc', 'create', '--title', 'Security Model', '--context-id', 'E-7');
    assert.deepEqual(
      [asked.code, asked.err.includes('--context-id: there is no event E-7 here')],
      [1, true],
      asked.err,
    );
    for (const text of ['One', 'Two']) await run('post', '--type', 'discovery', '--text', text);
    assert.equal(
      (await run('rfc', 'create', '--title', 'Security Model', '--context-id', 'E-1', '--reasoning-id', 'E-2')).code,
      0,
    );

    const updated = await json(
      ...'rfc update RFC-1 --file sections/design.md --section detailed_design --submit'.split(' '),
    );
    assert.deepEqual(
      updated.rfc?.sections.map(({ key, text }) => [key, text]),
      [
        ['summary', 'Tokens.'],
        ['detailed_design', 'Signed with Ed25519.'],
        ['alternatives', '- Sessions: as now.'],
      ],
    );
    const shown = await run('rfc', 'show', 'RFC-1');
    assert.match(shown.out, /## Detailed design\nSigned with Ed25519\./);
    const listed = await json('rfc', 'list', '--status', 'under-review');
    assert.equal(listed['total'], 1);
    assert.match((await run('rfc', 'list')).out, /^3 RFCs, 1 waiting for a human\n/);
    const related = await run('relationship', 'connected', '--entity-id', 'RFC-3');
    assert.match(related.out, /RFC-3 references E-1/);
  });

  it('shows everything that stands in a file, and names what fields replace', async () => {
    const { run, json, write } = cli();
    write('rfc.md', '---\nDO NOT DEPLOY before the audit.\n---\n# Tokens\n\n## Summary\n\nShort.\n');
    write(
      'fields.md',
      '---\nstatus: draft\n---\n# Tokens\n\n## Summary\n\nLonger.\n\n## Alternatives\n\n- Wait: no.\n',
    );
    assert.equal((await run('rfc', 'create', '--file', 'rfc.md')).code, 0);
    assert.match((await run('rfc', 'show', 'RFC-1')).out, /DO NOT DEPLOY before the audit\./);
    const updated = await run(...'rfc update RFC-1 --file fields.md --title Other --replace-alternative Go'.split(' '));
    const left = ['the title "Tokens"', 'the section "Alternatives"'];
    assert.match(
      updated.out,
      /Not taken from the file, because your fields replace it: the title "Tokens", the section/,
    );
    assert.match((await run('rfc', 'show', 'RFC-1')).out, /## Front matter\n```yaml\nstatus: draft\n```/);
    const again = await json(...'rfc update RFC-1 --file fields.md --title Third --replace-alternative Go'.split(' '));
    assert.deepEqual(again['left_out'], left);
  });

  it('exits with 3 while it waits, and explains errors in one line', async () => {
    const { run, write } = cli();
    write('empty.md', '');
    await run('rfc', 'create', '--title', 'T', '--submit');
    const waiting = await run('rfc', 'await', 'RFC-1', '--wait', '0');
    assert.equal(waiting.code, 3);
    for (const [args, says] of [
      [['create'], /^--title: give one/],
      [['create', '--file', 'empty.md'], /empty/],
      [['create', '--file', '../out.md'], /inside the workspace/],
      [['create', '--title', 'T', '--blocking-workflow-id', 'w-9'], /w-9" is not registered/],
      [['update', 'RFC-9', '--summary', 'x'], /no RFC-9/],
      [['update', 'RFC-1', '--implemented'], /RFC-1 is under review/],
      [['show', 'RFC-9'], /no RFC-9/],
      [['list', '--status', 'open'], /status/],
    ] as const) {
      const { code, err } = await run('rfc', ...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(err, says);
      assert.equal(err.split('\n').length, 1);
    }
  });
});
