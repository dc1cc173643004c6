/** Gemini CLI: its hooks and MCP servers are in one file, and a hook's timeout is in milliseconds. */
import { hostFacts } from '../names.ts';
import { frameOf, hookTimeout } from './frame.ts';
import { excludePart } from './git.ts';
import { entryPart, hooksPart } from './jsonParts.ts';
import type { Part } from './part.ts';
import { hookCommand, mcpCommand } from './place.ts';
import type { Place } from './place.ts';

const events = ['BeforeTool', 'SessionStart', 'BeforeAgent', 'AfterAgent'] as const;

export function geminiParts(place: Place): Part[] {
  const at = frameOf(place, 'gemini-cli');
  const hook = at('hook', '.gemini', 'settings.json');
  const shell = place.platform === 'win32' ? 'powershell' : 'posix';
  const groups = Object.fromEntries(
    events.map((event) => {
      const denying = event === 'BeforeTool';
      const command = hookCommand(place, 'gemini-cli', { denying, shell });
      const entry = { name: 'holdpoint', type: 'command', command, timeout: hookTimeout * 1000 };
      return [event, { ...(denying ? { matcher: '*' } : {}), hooks: [entry] }];
    }),
  );
  return [
    hooksPart(hook, groups),
    ...excludePart(place, 'gemini-cli', hook.file),
    entryPart(
      at('mcp', '.gemini', 'settings.json'),
      ['mcpServers', 'holdpoint'],
      mcpCommand(place, hostFacts['gemini-cli'].agentType),
    ),
  ];
}
