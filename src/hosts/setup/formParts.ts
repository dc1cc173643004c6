/**
 * The files of the hosts that are data (payload/forms.ts), from their documentation: one command before each tool. None
 * of their programs could be run for this.
 */
import { hostFacts } from '../names.ts';
import type { FormHost } from '../payload/forms.ts';
import { frameOf, hookTimeout } from './frame.ts';
import { excludePart } from './git.ts';
import { entryPart, hooksPart } from './jsonParts.ts';
import type { Part } from './part.ts';
import { hookCommand, mcpCommand } from './place.ts';
import type { Place } from './place.ts';
import { wholePart } from './textParts.ts';

export function formParts(place: Place, host: FormHost): Part[] {
  const parts = { cursor: cursorParts, windsurf: windsurfParts, kiro: kiroParts, antigravity: antigravityParts }[host];
  const made = parts(place);
  return [...made, ...made.flatMap(({ file }) => excludePart(place, host, file))];
}

function cursorParts(place: Place): Part[] {
  const at = frameOf(place, 'cursor');
  const hook = (how: { readonly denying: boolean; readonly after?: boolean }) => ({
    command: asOne(place, hookCommand(place, 'cursor', how)),
    timeout: hookTimeout,
    ...(how.denying ? { failClosed: true } : {}),
  });
  const after = hook({ denying: false, after: true });
  return [
    hooksPart(
      at('hook', '.cursor', 'hooks.json'),
      {
        preToolUse: hook({ denying: true }),
        postToolUse: after,
        postToolUseFailure: after,
        stop: hook({ denying: false }),
      },
      { version: 1 },
    ),
    entryPart(at('mcp', '.cursor', 'mcp.json'), ['mcpServers', 'holdpoint'], mcpCommand(place, typeOf('cursor'))),
  ];
}

/** Some versions append a here-document with the payload: it must reach the whole command, not its last part. */
function asOne({ platform }: Place, command: string): string {
  return platform === 'win32' ? command : `{ ${command}; }`;
}

/** Its MCP servers are in a file of the user, which serves every folder. */
function windsurfParts(place: Place): Part[] {
  const entry = {
    command: hookCommand(place, 'windsurf', { denying: true, shell: 'posix' }),
    powershell: hookCommand(place, 'windsurf', { denying: true, shell: 'powershell' }),
    show_output: true,
  };
  return [
    hooksPart(frameOf(place, 'windsurf')('hook', '.windsurf', 'hooks.json'), {
      pre_write_code: entry,
      pre_run_command: entry,
      pre_mcp_tool_use: entry,
    }),
  ];
}

function kiroParts(place: Place): Part[] {
  const at = frameOf(place, 'kiro');
  const hook = {
    name: 'holdpoint',
    trigger: 'PreToolUse',
    matcher: '.*',
    action: { type: 'command', command: hookCommand(place, 'kiro', { denying: true }) },
    timeout: hookTimeout,
    enabled: true,
  };
  return [
    wholePart(
      at('hook', '.kiro', 'hooks', 'holdpoint.json'),
      `${JSON.stringify({ version: 'v1', hooks: [hook] }, null, 2)}\n`,
    ),
    entryPart(
      at('mcp', '.kiro', 'settings', 'mcp.json'),
      ['mcpServers', 'holdpoint'],
      mcpCommand(place, typeOf('kiro')),
    ),
  ];
}

function antigravityParts(place: Place): Part[] {
  const at = frameOf(place, 'antigravity');
  const command = hookCommand(place, 'antigravity', { denying: true });
  return [
    entryPart(at('hook', '.agents', 'hooks.json'), ['holdpoint'], {
      enabled: true,
      PreToolUse: [{ matcher: '', hooks: [{ type: 'command', command, timeout: hookTimeout }] }],
    }),
    entryPart(
      at('mcp', '.agents', 'mcp_config.json'),
      ['mcpServers', 'holdpoint'],
      mcpCommand(place, typeOf('antigravity')),
    ),
  ];
}

function typeOf(host: FormHost): string {
  return hostFacts[host].agentType;
}
