/** A program in a terminal of its own, as an editor starts it: with an array of arguments and no shell. Needs Python. */
import { start, type Running, type StartOptions } from './processes.ts';

const source = `
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 120, 0, 0))
while True:
    try:
        said = os.read(fd, 65536)
    except OSError:
        break
    if not said:
        break
    sys.stdout.buffer.write(said)
    sys.stdout.flush()
`;

export function startInTerminal(program: string, args: readonly string[], options: StartOptions): Running {
  return start('python3', ['-c', source, program, ...args], options);
}
