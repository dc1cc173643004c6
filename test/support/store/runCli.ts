/** Runs the command line in this process. */
import { main } from '../../../src/cli/program.ts';
import type { Io } from '../../../src/cli/kit/io.ts';
import type { Sandbox } from './sandbox.ts';

export interface RanCli {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Both, line by line. */
  readonly said: readonly string[];
}

export async function runCli(
  { folder: cwd, home }: Pick<Sandbox, 'folder' | 'home'>,
  argv: readonly string[],
  more: Partial<Io> = {},
): Promise<RanCli> {
  const [out, err, said] = [[] as string[], [] as string[], [] as string[]];
  const into = (lines: string[]) => (text: string) => {
    lines.push(text);
    said.push(text);
  };
  const io: Io = {
    ...{ cwd, home, platform: 'linux', programs: '', env: {}, signal: new AbortController().signal },
    ...{ out: into(out), err: into(err) },
    serveMcp: () => Promise.resolve(1),
    serveForms: () => Promise.resolve(1),
    answerHook: () => Promise.resolve(1),
    ...more,
  };
  const code = await main([...argv], io, '0.0.0');
  return { code, out: out.join('\n'), err: err.join('\n'), said };
}
