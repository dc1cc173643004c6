import assert from 'node:assert/strict';
import { postAsHuman } from '../../../src/app/memory/decisions.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { signedBy, decide, enrolledHuman, type Human } from '../../support/store/people.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { fault } from '../../support/store/faults.ts';
import { makeSandbox, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { callTool, says } from '../../support/store/callTool.ts';

describe('the tools for project memory', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  let human: Human;

  beforeEach(() => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    human = enrolledHuman(workspace);
  });
  afterEach(removeSandboxes);

  const call = (name: string, input: unknown, as = 'copilot-001') => callTool(workspace, name, input, { as });

  const post = (text: string, more: object = {}) => call('post_event', { type: 'warning', text, ...more });

  it('post events, and return the next step', async () => {
    await says(
      post('The cache is never cleared.', { priority: 'critical', scopes: [sandbox.at('ws', 'src', 'cache.ts')] }),
      'ok',
      /^Posted E-1 \(critical warning on src\/cache\.ts\)\. Close it with holdpoint_post_note/,
    );
    await says(
      call('post_event', { type: 'mutation', text: 'Moved it.' }),
      'ok',
      /Posted E-2 \(normal mutation on everything\)/,
    );
    await says(
      call('post_event', { type: 'mutation', text: 'moved  it.' }),
      'ok',
      /less than 30 minutes ago: it is E-2\. Nothing was added/,
    );
  });

  it('refuse invalid input, naming the field', async () => {
    await says(post('x'.repeat(10_001)), 'error', /text: must be at most 10000/);
    await says(post('x', { scopes: ['../other'] }), 'error', /scopes\[0\] /);
    await says(post('x', { actor: 'human' }), 'error', /There is no input "actor"\. The inputs are type, /);
    await says(post('x', { related: ['E-4'] }), 'error', /There is no event E-4/);
    await says(call('close_event', { id: 'E-1' }), 'error', /reason: say why/);
    await says(call('close_event', { id: 'E-1', reason: 'So.' }), 'error', /There is no event E-1/);
    await says(call('search_events', { since: 'yesterday' }), 'error', /since/);
    await says(call('get_briefing', { focus: '/etc' }), 'error', /Focus "\/etc": must be inside/);
  });

  it('resolve events, and supersede them in chains', async () => {
    for (const text of ['One.', 'Two.', 'Three.']) await post(text);
    await says(call('close_event', { id: 'E-1', superseded_by: 'E-2' }), 'ok', /^Closed: E-1 was superseded by E-2/);
    await says(
      call('close_event', { id: 'E-2', superseded_by: 'E-3', reason: 'Newer.' }),
      'ok',
      /superseded by E-3: Newer\./,
    );
    await says(
      call('close_event', { id: 'E-3', reason: 'Fixed.' }),
      'ok',
      /^Closed: E-3 was resolved by copilot-001: Fixed\./,
    );
    await says(call('close_event', { id: 'E-3', reason: 'Fixed.' }), 'error', /E-3 is already resolved/i);
    await says(
      call('search_events', { id: 'E-2' }),
      'ok',
      /Two\.\nE-2 was superseded by E-3: Newer\.\nLineage: E-1 \(superseded\) -> E-2 \(superseded\) -> E-3 \(resolved\)\nRelated: E-1$/,
    );
  });

  it("propose to close a human's event", async () => {
    const store = await workspace.store();
    await postAsHuman(signedBy(store, human), { type: 'decision', text: 'We use JWT.', priority: 'high', scopes: [] });
    const { data } = await says(
      call('close_event', { id: 'E-1', reason: 'Old.' }),
      'ok',
      /^E-1 was posted by Ada, a human, so only a human can close it\. Your proposal waits in the editor; until a human accepts it, E-1 stays/,
    );
    assert.equal(data['outcome'], 'proposed');
    await says(call('search_events', { id: 'E-1' }), 'ok', /copilot-001 has proposed to close it/);
  });

  it('search events', async () => {
    await post('The cache is never cleared.', { scopes: ['src/cache.ts'] });
    await post('Other.');
    await says(
      call('search_events', { words: 'CACHE "cleared"' }),
      'ok',
      /^1 event\nE-1 · active · normal warning · src\/cache\.ts · copilot-001, 2026-03-02 · The \*\*cache\*\* is never \*\*cleared\*\*\.$/,
    );
    await says(call('search_events', { limit: 1 }), 'ok', /^1 of 2 events\nE-2/);
    await says(call('search_events', { scope: 'src' }), 'ok', /^1 event\nE-1/);
    await says(call('search_events', { since: '2026-03-03' }), 'ok', /^0 events$/);
  });

  it('are read where the disk takes no writes, with a note that says so', async () => {
    await post('Tokens expire.');
    await call('raise_question', { text: 'JWT or sessions?' });
    workspace.close();
    const readOnly = Object.fromEntries(
      (['writeSync', 'fsyncSync', 'fdatasyncSync', 'mkdirSync', 'renameSync', 'writeFileSync'] as const).map((name) => [
        name,
        () => {
          throw fault('EROFS');
        },
      ]),
    );
    const openSync: FileSystem['openSync'] = (file, flags, mode) => {
      if (flags !== 'r') throw fault('EROFS');
      return realFs.openSync(file, flags, mode);
    };
    workspace = sandbox.open({ fs: { ...realFs, ...readOnly, openSync } });
    const note = /\nNothing can be saved here, so earlier writes are not confirmed, .*EROFS/;
    await says(call('list_questions', {}), 'ok', /Q-1/, note);
    await says(call('get_briefing', {}), 'ok', /Tokens expire/, note);
    await says(call('search_events', { words: 'token' }), 'ok', /E-1/, note);
    await says(call('list_rfcs', {}), 'ok', /^0 RFCs/, note);
    await says(call('list_requests', { box: 'all' }), 'ok', note);
    await says(call('post_event', { type: 'warning', text: 'Lost.' }), 'error', /Nothing was done: .*EROFS/);
  });

  it('search by the beginnings of words, and by any part of texts without spaces', async () => {
    await post('Tokens expire after one hour.');
    await post('決済のタイムアウトは三十秒です。');
    await post('支付服务在东京区域运行');
    await post('การชำระเงินหมดเวลา');
    for (const [words, found] of [
      ['token', /^1 event\nE-1.*\*\*Tokens\*\*/],
      ['tok* exp*', /^1 event\nE-1/],
      ['okens', /^0 events$/],
      ['タイムアウト', /^1 event\nE-2/],
      ['三十秒 決済', /^1 event\nE-2/],
      ['东京', /^1 event\nE-3/],
      ['เงิน', /^1 event\nE-4/],
      ['大阪', /^0 events$/],
      ['東 token', /^0 events$/],
    ] as const)
      await says(call('search_events', { words }), 'ok', found);
    for (const words of ['*', '*kens', 'to*ens', 'tok**'])
      await says(call('search_events', { words }), 'error', /"\*" can only end a word/);
  });

  it('brief agents, deliver each answer once, and stay within the token budget', async () => {
    for (let index = 0; index < 20; index++) await post(`Warning ${String(index)} of many.`, { scopes: ['src'] });
    await post('Never drop this.', { priority: 'critical' });
    await call('raise_question', { text: 'JWT or sessions?' }, 'claude-002');
    const { data } = await says(
      call('get_briefing', { focus: 'src/a.ts' }),
      'ok',
      /## Relevant to src\/a\.ts\n### Warnings\n- E-20/,
      /- and 10 more/,
    );
    assert.deepEqual(Object.keys(data), ['schema', 'briefing', 'requests_waiting']);
    const tight = await says(
      call('get_briefing', { focus: 'src/a.ts', max_tokens: 100 }),
      'ok',
      /Never drop this/,
      /Q-1 "JWT or sessions\?" waits/,
    );
    assert.ok(tight.text.length <= 400, String(tight.text.length));
    await decide(workspace, human, 'Q-1');
    const answer = await says(
      call('get_briefing', {}, 'claude-002'),
      'ok',
      /Q-1 answered for claude-002: "Yes, go on\."/,
    );
    assert.doesNotMatch(answer.text, /Also:/);
    assert.doesNotMatch(
      (await call('get_briefing', {}, 'claude-002')).text,
      /Q-1/,
      'the next call shows that the answer was received',
    );
  });
});
