/** Messages of JSON-RPC 2.0, one on a line. What is not one of them ends the connection: another reader may see more in it. */
import { isFields } from '../hosts/payload/fields.ts';
import type { Fields } from '../hosts/payload/fields.ts';

export type Id = string | number | null;

export type Message =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params: Fields }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Fields }
  | { readonly kind: 'response'; readonly id: Id; readonly result: unknown; readonly error: unknown };

/** The connection cannot go on. */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection';
}

/** Images in prompts are part of a line. Bytes. */
const bytesAtMost = 32 * 1024 * 1024;
const newline = 10;

/** The lines of a stream, without empty ones. @throws BrokenConnection for a line that is too long */
export async function* linesOf(stream: AsyncIterable<Uint8Array>, limit = bytesAtMost): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      parts.push(chunk.subarray(from, end));
      size += end - from;
      from = end + 1;
      if (size > limit) throw tooLong(limit);
      if (size > 0) yield Buffer.concat(parts);
      parts = [];
      size = 0;
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > limit) throw tooLong(limit);
  }
  // A program that ended in the middle of a line.
  if (size > 0) throw new BrokenConnection('the last line has no end');
}

function tooLong(limit: number): BrokenConnection {
  return new BrokenConnection(`a line has more than ${String(limit / 1024 / 1024)} MiB`);
}

/** @throws BrokenConnection */
export function readMessage(line: Uint8Array): Message {
  const value = parsed(line);
  if (Array.isArray(value)) throw new BrokenConnection('a batch of messages, which ACP does not have');
  if (!isFields(value) || value['jsonrpc'] !== '2.0')
    throw new BrokenConnection('a line that is no JSON-RPC 2.0 message');
  const { method, params, result, error } = value;
  const has = (name: string) => Object.hasOwn(value, name);
  if (has('method')) {
    if (typeof method !== 'string' || has('result') || has('error'))
      throw new BrokenConnection('a message that is both a request and a response');
    if (params !== undefined && params !== null && !isFields(params))
      throw new BrokenConnection(`parameters of ${method.slice(0, 80)} that are no object`);
    const given = isFields(params) ? params : {};
    return has('id')
      ? { kind: 'request', id: idIn(value), method, params: given }
      : { kind: 'notification', method, params: given };
  }
  if (!has('id') || has('result') === has('error'))
    throw new BrokenConnection('a message that is neither a request nor a response');
  return { kind: 'response', id: idIn(value), result, error };
}

function parsed(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    throw new BrokenConnection('a line that is not JSON in UTF-8');
  }
}

function idIn({ id }: Fields): Id {
  if (typeof id === 'string' || id === null || Number.isSafeInteger(id)) return id as Id;
  throw new BrokenConnection('an id that is no text, whole number or null');
}

/** 1 and "1" are different ids. */
export function keyOf(id: Id): string {
  return JSON.stringify(id);
}

export function requestText(id: Id, method: string, params: Fields): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function notificationText(method: string, params: Fields): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

export function resultText(id: Id, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** In the range that JSON-RPC leaves to implementations; ACP uses none of its neighbours. */
const refused = -32_080;

export function errorText(id: Id, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: refused, message } });
}
