/** The command of Holdpoint's MCP server, as ACP names a server. */
import type { Fields } from '../hosts/payload/fields.ts';
import { hostFacts } from '../hosts/names.ts';

/** Where the records of a user are kept: agents start servers with few of their own variables. */
const passedOn = /^(?:HOLDPOINT_\w+|XDG_STATE_HOME|LOCALAPPDATA)$/;

export function mcpServer(
  program: string,
  { execPath, env, versions }: Pick<NodeJS.Process, 'execPath' | 'env' | 'versions'>,
): (folder: string, stamp: string) => Fields {
  const passed = Object.entries(env).flatMap(([name, value]) =>
    passedOn.test(name) && value !== undefined ? [{ name, value }] : [],
  );
  const asNode = versions['electron'] === undefined ? [] : [{ name: 'ELECTRON_RUN_AS_NODE', value: '1' }];
  return (folder, stamp) => ({
    command: execPath,
    args: [program, '--workspace', folder, '--agent-type', hostFacts.acp.agentType, '--session', stamp],
    env: [...asNode, ...passed],
  });
}
