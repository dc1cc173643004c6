/**
 * A tool of an MCP server as a human writes it in the policy: `docs/search`. Each host spells it in its own way
 * (`mcp__docs__search`, `mcp_docs_search`, `docs-search`); the adapters of hosts know how.
 */
import * as z from 'zod';

export const serverTool = z.string().regex(/^[\w.-]{1,99}\/[\w.:-]{1,100}$/);

/** Null for what is not written so. */
export function partsOfServerTool(written: string): { readonly server: string; readonly tool: string } | null {
  if (!serverTool.safeParse(written).success) return null;
  const [server = '', tool = ''] = written.split('/');
  return { server, tool };
}
