/** Reads a hook's input, which must be JSON in UTF-8. */
import { UnreadableCall } from '../hosts/call.ts';

/** @throws UnreadableCall */
export function payloadIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UnreadableCall('the host did not send JSON');
  }
}
