/** Reads what a host sends. */
import fs from 'node:fs';
import process from 'node:process';

/** Hosts send whole files in edits. Bytes. */
const bytesAtMost = 32 * 1024 * 1024;
const readAtOnce = 64 * 1024;

/**
 * @param mayBlock whether something ends this program if the host never ends its input: then it is read without Node's
 *   streams, which take 4 ms to load
 */
export function readInput(
  { mayBlock }: { readonly mayBlock: boolean },
  whenRead: (bytes: Buffer) => void,
  fail: (why: string) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer) => {
    size += chunk.length;
    // The rest is read and thrown away: a host whose write ends in a broken pipe may ignore the answer.
    if (size > bytesAtMost) chunks.length = 0;
    else chunks.push(chunk);
  };
  const end = () => {
    if (size > bytesAtMost) fail(`the host sent more than ${String(bytesAtMost / 1024 / 1024)} MiB`);
    else whenRead(Buffer.concat(chunks));
  };
  if (mayBlock && readBlocking(take)) end();
  else
    process.stdin
      .on('data', take)
      .once('end', end)
      .once('error', (error) => fail(`standard input cannot be read (${error.message})`));
}

/** False where the host's end makes reads return without waiting; what was read until then has been taken. */
function readBlocking(take: (chunk: Buffer) => void): boolean {
  for (;;) {
    const chunk = Buffer.allocUnsafe(readAtOnce);
    let length;
    try {
      length = fs.readSync(0, chunk);
    } catch {
      // Such as EAGAIN. Whatever else it is, the stream meets it too.
      return false;
    }
    if (length === 0) return true;
    take(chunk.subarray(0, length));
  }
}
