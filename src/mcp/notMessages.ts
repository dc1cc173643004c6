/** Input of a client that is not a JSON-RPC message: it gets an error with the id, where the library would say nothing. */
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';

interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: -32700 | -32600; readonly message: string };
}

/** Null for a message. */
export function refusalOf(text: string): Refusal | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refusal(null, -32700, 'This is not JSON.');
  }
  if (Array.isArray(value)) return refusal(null, -32600, 'Batches are not read: send one message at a time.');
  try {
    parseJSONRPCMessage(value);
    return null;
  } catch {
    const { id, params } = (value ?? {}) as { readonly id?: unknown; readonly params?: unknown };
    const why =
      params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))
        ? '"params" must be an object, or left out.'
        : 'This is not a message of JSON-RPC 2.0.';
    return refusal(typeof id === 'string' || typeof id === 'number' ? id : null, -32600, why);
  }
}

function refusal(id: Refusal['id'], code: Refusal['error']['code'], message: string): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
