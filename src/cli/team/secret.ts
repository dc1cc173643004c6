/** Reads a line from a terminal without showing it. */
import process from 'node:process';

/** Null where no person is at a terminal, and after Ctrl-C or Ctrl-D. */
export function readSecret(question: string): Promise<string | null> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return Promise.resolve(null);
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  return new Promise((resolve) => {
    let typed = '';
    const end = (answer: string | null) => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      resolve(answer);
    };
    const take = (chunk: string) => {
      for (const character of chunk) {
        if ('\r\n\u0003\u0004'.includes(character)) {
          end('\r\n'.includes(character) ? typed : null);
          return;
        }
        typed = character === '\u007f' || character === '\b' ? typed.slice(0, -1) : typed + character;
      }
    };
    stdin.on('data', take);
  });
}
