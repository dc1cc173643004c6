import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { UnreadableCall, type HookAnswer, type HookCall } from '../../../src/hosts/call.ts';
import { hostNames } from '../../../src/core/kit/limits.ts';
import type { HostName } from '../../../src/hosts/host.ts';
import { isOwnTool, ownTools } from '../../../src/hosts/ownTools.ts';
import { callerOf, failure } from '../../../src/hosts/caller.ts';
import { hosts } from '../../../src/hosts/hosts.ts';
import { filesOfPatch } from '../../../src/hosts/payload/toolKinds.ts';
import { printAnswer } from '../../../src/hosts/payload/print.ts';
import * as commands from '../../../src/hosts/payload/commands.ts';
import { readCall } from '../../../src/hosts/payload/read.ts';
import { catalog } from '../../../src/tools/catalog.ts';
import { asSentBy } from '../../support/hostCalls.ts';
import { root } from '../../support/host.ts';

const fixtures = path.join(root, 'test', 'fixtures', 'hooks');

function read(host: HostName, payload: unknown): HookCall {
  return readCall(hosts[host], payload, { platform: 'linux', commands });
}

/** A call in the common form, in the host's own. */
function readAs(host: HostName, payload: unknown): HookCall {
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  return read(host, isObject ? asSentBy(host, payload as Record<string, unknown>) : payload);
}

function tool(host: HostName, name: string, input: unknown) {
  const payload = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: '/home/dev/shop',
    tool_name: name,
    tool_input: input,
  };
  return readAs(host, payload).tool!;
}

