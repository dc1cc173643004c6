/** Reads a line from a terminal without showing it. */
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Null where no person is at a terminal, and after Ctrl-C or Ctrl-D. */
export async function readSecret(question: string): Promise<string | null> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  stderr.write(question);
  const silent = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      stderr.write('\n');
      resolve(null);
    });
  });
}
