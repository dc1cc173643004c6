/**
 * The files and entries that each host needs. Sources: the hosts' documentation of hooks and MCP servers, and their
 * programs, inspected and run (VS Code 1.139, Claude Code 2.1, Copilot CLI 1.0.102, Codex 0.169, opencode 1.18). VS
 * Code and Copilot CLI both read every file of `.github/hooks`, take the same fields for commands, and pass different
 * input. So either file stops both, and the hook detects its caller (payload/caller.ts).
 */
import fs from 'node:fs';
import path from 'node:path';
import { hostFacts } from '../names.ts';
import type { HostName } from '../names.ts';
import { systemOf } from './configured.ts';
import { dataOf, isTable } from './fileData.ts';
import { formParts } from './formParts.ts';
import { frameOf, hookTimeout } from './frame.ts';
import { geminiParts } from './geminiParts.ts';
import { excludePart, gitParts } from './git.ts';
import { entryPart, hooksPart } from './jsonParts.ts';
import { SetupError } from './names.ts';
import type { SetupName } from './names.ts';
import { opencodePlugin } from './opencodePlugin.ts';
import type { Part } from './part.ts';
import { hookCommand, mcpCommand } from './place.ts';
import type { Place } from './place.ts';
import { blockPart, wholePart } from './textParts.ts';

/** Our hook before a tool denies on any failure; the others add context and reminders. */
const events = ['PreToolUse', 'SessionStart', 'UserPromptSubmit', 'Stop'] as const;
/** After a tool: which held files it changed all the same. */
const afterEvents = ['PostToolUse'] as const;
/**
 * With the other spelling, Copilot CLI uses other tool names, and its model does not receive the reason for a denial.
 */
const copilotEvents = ['preToolUse', 'sessionStart', 'userPromptSubmitted', 'agentStop', 'postToolUse'] as const;

/** @throws SetupError when the host cannot be set up here at all */
export function partsOf(place: Place, name: SetupName): Part[] {
  switch (name) {
    case 'vscode':
      return vscodeParts(place);
    case 'claude-code':
      return claudeParts(place);
    case 'copilot-cli':
      return copilotParts(place);
    case 'codex':
      return codexParts(place);
    case 'opencode':
      return opencodeParts(place);
    case 'gemini-cli':
      return geminiParts(place);
    case 'cursor':
    case 'windsurf':
    case 'kiro':
    case 'antigravity':
      return formParts(place, name);
    case 'git':
      return gitParts(place);
  }
}

function vscodeParts(place: Place): Part[] {
  const at = frameOf(place, 'vscode');
  const file = at('hook', '.github', 'hooks', 'holdpoint.json');
  const system = systemOf(place.platform);
  const entry = (event: string) => ({
    type: 'command',
    [system]: hookCommand(place, 'vscode', timingOf(event)),
    bash: 'exit 0',
    powershell: 'exit 0',
    timeout: hookTimeout,
  });
  return [
    wholePart(file, hookFile(hooksOf([...events, ...afterEvents], entry))),
    ...excludePart(place, 'vscode', file.file),
    ...agentHostParts(place),
  ];
}

/**
 * For the Copilot agent of the Agent Host, which prefers the fields that the local agent does not use. Without the events
 * of starts and prompts: Copilot CLI runs this file beside its own, and would read each briefing twice. What a stop says
 * is said once, whichever file runs first.
 */
function agentHostParts(place: Place): Part[] {
  const file = frameOf(place, 'vscode')('hook', '.github', 'hooks', 'holdpoint-agent-host.json');
  const entry = (event: string) => ({
    type: 'command',
    windows: 'exit 0',
    osx: 'exit 0',
    linux: 'exit 0',
    bash: hookCommand(place, 'copilot-cli', { ...timingOf(event), shell: 'posix' }),
    powershell: hookCommand(place, 'copilot-cli', { ...timingOf(event), shell: 'powershell' }),
    timeoutSec: hookTimeout,
  });
  return [
    wholePart(file, hookFile(hooksOf(['preToolUse', 'postToolUse', 'agentStop'], entry))),
    ...excludePart(place, 'vscode', file.file),
  ];
}

function copilotParts(place: Place): Part[] {
  const at = frameOf(place, 'copilot-cli');
  const file = at('hook', '.github', 'hooks', 'holdpoint-copilot-cli.json');
  const mcp = at('mcp', '.github', 'mcp.json');
  const entry = (event: string) => ({
    type: 'command',
    bash: hookCommand(place, 'copilot-cli', { ...timingOf(event), shell: 'posix' }),
    powershell: hookCommand(place, 'copilot-cli', { ...timingOf(event), shell: 'powershell' }),
    timeoutSec: hookTimeout,
  });
  return [
    wholePart(file, hookFile(hooksOf(copilotEvents, entry))),
    ...excludePart(place, 'copilot-cli', file.file),
    ...excludePart(place, 'copilot-cli', mcp.file),
    entryPart(mcp, ['mcpServers', 'holdpoint'], {
      type: 'stdio',
      ...mcpCommand(place, hostFacts['copilot-cli'].agentType),
      tools: ['*'],
    }),
  ];
}

function timingOf(event: string): { readonly denying: boolean; readonly after: boolean } {
  const name = event.toLowerCase();
  return { denying: name === 'pretooluse', after: name.startsWith('posttooluse') };
}

