/** The result of every tool: its first line says what to do, or not to do, next; it has the usual length; a denial is one line. */
import assert from 'node:assert/strict';
import type { AgentSession } from '../../src/app/workspace/session.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { runAgentTool, usualLength } from '../../src/tools/agent/tool.ts';
import { catalog } from '../../src/tools/catalog.ts';
import type { ToolResult } from '../../src/tools/kit/operation.ts';
import { agent, askAgent, decide, enrolledHuman, type Human } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';

const long = 'A long sentence that says the same again and again. '.repeat(30).trim();

describe('the results of tools', function () {
  this.timeout(60_000);
  let workspace: Workspace;
  let human: Human;
  const called = new Set<string>();
  const [one, two] = [agent(), agent('claude-002')];

  before(() => {
    workspace = makeSandbox().open();
    human = enrolledHuman(workspace);
  });
  after(removeSandboxes);

  /** Calls a tool, and checks what is true of every result. */
  async function call(name: string, input: object, session: AgentSession = one): Promise<ToolResult> {
    const tool = catalog.find((each) => each.name === `holdpoint_${name}`);
    assert.ok(tool, name);
    called.add(tool.name);
    const signal = new AbortController().signal;
    const result = await runAgentTool(tool, { workspace, session, signal, waitMs: 0 }, input);
    if (!tool.isWhole?.({ ...input }))
      assert.ok(result.text.length <= usualLength, `${name}: ${String(result.text.length)}\n${result.text}`);
    return result;
  }

  async function says(name: string, input: object, first: RegExp, session?: AgentSession): Promise<ToolResult> {
    const result = await call(name, input, session);
    assert.match(result.text.split('\n', 1)[0] ?? '', first, result.text);
    return result;
  }

  it('before anything waits', async () => {
    await says('get_briefing', {}, /^# Briefing/);
    await says('check_gate', {}, /^Allowed: nothing holds your session\./);
    await says('await_answer', {}, /nothing to wait for/);
    await says('list_items', {}, /^0 questions/);
    await says('list_items', { what: 'requests' }, /Call holdpoint_register_responsibility/);
    await says(
      'record_work',
      { id: 't-1', title: 'API tokens', holds: ['src'] },
      /^Registered\. .* Set it in_progress/,
    );
    await says('record_work', { id: 't-2', title: 'Docs', depends_on: ['t-1'] }, /^Registered\. .* Set it in_progress/);
    await says('record_work', { id: 't-1', status: 'in_progress' }, /Set it done when you have finished it\./);
    await says(
      'record_work',
      { id: 't-9' },
      /^Work item "t-9" is not registered\. Register it first: holdpoint_record_work/,
    );
  });

  it('of notes, with how to end them', async () => {
    const note = { type: 'warning', title: 'Slow', text: long, scopes: ['src'] };
    await says('post_note', note, /^Posted E-1 .* Close it with holdpoint_post_note {"close":"E-1"}/);
    await says('post_note', { ...note, title: 'Slower', close: 'E-1', reason: long }, /^Posted E-2 .* Close it with/);
    await says('post_note', { close: 'E-2', reason: 'Fast now.' }, /^Closed: E-2/);
    await says('get_briefing', { words: 'slow' }, /^2 events/);
  });

  it('of requests, with whose turn it is', async () => {
    await says('register_responsibility', { id: 'docs', name: 'Docs' }, /holdpoint_list_items {"what":"requests"}/);
    await call('register_responsibility', { id: 'api', name: 'API' }, two);
    const request = { type: 'request_for_action', target: 'api', subject: 'Look', summary: long };
    await says(
      'create_request',
      { ...request, origin: 'docs', suggested_actions: ['Look.'] },
      /You do not have to wait/,
    );
    await says('list_items', { what: 'requests' }, /^1 request/, two);
    await says('await_answer', { id: 'R-1' }, /holdpoint_await_answer {"id":"R-1"}/);
    await says(
      'respond_to_request',
      { id: 'R-1', action: 'accept' },
      /When it is done: holdpoint_respond_to_request/,
      two,
    );
    await says('respond_to_request', { id: 'R-1', action: 'complete', note: long }, /completed/, two);
    await says('await_answer', { id: 'R-1' }, /completed/);
  });

  it('while one question holds, and of its end', async () => {
    const question = { text: `JWT or sessions?\n\n${long}`, work_id: 't-1', background: long };
    await says('raise_question', question, /^Q-1 is still waiting for a human .* Do not work on API tokens \(t-1\)/);
    await says('raise_question', question, /^You asked this before: it is Q-1\. .* Do not work/);
    await says('await_answer', { id: 'Q-1' }, /^Q-1 .* Do not work .* Call holdpoint_await_answer/);
    await says('park_question', { id: 'Q-1', doing: long, next: long }, /^Q-1 is parked .* End your turn now\./);
    await askAgent(workspace, human, 'Q-1', long);
    await says('await_answer', { id: 'Q-1' }, /^Ada asks copilot-001 something about Q-1/);
    await says('reply_question', { id: 'Q-1', text: long }, /^Your reply was sent\. .* Do not work/);
    await says(
      'raise_question',
      { text: 'Which colour?', mode: 'async' },
      /^Q-2 .* answer will come with a later result/,
    );
    await says('withdraw_question', { id: 'Q-2', reason: long }, /^Q-2 .* was withdrawn/);
    await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { text: long, choices: [] } });
    await says('await_answer', { id: 'Q-1' }, /^Q-1 answered by Ada/);
  });

  it('while several holders hold: one line, and the others by their names', async () => {
    for (const text of ['Approve it?', 'And this?', 'And that?'])
      await call('raise_question', { text, work_id: 't-1', type: 'approval' });
    const markdown = `# Store\n\n## Summary\n\n${long}\n`;
    const proposed = /^RFC-1 .* Do not work on Docs \(t-2\).* submit it with holdpoint_propose_rfc/;
    await says('propose_rfc', { title: 'Store', markdown, work_ids: ['t-2'], submit: false }, proposed);
    await says('propose_rfc', { id: 'RFC-1', submit: true }, /^RFC-1 .* Do not work on Docs \(t-2\)/);
    await says('list_items', { id: 'RFC-1' }, /^RFC-1/);
    for (const [name, input] of [
      ['check_gate', { work_id: 't-1' }],
      ['check_gate', { work_id: 't-2', files: ['src/a.ts', 'src/b.ts', 'c.ts'] }],
      ['record_work', { id: 't-1', status: 'done' }],
    ] as const) {
      const { status, text } = await says(name, input, /^Denied: .* Call holdpoint_await_answer .* Also held .*by /);
      assert.equal(status, 'denied');
      const [denial = '', ...more] = text.split('\n');
      for (const id of ['Q-3', 'Q-4', 'Q-5']) assert.ok(denial.includes(id), text);
      for (const line of more) assert.match(line, /^Free work: /);
    }
  });

  it('of many items, with what was left out and how to get it', async () => {
    for (let number = 0; number < 30; number += 1) {
      await call('raise_question', { text: `Number ${String(number)}? ${long}`, holds: [`lib/${String(number)}`] });
      await call('record_work', {
        id: `w-${String(number)}`,
        title: `Part ${String(number)} of a large piece of work`,
      });
    }
    const files = Array.from({ length: 50 }, (_, number) => `lib/${String(number)}/file.ts`);
    await says('check_gate', { files }, /^Denied: /);
    const { text } = await says('await_answer', {}, /^Q-\d+ is still waiting for a human .* Do not /);
    assert.match(text, /\[… \d+ characters left out; read .* with holdpoint_list_items and id …\]/);
    await says('list_items', {}, /^5 of 33 questions/);
    await says('list_items', { what: 'work' }, /^\d+ of 32 work items/);
    await says('list_items', { what: 'rfcs' }, /^1 RFC/);
  });

  it('of mistakes, which say that nothing was done', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`input_${String(number)}`, long]));
    for (const { name, input } of catalog) {
      const wrong = Object.fromEntries(Object.keys(input.shape).map((key) => [key, { wrong: long }]));
      for (const given of [{ ...unknown, id: 'Q-3' }, wrong])
        await says(name.replace('holdpoint_', ''), given, /Nothing was done|There is no|is missing|Denied/);
    }
  });

  it('were looked at for every tool', () => {
    assert.deepEqual(
      catalog.filter(({ name }) => !called.has(name)).map(({ name }) => name),
      [],
    );
  });
});
