/** How scripted models of real hosts edit, run commands, call another MCP server and start subagents. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ResumableHost } from '../../src/core/records/policy.ts';
import {
  speakInChat,
  speakInResponses,
  type Conversation,
  type Conversations,
  type SpeakingModel,
} from './conversation.ts';
import type { ResponsesCall as Call } from './scriptedResponses.ts';

export interface McpProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export interface CanaryHost {
  readonly host: ResumableHost;
  readonly speak: (find: Conversations) => Promise<SpeakingModel>;
  /** Puts a line before the line "end" of a file. */
  readonly edit: (file: string, text: string) => Call;
  readonly shell: (command: string) => Call;
  /** A tool of an MCP server. */
  readonly server: (server: string, tool: string, input: object) => Call;
  /** Until the subagent is done. */
  readonly subagent: (prompt: string) => Conversation;
  /** In the settings of the user. */
  readonly addServer: (home: string, name: string, program: McpProgram) => Promise<void>;
  /** Other settings of the user. */
  readonly prepare?: (home: string) => Promise<void>;
}

function* call(one: Call): Conversation {
  yield one;
}

/** Codex knows by the model's name whether it calls tools one by one, or from scripts. */
function codexModel(model: string): Pick<CanaryHost, 'host' | 'speak' | 'prepare' | 'addServer'> {
  const config = (home: string) => path.join(home, '.codex', 'config.toml');
  return {
    host: 'codex',
    speak: speakInResponses,
    async prepare(home) {
      const text = await readFile(config(home), 'utf8');
      await writeFile(config(home), text.replace('scripted-1', model));
    },
    addServer: (home, name, { command, args }) =>
      appendFile(
        config(home),
        `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
      ),
  };
}

function patchOf(file: string, text: string): string {
  return `*** Begin Patch\n*** Update File: ${file}\n@@\n+${text}\n end\n*** End Patch\n`;
}

/** A script of its tool `exec` calls the others. */
function inCode(tool: string, input: unknown): Call {
  return { name: 'functions/exec', input: `text(await tools.${tool}(${JSON.stringify(input)}))` };
}

export const canaryHosts: Readonly<Record<string, CanaryHost>> = {
  'Codex with tools': {
    ...codexModel('gpt-5.5'),
    edit: (file, text) => ({ name: 'apply_patch', input: patchOf(file, text) }),
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    server: (server, tool, input) => ({ name: `mcp__${server}__${tool}`, input }),
    *subagent(message) {
      const said = yield { name: 'multi_agent_v1/spawn_agent', input: { message } };
      const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(said)?.[0] ?? said;
      yield { name: 'multi_agent_v1/wait_agent', input: { targets: [id], timeout_ms: 120_000 } };
    },
  },
  'Codex with code': {
    ...codexModel('gpt-6.1-sol'),
    edit: (file, text) => inCode('apply_patch', patchOf(file, text)),
    shell: (command) => inCode('exec_command', { cmd: command }),
    server: (server, tool, input) => inCode(`mcp__${server}__${tool}`, input),
    *subagent(message) {
      const name = `sub_${/\d+/.exec(message)?.[0] ?? ''}`;
      yield { name: 'collaboration/spawn_agent', input: { task_name: name, message, fork_turns: 'none' } };
      yield { name: 'collaboration/wait_agent', input: { timeout_ms: 120_000 } };
    },
  },
  'Copilot CLI': {
    host: 'copilot-cli',
    speak: speakInChat,
    edit: (file, text) => ({ name: 'edit', input: { path: file, old_str: 'end', new_str: `${text}\nend` } }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
    server: (server, tool, input) => ({ name: `${server}-${tool}`, input }),
    subagent: (prompt) =>
      call({
        name: 'task',
        input: { agent_type: 'general-purpose', name: 'sub', description: 'x', prompt, mode: 'sync' },
      }),
    addServer: (home, name, { command, args }) =>
      writeFile(
        path.join(home, '.copilot', 'mcp-config.json'),
        JSON.stringify({ mcpServers: { [name]: { type: 'local', command, args, tools: ['*'] } } }),
      ),
  },
  opencode: {
    host: 'opencode',
    speak: speakInChat,
    edit: (file, text) => ({
      name: 'edit',
      input: { filePath: file, oldString: 'end', newString: `${text}\nend` },
    }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'x' } }),
    server: (server, tool, input) => ({ name: `${server}_${tool}`, input }),
    subagent: (prompt) => call({ name: 'task', input: { description: 'x', prompt, subagent_type: 'general' } }),
    async addServer(home, name, { command, args }) {
      const file = path.join(home, '.config', 'opencode', 'opencode.json');
      const settings = JSON.parse(await readFile(file, 'utf8')) as object;
      const mcp = { [name]: { type: 'local', command: [command, ...args] } };
      await writeFile(file, JSON.stringify({ ...settings, mcp }));
    },
  },
};