function hooksOf(events: readonly string[], entry: (event: string) => object): Record<string, readonly object[]> {
  return Object.fromEntries(events.map((event) => [event, [entry(event)]]));
}

function hookFile(hooks: Readonly<Record<string, readonly object[]>>): string {
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

/**
 * Local settings, not shared ones: the entries contain paths of this machine, and would stop agents everywhere else.
 */
function claudeParts(place: Place): Part[] {
  const at = frameOf(place, 'claude-code');
  const file = at('hook', '.claude', 'settings.local.json');
  const mcp = at('mcp', '.mcp.json');
  return [
    hooksPart(
      { ...file, strictJson: true },
      {
        ...groups(place, 'claude-code', 'posix'),
        ...questionGroups(place, 'claude-code', { Elicitation: '*', ElicitationResult: '*' }),
        PostToolUse: afterGroups(place, 'claude-code', 'AskUserQuestion'),
        PostToolUseFailure: afterGroups(place, 'claude-code'),
      },
    ),
    ...excludePart(place, 'claude-code', file.file),
    ...excludePart(place, 'claude-code', mcp.file),
    entryPart(mcp, ['mcpServers', 'holdpoint'], {
      type: 'stdio',
      ...mcpCommand(place, hostFacts['claude-code'].agentType),
    }),
  ];
}

function codexParts(place: Place): Part[] {
  const at = frameOf(place, 'codex');
  const hooks = at('hook', '.codex', 'hooks.json');
  const config = at('mcp', '.codex', 'config.toml');
  const { command, args } = mcpCommand(place, hostFacts.codex.agentType);
  return [
    hooksPart(
      { ...hooks, strictJson: true },
      {
        ...groups(place, 'codex'),
        PostToolUse: afterGroups(place, 'codex', 'request_user_input'),
      },
    ),
    ...excludePart(place, 'codex', hooks.file),
    ...excludePart(place, 'codex', config.file),
    blockPart(config, {
      lines: ['[mcp_servers.holdpoint]', `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`],
      place(text) {
        const servers = dataOf(text, config.file)?.['mcp_servers'];
        if (servers !== undefined && !isTable(servers))
          throw new SetupError(
            `${config.file}: "mcp_servers" should be a table. Fix it, then set up again; nothing was written.`,
          );
        if (servers && Object.hasOwn(servers, 'holdpoint'))
          throw new SetupError(
            `${config.file} already has another MCP server "holdpoint". Remove it, then set up again; nothing was written.`,
          );
        return text.length;
      },
    }),
  ];
}

/** What the host asks its user by itself, and what it reports as the answer. By event, for which tools or servers. */
function questionGroups(place: Place, host: HostName, matchers: Readonly<Record<string, string>>) {
  const command = hookCommand(place, host, { denying: false, ...(host === 'claude-code' ? { shell: 'posix' } : {}) });
  return Object.fromEntries(
    Object.entries(matchers).map(([event, matcher]) => [
      event,
      { matcher, hooks: [{ type: 'command', command, timeout: hookTimeout }] },
    ]),
  );
}

/** The answer to a question of the host is always noted; files are looked at only while there is a baseline. */
function afterGroups(place: Place, host: HostName, question?: string) {
  const shell = host === 'claude-code' ? { shell: 'posix' as const } : {};
  const command = hookCommand(place, host, { denying: false, after: true, ...shell });
  const answers = question === undefined ? [] : Object.values(questionGroups(place, host, { PostToolUse: question }));
  return [...answers, { matcher: '*', hooks: [{ type: 'command', command, timeout: hookTimeout }] }];
}

function groups(place: Place, host: HostName, shell?: 'posix') {
  return Object.fromEntries(
    events.map((event) => {
      const denying = event === 'PreToolUse';
      const command = hookCommand(place, host, shell ? { denying, shell } : { denying });
      return [
        event,
        { ...(denying ? { matcher: '*' } : {}), hooks: [{ type: 'command', command, timeout: hookTimeout }] },
      ];
    }),
  );
}

function opencodeParts(place: Place): Part[] {
  const at = frameOf(place, 'opencode');
  const plugin = at('hook', '.opencode', 'plugins', 'holdpoint.js');
  const config = at('mcp', configOf(place.workspace));
  const { command, args } = mcpCommand(place, hostFacts.opencode.agentType);
  return [
    wholePart(plugin, opencodePlugin(place)),
    ...excludePart(place, 'opencode', plugin.file),
    ...excludePart(place, 'opencode', config.file),
    entryPart(
      config,
      ['mcp', 'holdpoint'],
      { type: 'local', command: [command, ...args], enabled: true },
      // opencode would add it, and the file would no longer be as setup wrote it.
      { $schema: 'https://opencode.ai/config.json' },
    ),
  ];
}

/** The file that contains our entry, else the existing one. */
function configOf(workspace: string): string {
  const there = ['opencode.json', 'opencode.jsonc'].filter((name) => fs.existsSync(path.join(workspace, name)));
  const ours = there.find((name) => fs.readFileSync(path.join(workspace, name), 'utf8').includes('"holdpoint"'));
  return ours ?? there.at(-1) ?? 'opencode.json';
}
