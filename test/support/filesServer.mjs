/** An MCP server with one tool, `write`, that appends a line to the file at `path`. */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const tools = [
  {
    name: 'write',
    description: 'Appends a line to a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
];

function answer({ method, params }) {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'files', version: '1' },
    };
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return {};
  appendFileSync(params.arguments.path, 'by the server\n');
  return { content: [{ type: 'text', text: 'written' }] };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.id !== undefined)
    console.log(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: answer(request) }));
}
