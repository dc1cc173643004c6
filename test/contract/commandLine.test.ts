/** What the command line prints and with which code it ends, by its arguments. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { verbsOf } from '../../src/cli/program.ts';
import type { Called } from '../support/holdpoint.ts';
import { writeByHand } from '../support/store/handwriting.ts';
import { holdpointHere } from '../support/store/runCli.ts';
import { removal } from '../support/temporary.ts';

interface Shown {
  readonly question: { readonly id: string; readonly payload_json: unknown };
}

describe('the command line', function () {
  this.timeout(240_000);
  let folder = '';
  let home = '';
  let other = '';

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'holdpoint-cli-'));
    home = await mkdtemp(path.join(os.tmpdir(), 'holdpoint-home-'));
    other = await mkdtemp(path.join(os.tmpdir(), 'holdpoint-other-'));
  });
  afterEach(async () => {
    for (const made of [folder, home, other]) await rm(made, removal);
  });

  const run = (args: readonly string[], env: Record<string, string> = {}, cwd = folder): Promise<Called> =>
    holdpointHere({ folder: cwd, home }, { PATH: process.env['PATH'], ...env }, ...args);

  async function json(...args: string[]): Promise<Record<string, unknown>> {
    return JSON.parse((await run([...args, '--json'])).out) as Record<string, unknown>;
  }

  it('gate takes a file from the caller’s folder and from the root, and prints hidden characters as codes', async () => {
    await mkdir(path.join(folder, 'src'));
    await run(['question', 'create', '--text', 'May I?', '--type', 'approval', '--holds', 'src/held.js']);
    const gate = (file: string, cwd = 'src') => run(['gate', '--file', file], {}, path.join(folder, cwd));
    assert.equal((await gate('src/held.js', '.')).code, 2);
    for (const file of ['held.js', './held.js', '../src/held.js', 'src/held.js'])
      assert.match((await gate(file)).err, /held by Q-1/, file);
    for (const file of ['free.js', '../held.js']) assert.equal((await gate(file)).code, 0, file);
    for (const [hidden, code] of [
      ['\u202e', 'U+202E'],
      ['\u001b[31m', 'U+001B'],
    ] as const) {
      const { out, err } = await gate(`a${hidden}b`);
      assert.ok(`${out}${err}`.includes(code) && !`${out}${err}`.includes(hidden), `${out}${err}`);
    }
  });

  it('request await exits with the outcome’s code, and gate lists requests to a named agent', async () => {
    const asker = { HOLDPOINT_AGENT_ID: 'asker-001' };
    const doer = { HOLDPOINT_AGENT_ID: 'doer-001' };
    await run(['responsibility', 'register', '--id', 'asker', '--name', 'Asker'], asker);
    await run(['responsibility', 'register', '--id', 'doer', '--name', 'Doer'], doer);
    for (const subject of ['One', 'Two'])
      await run(['request', 'create', '--target', 'doer', '--subject', subject, '--summary', 'x'], asker);
    const gate = await run(['gate', '--file', 'a.ts'], doer);
    assert.deepEqual([gate.code, gate.out.split('\n')[1]?.slice(0, 35)], [0, '2 requests wait for you: R-1, R-2. ']);
    const wait = (id: string, ...more: string[]) => run(['request', 'await', id, '--wait', '0', ...more], asker);
    assert.equal((await wait('R-1')).code, 3);
    const respond = (id: string, action: string) =>
      run(['request', 'respond', id, '--action', action, '--note', 'So.'], doer);
    for (const action of ['accept', 'complete']) assert.equal((await respond('R-1', action)).code, 0);
    await respond('R-2', 'reject');
    assert.equal((await wait('R-1')).code, 0);
    const rejected = await wait('R-2', '--json');
    assert.equal(rejected.code, 2);
    assert.equal((JSON.parse(rejected.out) as { result: string }).result, 'refused');
    assert.equal((await wait('R-9')).code, 1);
  });

  it('has a verb for every tool and no verb that decides', async () => {
    const verbs = await Promise.all(
      [[], ['question'], ['work']].map(async (group) => (await run([...group, '--help'])).out),
    );
    for (const verb of ['create', 'show', 'list', 'await', 'register', 'update', 'gate', 'post', 'search', 'briefing'])
      assert.ok(
        verbs.some((help) => help.includes(verb)),
        verb,
      );
    for (const verb of ['answer', 'approve', 'release', 'cancel', 'reject'])
      assert.ok(!verbs.some((help) => new RegExp(`^  ${verb}\\b`, 'm').test(help)), verb);
  });

  it('loads only the verb that is called, and lists each', async () => {
    const words = new Set((await verbsOf(null)).map((verb) => verb.words.split(' ', 1)[0]));
    const { out } = await run(['--help']);
    const listed = [...out.matchAll(/^ {2}([a-z]+) /gm)].flatMap(([, word]) => (word === 'help' ? [] : (word ?? [])));
    assert.deepEqual(listed.sort(), [...words].sort());
    assert.doesNotMatch(out, /^Commands:/m, 'each verb is in a group');
    assert.ok(out.split('\n').length <= 50 && out.split('\n').every((line) => line.length <= 80), 'one screen');
    // A folder of a verb's name is not the verb.
    for (const args of [['--workspace', 'work', '--help'], ['--workspace', 'work', 'help'], ['help']])
      assert.equal((await run(args)).out, out, args.join(' '));
    assert.match((await run(['question', '--help'])).out, /^Usage: holdpoint question /);
    assert.match((await run(['--workspace', 'work', 'rfc', '--help'])).out, /^Usage: holdpoint rfc /);
    assert.match((await run(['questoin'])).err, /Did you mean question\?/);
  });

  it('posts, searches, closes and briefs', async () => {
    const posted = await run([
      ...'post --type warning --text'.split(' '),
      'Do not touch.',
      ...'--scope src/a.ts --priority critical'.split(' '),
    ]);
    assert.deepEqual([posted.code, posted.err], [0, '']);
    assert.match(posted.out, /^Posted E-1 \(critical warning on src\/a\.ts\)/);
    assert.match(
      (await run(['post', '--type', 'warning', '--priority', 'critical', '--text', 'Use "JWT".'])).out,
      /^Posted E-2/,
    );
    assert.match((await run(['briefing', '--focus', 'src/b.ts', '--max-tokens', '1'])).out, /E-1 critical warning/);
    assert.deepEqual((await json('search', '"jwt" OR', '--limit', '5'))['total'], 0);
    assert.deepEqual((await json('search', '"jwt'))['total'], 1);
    assert.match((await run(['supersede', 'E-1', '--by', 'E-2'])).out, /^Closed: E-1 was superseded by E-2/);
    assert.match((await run(['resolve', 'E-2', '--reason', 'Done.'])).out, /^Closed: E-2 was resolved by .*: Done\./);
    const { briefing } = (await json('briefing')) as { briefing: { recently_resolved: { items: { id: string }[] } } };
    assert.deepEqual(briefing.recently_resolved.items.map(({ id }) => id).sort(), ['E-1', 'E-2']);
    assert.deepEqual(
      await run(['resolve', 'E-2', '--reason', 'Again.', '--json']).then(({ code, out }) => [
        code,
        out.includes('"conflict"'),
      ]),
      [1, true],
    );
    assert.equal((await run(['resolve', 'E-2'])).code, 1, 'a reason is required');
    assert.equal((await run(['briefing', '--max-tokens', '0'])).code, 1);
    assert.equal((await run(['briefing', '--focus', '../other'])).code, 1);
  });

  it('returns the payload of a question as it was given', async () => {
    const payload = { ticket: 'API-7', labels: ['tokens', '<b>'], nested: { deep: [null, 1.5] } };
    const given = ['--payload-json', JSON.stringify(payload), '--wait', '0'];
    const created = (await json('question', 'create', '--text', 'Which ticket?', ...given)) as unknown as Shown;
    const shown = (await json('question', 'show', created.question.id)) as unknown as Shown;
    assert.deepEqual([created.question.payload_json, shown.question.payload_json], [payload, payload]);
  });

  it('raises a question that holds work, its files and its dependants, and exits with 2', async () => {
    assert.equal(
      (await run(['work', 'register', '--id', 't-1', '--title', 'API tokens', '--files', 'src/auth'])).code,
      0,
    );
    assert.equal((await run(['work', 'register', '--id', 't-2', '--title', 'Docs', '--depends-on', 't-1'])).code, 0);
    assert.equal((await run(['gate', '--work', 't-2'])).code, 0);
    const created = await json(
      ...'question create --text'.split(' '),
      'JWT or sessions?',
      ...'--blocking-task-id t-1 --choice'.split(' '),
      'JWT: signed',
      ...'--choice Sessions --recommended JWT'.split(' '),
    );
    assert.equal(created['outcome'], 'waiting');
    const { question } = created as {
      question: { id: string; choices: { label: string; recommended: boolean }[]; cascade: { id: string }[] };
    };
    assert.equal(question.id, 'Q-1');
    assert.deepEqual(
      question.choices.map(({ label, recommended }) => [label, recommended]),
      [
        ['JWT', true],
        ['Sessions', false],
      ],
    );
    assert.deepEqual(
      question.cascade.map(({ id }) => id),
      ['t-2'],
    );
    for (const asked of [['--work', 't-1'], ['--work', 't-2'], ['--file', 'src/auth/login.ts'], []]) {
      const { code, err } = await run(['gate', ...asked]);
      assert.equal(code, 2, asked.join(' '));
      assert.match(err, /^Denied: .*Q-1 "JWT or sessions\?"/, asked.join(' '));
    }
    assert.equal((await run(['gate', '--file', 'src/other.ts'])).code, 0);
    assert.equal((await run(['work', 'update', 't-2', '--status', 'in_progress'])).code, 2);
    assert.equal((await run(['question', 'await', 'Q-1', '--wait', '0'])).code, 3);
  });

  it('lists items with counts of all matches', async () => {
    await run(['question', 'create', '--text', 'One?']);
    await run(['question', 'create', '--text', 'Two?', '--mode', 'async', '--assumption', 'two', '--urgency', 'high']);
    const list = await json('question', 'list');
    assert.deepEqual([list['total'], list['pending_count'], list['sync_count']], [2, 2, 1]);
    assert.equal((await json('question', 'list', '--urgent'))['total'], 1);
    assert.equal((await json('question', 'list', '--status', 'answered'))['total'], 0);
    const { questions } = list as { questions: { id: string }[] };
    assert.deepEqual(
      questions.map(({ id }) => id),
      ['Q-2', 'Q-1'],
      'the most urgent first',
    );
  });

  it('exports everything and imports it into another workspace, once', async () => {
    await run(['work', 'register', '--id', 't-1', '--title', 'API tokens']);
    await run(['question', 'create', '--text', 'JWT or sessions?', '--blocking-task-id', 't-1']);
    await run(['post', '--type', 'decision', '--text', 'Use SQLite.']);
    const file = path.join(folder, 'out.json');
    assert.match((await run(['export', '--format', 'json', '--out', 'out.json'])).out, /^Written: out\.json/);
    assert.deepEqual(
      await run(['export', '--format', 'json', '--out', 'out.json']).then(({ code, err }) => [
        code,
        err.split(' ').slice(-5).join(' '),
      ]),
      [1, 'exists: name a new file'],
    );
    const written = JSON.parse(await readFile(file, 'utf8')) as object;
    for (const more of [[], ['--json']]) {
      const printed = await run(['export', '--format', 'json', ...more]);
      const { exported_at } = JSON.parse(printed.out) as { exported_at: string };
      assert.deepEqual(JSON.parse(printed.out), { ...written, exported_at });
    }
    const into = ['--workspace', other];
    const dry = await run([...into, 'import', '--from', 'json', file, '--dry-run']);
    assert.match(dry.out, /Dry run: nothing was written\.[\s\S]*Would hold:\n {2}Q-1 "JWT or sessions\?": t-1/);
    assert.equal((await run([...into, 'gate', '--work', 't-1'])).code, 2, 'unknown work');
    assert.equal((await json(...into, 'work', 'list'))['total'], 0);
    const done = await json(...into, 'import', '--from', 'json', file);
    assert.deepEqual(
      [done['outcome'], done['comes_in']],
      ['imported', { 'work item': 1, 'open question': 1, 'active event': 1 }],
    );
    assert.match((await run([...into, 'gate', '--work', 't-1'])).err, /^Denied: .*Q-1 "JWT or sessions\?"/);
    assert.equal((await json(...into, 'import', '--from', 'json', file))['outcome'], 'nothing_new');
    assert.match((await run([...into, 'history'])).out, /H-3 +E-1 +event +active/);
    assert.match(
      (await run([...into, 'history', 'Q-1'])).out,
      /imported from an export \(out\.json, Q-1\), not verified/,
    );
    const read = await run([...into, 'export', '--format', 'markdown']);
    assert.match(read.out, /## Project memory/);
    assert.equal(
      (await run([...into, 'export', '--format', 'sqlite', '--out', path.join(other, 'out.sqlite')])).code,
      0,
    );
    assert.equal((await readFile(path.join(other, 'out.sqlite'))).toString('latin1', 0, 15), 'SQLite format 3');
  });

  it('refuses to use a workspace of a newer Holdpoint, and says so', async () => {
    await run(['work', 'register', '--id', 't-1', '--title', 'API tokens']);
    writeByHand(path.join(folder, '.holdpoint', 'journal', '00000001.jsonl'), [
      { kind: 'format.changed', v: 1, minReader: 99, minWriter: 99 },
    ]);
    for (const asked of [
      ['work', 'list'],
      ['gate', '--work', 't-1'],
      ['import', '--from', 'engram', 'x.db'],
      ['export', '--format', 'json'],
    ]) {
      const { code, err } = await run(asked);
      assert.match(err, /written by a newer Holdpoint.*Update Holdpoint/, asked.join(' '));
      assert.equal(code, 2, asked.join(' '));
    }
  });

  it('treats every caller as an agent, whatever name it gives', async () => {
    await run(['question', 'create', '--text', 'Mine?'], { HOLDPOINT_AGENT_ID: 'builder-007' });
    const journal = await readFile(path.join(folder, '.holdpoint', 'journal', '00000001.jsonl'), 'utf8');
    assert.match(journal, /"actor":\{"kind":"agent","id":"builder-007"/);
    const wrong = await run(['question', 'create', '--text', 'Human?'], { HOLDPOINT_AGENT_ID: 'human' });
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /HOLDPOINT_AGENT_ID: is the name of another kind of actor/);
  });

  const bad: readonly [what: string, args: readonly string[], says: RegExp, code?: number][] = [
    [
      'a payload that is not an object',
      ['question', 'create', '--text', 'Which?', '--payload-json', '[1]'],
      /Give a JSON object/,
    ],
    [
      'a path outside the workspace',
      ['question', 'create', '--text', 'a', '--file', '../../etc/passwd'],
      /--file .*inside the workspace/,
    ],
    ['an unknown source', ['import', '--from', 'jira', 'x'], /--from must be codeframe, engram, markdown or json/],
    ['a missing file', ['import', '--from', 'engram', 'no.db'], /no\.db is not there\. Nothing was imported/],
    ['an unknown export format', ['export', '--format', 'xml'], /--format must be json, markdown or sqlite/],
    ['a database on the terminal', ['export', '--format', 'sqlite'], /--out: name the file/],
    ['an unknown history row', ['history', 'H-9'], /no imported item is called H-9/],
    ['a missing folder', ['--workspace', '/nowhere/at/all', 'question', 'list'], /is not a folder/],
    ['an unknown option of the gate', ['gate', '--nonsense'], /unknown option/, 2],
    ['a gate on unknown work', ['gate', '--work', 't-9'], /"t-9" is not registered/, 2],
    ['a gate on a path outside the workspace', ['gate', '--file', '../x'], /inside the workspace/, 2],
  ];
  for (const [what, args, says, code = 1] of bad)
    it(`refuses ${what}, and stores nothing`, async () => {
      const called = await run(args);
      assert.match(called.err, says);
      assert.equal(called.code, code);
      assert.equal((await json('question', 'list'))['total'], 0);
      assert.equal((await json('work', 'list'))['total'], 0);
    });

  it('prints errors as an object with --json', async () => {
    const { out, code } = await run(['question', 'show', 'Q-9', '--json']);
    assert.equal(code, 1);
    assert.equal((JSON.parse(out) as { error: { code: string } }).error.code, 'not_found');
  });

  it('prints usage errors the same way, with nothing on stderr', async () => {
    for (const [args, code, result] of [
      [['question', 'create'], 1, 'error'],
      [['question', 'list', '--nonsense'], 1, 'error'],
      [['no-such-verb'], 1, 'error'],
      [['question', 'answer', 'Q-1', '--text', 'Yes'], 1, 'error'],
      [['gate', '--nonsense'], 2, 'denied'],
      [['gate', '--file', '../x'], 2, 'denied'],
    ] as const) {
      const called = await run([...args, '--json']);
      const data = JSON.parse(called.out) as { result: string; error: { code: string; message: string } };
      assert.deepEqual([called.code, called.err, data.result, data.error.code], [code, '', result, 'bad_input']);
      assert.ok(data.error.message.length > 10, data.error.message);
    }
  });

  it('says which option or command was probably meant, and what a missing one is for', async () => {
    for (const [args, says] of [
      [['question', 'list', '--limt', '1'], /unknown option '--limt' \(Did you mean --limit\?\)\. See holdpoint/],
      [['question', 'list', '--nonsense'], /unknown option '--nonsense'\. See holdpoint question list --help$/],
      [['question', 'withdraw', 'Q-1'], /'--reason <text>' not specified: why it needs no answer$/],
      [
        ['question', 'create', '--text'],
        /'--text <text>' argument missing: the question, in Markdown, up to 2,000 characters$/,
      ],
      [['briefing', 'a', 'b'], /too many arguments for 'briefing'.* See holdpoint briefing --help$/],
      [
        ['--workspace', '.', 'rfc', 'shwo'],
        /unknown command 'shwo' \(Did you mean show\?\)\. See holdpoint rfc --help$/,
      ],
      [['setup', '--remove', '--keys', 'x'], /--remove and --keys do not go together/],
    ] as const) {
      const { code, out, err } = await run(args);
      assert.deepEqual([code, out], [1, ''], args.join(' '));
      assert.match(err, /^holdpoint: [^\n]+$/);
      assert.match(err, says);
    }
    const { code, err } = await run(['gate', '--task', 't-1']);
    assert.equal(code, 2, 'a gate that is called wrongly denies');
    assert.match(err, /unknown option '--task'/);
    const { out } = await run(['question', '--json']);
    assert.match(out, /"a command is missing\. See holdpoint question --help"/);
    assert.match((await run(['question'])).err, /^Usage: holdpoint question/);
  });

  it('takes a path to brief on and several words to search for as they are, and has a view for the dashboard', async () => {
    await run(['post', '--type', 'decision', '--text', 'Sessions, not tokens', '--scope', 'src/auth']);
    for (const args of [
      ['briefing', 'src/auth/login.ts'],
      ['briefing', '--focus', 'src/auth/login.ts'],
    ])
      assert.match((await run(args)).out, /## Relevant to src\/auth\/login\.ts\n### Decisions\n.*Sessions, not tokens/);
    for (const [words, total] of [
      [['tokens', 'sessions'], 1],
      [['tokens', '--limit', '5', 'sessions'], 1],
      [['tokens', 'elsewhere'], 0],
      [[], 1],
    ] as const)
      assert.equal((await json('search', ...words))['total'], total, words.join(' '));
    assert.match((await run(['dashboard'])).out, /^0 workflows held, 0 tasks held/);
  });

  it('gate says to a caller without a name that the agent of the shell is held', async () => {
    const gate = async (...args: string[]) => run(['gate', '--file', 'a.ts', ...args]);
    assert.deepEqual(await gate(), { code: 0, out: 'Allowed: nothing holds a.ts.', err: '' });
    await run(['question', 'create', '--text', 'Which file?'], { HOLDPOINT_AGENT_ID: 'other-001' });
    assert.equal((await gate()).out, 'Allowed: nothing holds a.ts.');
    await run(['question', 'create', '--text', 'May I?']);
    const { code, out } = await gate();
    assert.equal(code, 0, 'the caller may be a script of a human');
    assert.match(
      out,
      /^Allowed: nothing holds a\.ts\.\nshell-001 is held by Q-2\. If that is you, stop: holdpoint gate, /,
    );
    assert.equal((await run(['gate'])).code, 2);
  });

  it('explains where humans decide, for commands that people try', async () => {
    for (const [args, says] of [
      [['question', 'answer', 'Q-1', '--text', 'Yes'], /Only a human can decide.*open Q-1/],
      [['rfc', 'approve', 'RFC-1'], /Only a human can decide.*open RFC-1/],
      [['approve', 'Q-1'], /Only a human can decide/],
    ] as const) {
      const { code, out, err } = await run(args);
      assert.deepEqual([code, out], [1, ''], args.join(' '));
      assert.match(err, says);
    }
    assert.doesNotMatch((await run(['question', '--help'])).out, /answer {2}|approve/);
  });

  it('registers the same work twice without an error, and reports the differences', async () => {
    const register = (...more: string[]) => run(['work', 'register', '--id', 't-1', '--title', 'API tokens', ...more]);
    assert.match((await register('--files', 'src')).out, /^Registered\. API tokens \(t-1\) is todo/);
    assert.match((await register()).out, /^Already registered; nothing changed\./);
    await run(['work', 'update', 't-1', '--status', 'in_progress']);
    const more = await json(...'work register --id t-1 --title Tokens --files docs --status todo'.split(' '));
    assert.deepEqual(more['changed'], [
      { field: 'title', from: 'API tokens', to: 'Tokens' },
      { field: 'holds', from: ['src'], to: ['src', 'docs'] },
    ]);
    assert.equal((more['work'] as { status: string }).status, 'in_progress', 'the status is unchanged');
    const { code, err } = await register('--kind', 'workflow');
    assert.deepEqual([code, err.includes('its kind cannot change')], [1, true], err);
  });
});
