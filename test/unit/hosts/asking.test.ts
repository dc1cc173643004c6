/** What hosts ask their users by themselves. Forms that are not recorded (test/fixtures/hooks) are those of their documentation. */
import assert from 'node:assert/strict';
import type { Asking } from '../../../src/hosts/call.ts';
import type { HostName } from '../../../src/hosts/host.ts';
import { hosts } from '../../../src/hosts/hosts.ts';
import * as commands from '../../../src/hosts/payload/commands.ts';
import { readCall } from '../../../src/hosts/payload/read.ts';
import { editorHost } from '../../../src/ui/setup/model.ts';

function asking(host: HostName, event: string, more: object): Asking | null {
  const payload = { hook_event_name: event, session_id: 's', cwd: '/home/dev/shop', ...more };
  return readCall(hosts[host], payload, { platform: 'linux', commands }).asking;
}

const options = [{ label: 'JWT', description: 'Signed' }, { label: 'Sessions' }];

const asked = { text: 'Which tokens?', choices: options, multiple: false };

const tools: readonly (readonly [host: HostName, tool: string, input: object])[] = [
  ['claude-code', 'AskUserQuestion', { questions: [{ question: asked.text, header: 'Tokens', options }] }],
  ['codex', 'request_user_input', { questions: [{ id: 'tokens', header: 'Tokens', question: asked.text, options }] }],
  ['opencode', 'question', { questions: [{ question: asked.text, header: 'Tokens', options }] }],
  ['vscode', 'vscode_askQuestions', { questions: [{ question: asked.text, header: 'Tokens', options }] }],
];

describe('a host that asks its user by itself', () => {
  for (const [host, tool, input] of tools)
    it(`${host}: ${tool} is read with its choices`, () => {
      assert.deepEqual(asking(host, 'PreToolUse', { tool_name: tool, tool_input: input }), {
        kind: 'asked',
        by: tool,
        questions: [asked],
      });
    });

  it('copilot-cli: ask_user has one question, and choices without a description', () => {
    const toolArgs = JSON.stringify({ question: asked.text, choices: ['JWT', 'Sessions'] });
    assert.deepEqual(asking('copilot-cli', 'preToolUse', { toolName: 'ask_user', toolArgs }), {
      kind: 'asked',
      by: 'ask_user',
      questions: [{ ...asked, choices: [{ label: 'JWT' }, { label: 'Sessions' }] }],
    });
  });

  it('codex: request_user_input_async has titles, and choices without a description', () => {
    const input = { questions: [{ title: asked.text, options: ['JWT', 'Sessions'] }] };
    assert.deepEqual(asking('codex', 'PreToolUse', { tool_name: 'request_user_input_async', tool_input: input }), {
      kind: 'asked',
      by: 'request_user_input_async',
      questions: [{ ...asked, choices: [{ label: 'JWT' }, { label: 'Sessions' }] }],
    });
  });

  it('several questions are read each with its own answer, and one without an answer is left out', () => {
    const questions = ['One?', 'Two?', 'Three?'].map((question, index) => ({ id: `q${String(index)}`, question }));
    const answersOf = (host: HostName, tool: string, response: unknown) => {
      const read = asking(host, 'PostToolUse', { tool_name: tool, tool_input: { questions }, tool_response: response });
      assert.ok(read?.kind === 'answered');
      return read.answers.map(({ question, text }) => [question, text]);
    };
    const wanted = [
      ['One?', 'a'],
      ['Three?', 'b, c'],
    ];
    assert.deepEqual(
      answersOf('claude-code', 'AskUserQuestion', { answers: { 'One?': 'a', 'Three?': 'b, c' } }),
      wanted,
    );
    const byId = { answers: { q0: { answers: ['a'] }, q2: { answers: ['b', 'c'] } } };
    assert.deepEqual(answersOf('codex', 'request_user_input', JSON.stringify(byId)), wanted);
    assert.deepEqual(answersOf('opencode', 'question', { metadata: { answers: [['a'], [], ['b', 'c']] } }), wanted);
  });

  it('an answer that the host marks as secret is left out', () => {
    const input = { questions: [{ id: 'key', question: 'The key?', isSecret: true }] };
    const response = { answers: { key: { answers: ['hunter2'] } } };
    assert.deepEqual(
      asking('codex', 'PostToolUse', { tool_name: 'request_user_input', tool_input: input, tool_response: response }),
      { kind: 'answered', by: 'request_user_input', answers: [{ question: 'The key?', text: 'a secret' }] },
    );
  });

  it('Claude Code also passes what MCP servers ask; how that ends is read without its content', () => {
    const more = { mcp_server_name: 'deploy', mode: 'form', elicitation_id: 'e-1' };
    assert.deepEqual(asking('claude-code', 'Elicitation', { ...more, message: 'Which region?' }), {
      kind: 'asked',
      by: 'deploy',
      questions: [{ text: 'Which region?', choices: [], multiple: false }],
    });
    const ended = { ...more, action: 'accept', content: { region: 'eu', token: 'hunter2' } };
    assert.deepEqual(asking('claude-code', 'ElicitationResult', ended), {
      kind: 'answered',
      by: 'deploy',
      answers: [{ question: null, text: 'accept' }],
    });
  });

  it('our own server shows links to its questions, which are no other questions', () => {
    for (const name of ['holdpoint', 'plugin:holdpoint:holdpoint'])
      for (const [event, more] of [
        ['Elicitation', { mode: 'url', message: 'Q-2 needs your decision: Shall I?' }],
        ['ElicitationResult', { action: 'accept' }],
      ] as const)
        assert.equal(asking('claude-code', event, { mcp_server_name: name, ...more }), null);
  });

  it('other tools ask nothing, and a form that is not known asks nothing either', () => {
    const read = (input: unknown) =>
      asking('claude-code', 'PreToolUse', { tool_name: 'AskUserQuestion', tool_input: input });
    assert.equal(asking('claude-code', 'PreToolUse', { tool_name: 'Read', tool_input: { question: 'x' } }), null);
    for (const input of [{}, { questions: 'x' }, { questions: [1, null, {}] }, { question: 7 }])
      assert.deepEqual(read(input), { kind: 'asked', by: 'AskUserQuestion', questions: [] });
    for (const response of [7, 'done', { answers: 7 }, { answers: { 'One?': { a: 1 } } }])
      assert.deepEqual(
        asking('claude-code', 'PostToolUse', {
          ...{ tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'One?' }] } },
          tool_response: response,
        }),
        { kind: 'answered', by: 'AskUserQuestion', answers: [] },
      );
  });
});

describe('the host that an editor is', () => {
  for (const [appName, host] of [
    ['Visual Studio Code', 'vscode'],
    ['Visual Studio Code - Insiders', 'vscode'],
    ['VSCodium', 'vscode'],
    ['code-server', 'vscode'],
    ['', 'vscode'],
    ['Cursor', 'cursor'],
    ['Windsurf - Next', 'windsurf'],
    ['Kiro', 'kiro'],
    ['Antigravity', 'antigravity'],
    ['Precursor Studio', 'vscode'],
  ] as const)
    it(`is ${host} for “${appName}”`, () => {
      assert.equal(editorHost(appName), host);
    });
});
