/**
 * A tool of an MCP server as humans write it in the policy: `docs/search`. Each host has its own spelling
 * (`mcp__docs__search`, `mcp_docs_search`, `docs-search`), known to its adapter.
 */
import * as z from 'zod';

export const serverToolPattern = /^[\w.-]{1,99}\/[\w.:-]{1,100}$/;
export const serverTool = z.string().regex(serverToolPattern);

/** Null if the text has another form. */
export function partsOfServerTool(written: string): { readonly server: string; readonly tool: string } | null {
  if (!serverTool.safeParse(written).success) return null;
  const [server = '', tool = ''] = written.split('/');
  return { server, tool };
}
