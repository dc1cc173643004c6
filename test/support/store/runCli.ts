/** Runs the command line in this process, which takes a twentieth of the time of the built program. */
import path from 'node:path';
import { main } from '../../../src/cli/program.ts';
import type { Io } from '../../../src/cli/kit/io.ts';
import type { Called } from '../holdpoint.ts';
import { root } from '../host.ts';
import { checkPrinted } from '../outputs.ts';
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

/** The same, with the built programs beside it; the output is trimmed, and printed JSON has the published shape. */
export async function holdpointHere(
  place: Pick<Sandbox, 'folder' | 'home'>,
  env: Io['env'],
  ...argv: readonly string[]
): Promise<Called> {
  const { code, out, err } = await runCli(place, argv, {
    ...{ env, platform: process.platform, programs: path.join(root, 'dist') },
  });
  if (argv.includes('--json')) checkPrinted(out);
  return { code, out: out.trim(), err: err.trim() };
}
