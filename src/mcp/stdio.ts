/** Standard input and output as a transport. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export function stdioTransport(): Transport {
  return new StdioServerTransport();
}