describe('a hook’s payload', () => {
  describe('from recordings and documentation', () => {
    for (const host of hostNames)
      for (const file of readdirSync(path.join(fixtures, host)).filter((name) => name.endsWith('.json')))
        it(`${host} ${file}`, () => {
          const { call, ...expected } = expectedOf(host, file);
          assert.deepEqual({ ...expected }, { ...expected, ...pick(call, expected) });
        });
  });

  function expectedOf(host: HostName, file: string) {
    const { payload, is } = fixture(path.join(fixtures, host, file));
    return { call: read(host, payload), ...is };
  }

  function pick({ tool: used, event, session, cwd, asking, stopping }: HookCall, wanted: object): object {
    const all: Record<string, unknown> = { ...used, event, session, cwd, asking, stopping };
    return Object.fromEntries(Object.keys(wanted).map((key) => [key, all[key]]));
  }

  it('identifies the host that runs the hook where two hosts run each other’s hooks', () => {
    const seen = (host: HostName, file: string) => fixture(path.join(fixtures, host, file)).payload;
    const [cli, chat] = [seen('copilot-cli', 'asVscode-Edit.json'), seen('vscode', 'PreToolUse-create_file.json')];
    const env = { COPILOT_CLI: '1', COPILOT_HOOK_DIR: '/home/dev/shop/.github/hooks' };
    assert.equal(callerOf('vscode', cli, env), 'copilot-cli');
    assert.equal(callerOf('vscode', chat, {}), 'vscode');
    assert.equal(callerOf('copilot-cli', chat, {}), 'vscode');
    for (const file of readdirSync(path.join(fixtures, 'copilot-cli')))
      assert.equal(callerOf('copilot-cli', seen('copilot-cli', file), env), 'copilot-cli', file);
    // VS Code with the CLI’s environment, and a host that does not identify itself.
    assert.equal(callerOf('vscode', chat, env), 'vscode');
    assert.equal(callerOf('vscode', cli, { COPILOT_CLI: '1', COPILOT_HOOK_DIR: '' }), 'vscode');
    assert.equal(callerOf('claude-code', chat, env), 'claude-code');
    for (const payload of [null, 7, []]) assert.equal(callerOf('vscode', payload, env), 'vscode');
  });

  it('of Cursor is one, whichever of its files and of Claude Code’s has the hook', () => {
    for (const file of readdirSync(path.join(fixtures, 'cursor'))) {
      const { payload } = fixture(path.join(fixtures, 'cursor', file));
      assert.equal(callerOf('claude-code', payload, {}), 'cursor', file);
    }
    for (const event of ['sessionStart', 'beforeSubmitPrompt', 'preCompact'])
      assert.equal(read('cursor', { hook_event_name: event, cursor_version: '2.4.0' }).event, 'other');
    assert.throws(() => read('cursor', { hook_event_name: 'afterThought' }), UnreadableCall);
  });

  it('of Cursor gets an object as each answer, and one that it reads', () => {
    const printed = (answer: HookAnswer) => {
      const { exit, out } = printAnswer(hosts.cursor, { eventName: '' }, answer);
      return [exit, JSON.parse(out) as unknown];
    };
    assert.deepEqual(printed({ kind: 'nothing' }), [0, {}]);
    const deny = { permission: 'deny', user_message: 'held', agent_message: 'held' };
    assert.deepEqual(printed({ kind: 'deny', reason: 'held' }), [2, deny]);
    assert.deepEqual(printed({ kind: 'context', text: 'changed' }), [0, { additional_context: 'changed' }]);
    assert.deepEqual(printed({ kind: 'goOn', reason: 'changed' }), [0, { followup_message: 'changed' }]);
  });

  it('is read by the host’s own adapter and by the adapter of the host that may run its file', () => {
    for (const [host, other] of [
      ['copilot-cli', 'vscode'],
      ['vscode', 'copilot-cli'],
    ] as const)
      for (const file of readdirSync(path.join(fixtures, host)))
        assert.deepEqual(
          read(other, fixture(path.join(fixtures, host, file)).payload),
          expectedOf(host, file).call,
          `${other} ${file}`,
        );
  });

  it('gets a denial from Copilot CLI’s adapter in the only form whose reason reaches the model, even when the gate fails', async () => {
    const deny = { kind: 'deny', reason: 'held by Q-1' } as const;
    for (const eventName of ['', 'PreToolUse'])
      assert.deepEqual(JSON.parse(printAnswer(hosts['copilot-cli'], { eventName }, deny).out), {
        permissionDecision: 'deny',
        permissionDecisionReason: 'held by Q-1',
      });
    const { exit, out, err } = await failure('no answer', 'copilot-cli');
    assert.equal(exit, 2);
    assert.deepEqual(JSON.parse(out), { permissionDecision: 'deny', permissionDecisionReason: err });
    assert.equal((await failure('no answer', 'codex')).out, '');
  });

  it('names the files of every edit', () => {
    const cases: readonly [HostName, string, unknown, readonly string[]][] = [
      ['claude-code', 'Edit', { file_path: '/w/a', old_string: 'x', new_string: 'y' }, ['/w/a']],
      ['claude-code', 'MultiEdit', { file_path: '/w/a', edits: [{}, {}] }, ['/w/a']],
      ['claude-code', 'NotebookEdit', { notebook_path: '/w/a.ipynb', new_source: 'x' }, ['/w/a.ipynb']],
      ['vscode', 'create_file', { filePath: '/w/a', content: 'x' }, ['/w/a']],
      ['vscode', 'edit_notebook_file', { filePath: '/w/a.ipynb' }, ['/w/a.ipynb']],
      [
        'vscode',
        'multi_replace_string_in_file',
        { explanation: 'x', replacements: [{ filePath: '/w/a' }, { filePath: '/w/b' }] },
        ['/w/a', '/w/b'],
      ],
      [
        'vscode',
        'apply_patch',
        {
          input:
            '*** Begin Patch\n*** Update File: /w/a\n*** Move to: /w/b\n*** Add File: /w/c\n+x\n*** Delete File: /w/d\n*** End Patch',
          explanation: 'x',
        },
        ['/w/a', '/w/b', '/w/c', '/w/d'],
      ],
      [
        'codex',
        'apply_patch',
        { command: ['apply_patch', '*** Begin Patch\n*** Update File: src/a.js\n*** End Patch'] },
        ['src/a.js'],
      ],
      ['copilot-cli', 'str_replace_editor', { command: 'create', path: '/w/a' }, ['/w/a']],
      ['opencode', 'patch', { patchText: 'diff --git a/x b/y\n--- a/x\n+++ b/y\n' }, ['x', 'y']],
    ];
    for (const [host, name, input, files] of cases) {
      const used = tool(host, name, input);
      assert.equal(used.changes, true, name);
      assert.equal(used.opaque, false, name);
      for (const file of files) assert.ok(used.files.includes(file), `${name}: ${used.files.join(' ')}`);
    }
  });

  it('of an edit without a readable path counts as a change to unknown files', () => {
    for (const [host, name, input] of [
      ['claude-code', 'Edit', {}],
      ['claude-code', 'Edit', { filepath: '/w/a' }],
      ['vscode', 'create_file', { file_path: 7 }],
      ['codex', 'apply_patch', { command: 'no patch at all' }],
      ['claude-code', 'Bash', {}],
      ['claude-code', 'Bash', { command: 7 }],
      ['codex', 'shell', { command: ['rm', 7] }],
      ['claude-code', 'NewEditingTool', { where: '/w/a' }],
      // Text can be typed into it later, for which Codex runs no hook.
      ['codex', 'Bash', { command: 'bash' }],
      ['vscode', 'run_task', { id: 'build' }],
    ] as const) {
      const used = tool(host, name, input);
      assert.deepEqual([used.changes, used.opaque], [true, true], name);
    }
  });

  it('takes only paths from tools of other MCP servers, and identifies them by name', () => {
    for (const [host, name] of [
      ['claude-code', 'mcp__files__write'],
      ['vscode', 'mcp_files_write'],
      ['copilot-cli', 'files-write'],
      ['codex', 'mcp__files__write'],
      ['opencode', 'files_write'],
      ['gemini-cli', 'mcp_files_write'],
      ['cursor', 'MCP:write'],
      ['kiro', '@files/write'],
    ] as const) {
      const used = tool(host, name, { path: '/w/a', more: { targetFile: '/w/b' } });
      assert.deepEqual(
        [used.server, used.changes, used.opaque, used.files],
        [true, true, false, ['/w/a', '/w/b']],
        name,
      );
    }
  });

  it('gets the name of a server’s tool in its host’s spelling', () => {
    for (const [host, name] of [
      ['claude-code', 'mcp__my_docs__search_all'],
      ['vscode', 'mcp_my.docs_search_all'],
      ['copilot-cli', 'my_docs-search_all'],
      ['codex', 'mcp__my_docs__search_all'],
      ['opencode', 'my_docs_search_all'],
      ['gemini-cli', 'mcp_my.docs_search.all'],
      ['kiro', '@my_docs/search_all'],
      ['windsurf', 'mcp__my_docs__search_all'],
    ] as const) {
      const { serverToolName } = hosts[host];
      assert.equal(serverToolName('my.docs', 'search.all'), name);
      assert.equal(tool(host, name, {}).server, true);
    }
    assert.equal(hosts.vscode.serverToolName('GitHub-Enterprise', 'x'.repeat(90)).length, 64);
    assert.match(hosts.vscode.serverToolName('GitHub-Enterprise', 'read'), /^mcp_github-enterp_read$/);
  });

  it('is recognized as a call of Holdpoint’s own tools, but not when another tool copies the name', () => {
    assert.deepEqual([...ownTools].sort(), catalog.map(({ name }) => name).sort());
    for (const prefix of [
      '',
      'mcp__holdpoint__',
      'mcp_holdpoint_',
      'mcp_holdpoint_sho_',
      'mcp__plugin_holdpoint_holdpoint__',
      'holdpoint-',
      'holdpoint_',
      'MCP:',
      '@holdpoint/',
    ])
      assert.ok(isOwnTool(`${prefix}holdpoint_check_gate`), prefix);
    for (const name of [
      'mcp__files__holdpoint_check_gate',
      'holdpoint_answer',
      'holdpoint_check_gate2',
      'mcp__holdpoint__write',
      'x-holdpoint_check_gate',
      'mcp__files_holdpoint__holdpoint_check_gate',
      '@files/holdpoint_check_gate',
      'MCP:files/holdpoint_check_gate',
    ])
      assert.ok(!isOwnTool(name), name);
    const payload = {
      hook_event_name: 'PreToolUse',
      tool_name: 'mcp__holdpoint__holdpoint_check_gate',
      tool_input: {},
      mcp_server: { name: 'files' },
    };
    assert.equal(read('claude-code', payload).tool?.own, false);
    const copied = {
      hook_event_name: 'BeforeTool',
      tool_name: 'mcp_holdpoint_holdpoint_check_gate',
      tool_input: {},
      mcp_context: { server_name: 'files' },
    };
    assert.equal(read('gemini-cli', copied).tool?.own, false);
  });

  it('that may be a tool call but cannot be read is an error', () => {
    const bad: readonly unknown[] = [
      null,
      7,
      'x',
      [],
      {},
      { hook_event_name: 'PreToolUse' },
      { hook_event_name: 'AfterThought', tool_name: 'Edit' },
      { hook_event_name: 'PreToolUse', tool_name: '' },
      { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: 7 },
      { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: [] },
      { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: {}, v: 2 },
      { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: {}, schema_version: '2.0' },
      { hook_event_name: 'toString', tool_name: 'Edit', tool_input: {} },
      { hook_event_name: '__proto__' },
    ];
    for (const host of hostNames)
      for (const payload of bad.filter((one) => saysEvents(host) || !isOtherEvent(one)))
        assert.throws(() => readAs(host, payload), UnreadableCall, `${host} ${JSON.stringify(payload)}`);
  });

  it('may use either spelling of its fields and have unknown fields', () => {
    for (const host of ['vscode', 'copilot-cli'] as const) {
      const snake = read(host, {
        hook_event_name: 'PreToolUse',
        session_id: 's',
        cwd: '/w',
        tool_name: 'edit',
        tool_input: { path: 'a' },
        more: 1,
      });
      const camel = read(host, {
        hookEventName: 'preToolUse',
        sessionId: 's',
        cwd: '/w',
        toolName: 'edit',
        toolArgs: '{"path":"a"}',
        more: [],
      });
      const bare = read(host, { sessionId: 's', timestamp: 1, cwd: '/w', toolName: 'edit', toolArgs: { path: 'a' } });
      for (const call of [camel, bare]) assert.deepEqual({ ...call, eventName: '' }, { ...snake, eventName: '' });
    }
  });

  it('never gets an approval as its answer', () => {
    const anything = fc.oneof(fc.string(), fc.anything(), fc.constantFrom('allow', 'ask', 'approve'));
    const answers: fc.Arbitrary<HookAnswer> = fc.oneof(
      fc.constant<HookAnswer>({ kind: 'nothing' }),
      fc.record({ kind: fc.constant('deny' as const), reason: fc.string() }),
      fc.record({ kind: fc.constant('context' as const), text: fc.string() }),
      fc.record({ kind: fc.constant('goOn' as const), reason: fc.string() }),
      fc.record({ kind: fc.constant('stamp' as const), input: fc.dictionary(fc.string(), anything) }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...hostNames), fc.string(), answers, (host, eventName, answer) => {
        const { exit, out } = printAnswer(hosts[host], { eventName }, answer);
        const { deny: denial, goOnExit = denial?.exit ?? 2 } = hosts[host];
        const denialExit = denial?.exit ?? 2;
        assert.equal(exit, answer.kind === 'deny' ? denialExit : answer.kind === 'goOn' ? goOnExit : 0);
        if (out === '') return;
        const json = JSON.parse(out) as Record<string, unknown>;
        for (const part of [json, (json['hookSpecificOutput'] ?? {}) as Record<string, unknown>]) {
          for (const field of ['permissionDecision', 'permission', 'decision', 'behavior'])
            assert.ok(
              [undefined, 'deny', 'block'].includes(part[field] as string | undefined),
              `${field}: ${String(part[field])}`,
            );
          assert.ok(!('continue' in part));
        }
      }),
    );
  });

  it('causes no other error in the reader', () => {
    const key = fc.constantFrom(
      'hook_event_name',
      'tool_name',
      'toolName',
      'tool_input',
      'toolArgs',
      'session_id',
      'cwd',
      'v',
      'x',
    );
    const value = fc.oneof(fc.constantFrom('PreToolUse', 'Edit', 'Bash', 'apply_patch', 'Stop'), fc.anything());
    fc.assert(
      fc.property(
        fc.constantFrom(...hostNames),
        fc.oneof(fc.dictionary(key, value), fc.anything()),
        (host, payload) => {
          try {
            readAs(host, payload);
          } catch (error) {
            assert.ok(error instanceof UnreadableCall, String(error));
          }
        },
      ),
    );
  });

  it('with a patch yields each file in the patch', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a b.js',
      '*** Move to: src/c.js',
      '@@',
      '-x',
      '*** Add File: d',
      '*** Delete File: e',
      '*** End Patch',
    ];
    for (const end of ['\n', '\r\n'])
      assert.deepEqual(filesOfPatch(patch.join(end)), ['src/a b.js', 'src/c.js', 'd', 'e']);
    assert.deepEqual(filesOfPatch('--- a/x.js\t2026\n+++ b/x.js\n@@\n'), ['a/x.js', 'x.js', 'b/x.js']);
    assert.deepEqual(filesOfPatch('--- /dev/null\n+++ b/new.js'), ['b/new.js', 'new.js']);
    assert.equal(filesOfPatch('--- "a/\\145.js"'), null);
  });

  describe('with a patch whose names programs read differently', () => {
    const update = (file: string) => `*** Begin Patch\n*** Update File: ${file}\n@@\n-one\n+two\n*** End Patch\n`;
    for (const patch of [
      update('src/x\r/../e.js'),
      update('src/x\r'.concat('\r')),
      update('src/d.js\u0085'),
      update('src/d.js\u2028'),
      update('\u2029src/d.js'),
      update('src/d\u0000.js'),
      update('src/d.js\u001c'),
      update('src/d.js\u000c'),
      update('src/d.js\u007f'),
      update('src/d.js\u009f'),
      '\u0085*** Update File: src/d.js\n@@\n',
      ' \u0085 *** Delete File: src/d.js',
      '*** Update File: src/a.js\r@@\r-x',
      '*** Update File: src/a.js\n*** Move to: src/b.js\u0085\n',
      '--- a/x\r/../e.js\n+++ b/e.js\n',
      '--- a/e.js\n+++ b/e.js\u0085\n',
      'diff --git a/x b/x\u0085\n',
      'rename to src/x\r/../e.js\n',
      'Binary files a/x and b/x\u0085 differ\n',
    ])
      it(JSON.stringify(patch.slice(0, 70)), () => {
        assert.equal(filesOfPatch(patch), null);
        const { tool } = read('codex', {
          ...{ hook_event_name: 'PreToolUse', session_id: 's-1', cwd: '/ws', tool_name: 'apply_patch' },
          tool_input: { command: patch },
        });
        assert.equal(tool?.opaque, true);
      });

    it('counts what some program takes for a line, and leaves other lines alone', () => {
      assert.deepEqual(filesOfPatch('x\r*** Update File: src/a.js'), ['src/a.js']);
      assert.deepEqual(filesOfPatch('\u00a0*** Update File: src/a.js\u3000'), ['src/a.js']);
      assert.deepEqual(filesOfPatch(update('src/ä b\u00a0c.js')), ['src/ä b\u00a0c.js']);
      assert.deepEqual(filesOfPatch('*** Add File: a.js\n+x\u0085\r\u2028\n+*** Update File: b\u0085\n'), ['a.js']);
      assert.deepEqual(filesOfPatch('one\u0085\rtwo\n'), []);
    });
  });
});

/** Windsurf and Antigravity do not say which event it is: every call is one before a tool. */
function saysEvents(host: HostName): boolean {
  return host !== 'windsurf' && host !== 'antigravity';
}

function isOtherEvent(payload: unknown): boolean {
  const event = (payload as { hook_event_name?: unknown } | null)?.hook_event_name;
  return event !== undefined && event !== 'PreToolUse';
}

interface Fixture {
  readonly payload: unknown;
  /** What the fixture expects of the call. */
  readonly is: Readonly<Record<string, unknown>>;
}

function fixture(file: string): Fixture {
  return JSON.parse(readFileSync(file, 'utf8')) as Fixture;
}
