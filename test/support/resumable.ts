/** Real programs of hosts that can resume a session, each with a scripted model and no account. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ResumableHost } from '../../src/core/records/policy.ts';
import { findClaudeCode } from './claudeCode.ts';
import { root } from './host.ts';
import { findNpmHost } from './npmHost.ts';
import { startScriptedAnthropic, type AnthropicRequest } from './scriptedAnthropic.ts';
import { startScriptedModel, type ModelRequest } from './scriptedModel.ts';
import { startScriptedResponses } from './scriptedResponses.ts';

export interface Call {
  readonly name: string;
  readonly input: object;
}

export interface Model {
  readonly url: string;
  /** What the host sent as its user in each turn, oldest first; a later turn repeats the earlier messages. */
  prompts(): readonly (readonly string[])[];
  /** Results of tools, as the host sent them last. */
  results(): readonly string[];
  close(): Promise<void>;
}

export interface Resumable {
  readonly find: () => Promise<{ readonly program: string } | { readonly missing: string }>;
  /** The name of one of Holdpoint's tools in this host. */
  readonly tool: (name: string) => string;
  /** A command in this host's shell. */
  readonly shell: (command: string) => Call;
  readonly model: (calls: readonly Call[]) => Promise<Model>;
  /** Sends one prompt and ends. */
  readonly args: (prompt: string) => readonly string[];
  /** Given to every start of the program: what a person has agreed to once. */
  readonly always?: readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** What a person has set up and agreed to. */
  readonly prepare: (home: string, workspace: string, url: string) => Promise<void>;
}

const npm =
  (name: string, version: string, packages: string, ...program: string[]) =>
  () =>
    findNpmHost({ name, version, packages: [packages], program: path.join(...program) });

/** What the model reads besides its own words: people, and context of hooks, which some hosts send as the system. */
function isShown({ role }: { readonly role: string }): boolean {
  return role === 'user' || role === 'system' || role === 'developer';
}

async function write(file: string, content: string | object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
}

export const resumables: Readonly<Record<ResumableHost, Resumable>> = {
  'claude-code': {
    find: findClaudeCode,
    tool: (name) => `mcp__holdpoint__${name}`,
    shell: (command) => ({ name: 'Bash', input: { command, description: 'Run it' } }),
    async model(calls) {
      const asked: AnthropicRequest[] = [];
      const { url, close } = await startScriptedAnthropic((request) => {
        if (request.tools.length === 0) return { say: 'Title' };
        asked.push(request);
        const call = calls[resultsOf(request).length];
        return call ? { call: [call] } : { say: 'Done.' };
      });
      const resultsOf = ({ messages }: AnthropicRequest) =>
        messages.flatMap(({ content }) =>
          typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
        );
      const prompts = () => asked.map(({ messages }) => messages.filter(isShown).map(said));
      const said = ({ content }: AnthropicRequest['messages'][number]) =>
        typeof content === 'string'
          ? content
          : content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      const results = () => (asked.at(-1) ? resultsOf(asked.at(-1)!).map((one) => JSON.stringify(one)) : []);
      return { url, prompts, results, close };
    },
    args: (prompt) => ['-p', prompt, '--allowedTools', 'mcp__holdpoint', 'Bash'],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    prepare: (home, workspace) =>
      write(path.join(home, '.claude.json'), {
        hasCompletedOnboarding: true,
        customApiKeyResponses: { approved: ['none'], rejected: [] },
        projects: { [workspace]: { hasTrustDialogAccepted: true, enabledMcpjsonServers: ['holdpoint'] } },
      }),
  },
  codex: {
    find: npm(
      'codex',
      '0.169.0',
      '@openai/codex',
      '@openai',
      'codex-linux-x64',
      'vendor',
      'x86_64-unknown-linux-musl',
      'bin',
      'codex',
    ),
    tool: (name) => `mcp__holdpoint__${name}`,
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    model: (calls) => startScriptedResponses(calls),
    args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
    always: ['--dangerously-bypass-hook-trust'],
    env: () => ({}),
    prepare: (home, workspace, url) =>
      write(
        path.join(home, '.codex', 'config.toml'),
        `model = "scripted-1"\nmodel_provider = "s"\n[model_providers.s]\nname = "s"\nbase_url = "${url}"\nwire_api = "responses"\n[projects."${workspace}"]\ntrust_level = "trusted"\n`,
      ),
  },
  'copilot-cli': {
    find: npm('copilot-cli', '1.0.102', '@github/copilot-linux-x64', '@github', 'copilot-linux-x64', 'copilot'),
    tool: (name) => `holdpoint-${name}`,
    shell,
    model: chatModel,
    args: (prompt) => ['-p', prompt, '--allow-all-tools'],
    env: (url) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: url,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_MODEL: 'scripted-1',
      COPILOT_PROVIDER_MODEL_ID: 'scripted-1',
    }),
    prepare: (home, workspace) =>
      write(path.join(home, '.copilot', 'config.json'), { trusted_folders: [workspace], banner: 'never' }),
  },
  opencode: {
    find: npm('opencode', '1.18.33', 'opencode-linux-x64', 'opencode-linux-x64', 'bin', 'opencode'),
    tool: (name) => `holdpoint_${name}`,
    shell,
    model: chatModel,
    args: (prompt) => ['run', prompt],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      // Its own list of all models takes it seconds to read.
      OPENCODE_MODELS_PATH: path.join(root, 'test', 'fixtures', 'opencode', 'models.json'),
    }),
    prepare: (home, _, url) =>
      write(path.join(home, '.config', 'opencode', 'opencode.json'), {
        model: 's/scripted-1',
        small_model: 's/scripted-1',
        // It would copy the folder with git before and after each step.
        snapshot: false,
        provider: {
          s: {
            npm: '@ai-sdk/openai-compatible',
            name: 's',
            options: { baseURL: url, apiKey: 'none' },
            models: {
              'scripted-1': { name: 'scripted-1', tool_call: true, limit: { context: 100_000, output: 8_000 } },
            },
          },
        },
      }),
  },
};

function shell(command: string): Call {
  return { name: 'bash', input: { command, description: 'Run it' } };
}

async function chatModel(calls: readonly Call[]): Promise<Model> {
  const asked: ModelRequest[] = [];
  const { url, close } = await startScriptedModel((request) => {
    if (request.tools.length === 0) return { say: 'Title' };
    asked.push(request);
    const call = calls[resultsOf(request).length];
    return call ? { call: [call] } : { say: 'Done.' };
  });
  const resultsOf = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === 'tool');
  const said = ({ content }: ModelRequest['messages'][number]) =>
    typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');
  return {
    url: url.replace(/\/chat\/completions$/, ''),
    prompts: () => asked.map(({ messages }) => messages.filter(isShown).map(said)),
    results: () => (asked.at(-1) ? resultsOf(asked.at(-1)!).map(said) : []),
    close,
  };
}
