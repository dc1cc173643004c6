/**
 * Answers a call of a tool that only reads in the thread that waits: starting the other one takes longer than all else.
 * This looks values up in the host's list and parses no command, opens no file and no store, so nothing can hang.
 */
import type { Printed } from '../hosts/call.ts';
import { callerOf, adapterFor } from '../hosts/hosts.ts';
import { printAnswer } from '../hosts/payload/print.ts';
import { isListedAsReading, readCall } from '../hosts/payload/read.ts';
import { payloadIn } from './payloadIn.ts';
import { withoutAsking } from './withoutAsking.ts';
import type { Given } from './work.ts';

/** Longer input is left to the thread that can be given up. Bytes. */
const bytesAtMost = 256 * 1024;

/** Null: the other thread must answer, which also says what is wrong with a call that cannot be read. */
export function answerReading(
  { host: named }: Given,
  bytes: Uint8Array,
  { env, platform }: Pick<NodeJS.Process, 'env' | 'platform'>,
): Printed | null {
  // A generic host describes its tools with each call.
  if (named === 'generic' || bytes.length > bytesAtMost) return null;
  try {
    const payload = payloadIn(bytes);
    const adapter = adapterFor(callerOf(named, payload, env), undefined);
    if (!isListedAsReading(adapter, payload)) return null;
    const call = readCall(adapter, payload, { platform });
    // Questions that the host asks its user are noted in the store.
    if (call.event !== 'tool' || call.asking || call.tool?.own !== false) return null;
    const answer = withoutAsking({ call });
    return answer && printAnswer(adapter, call, answer);
  } catch {
    return null;
  }
}
