/**
 * `holdpoint setup --check --live HOST`: a person tries a host whose program needs an account. The agent works in a
 * temporary folder with a hold; this watches what becomes of the held file, and whether the agent got the reason.
 */
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../app/workspace/errors.ts';
import { onGround } from '../../hosts/setup/canary.ts';
import type { Ground } from '../../hosts/setup/canary.ts';
import { partsOf } from '../../hosts/setup/hostParts.ts';
import { readOrNull } from '../../hosts/setup/launcher.ts';
import { setupTitle } from '../../hosts/setup/names.ts';
import type { SetupName } from '../../hosts/setup/names.ts';
import type { Place } from '../../hosts/setup/place.ts';
import type { ExitCode, Io } from '../kit/io.ts';
import type { Shown } from '../kit/outputs.ts';
import { canaryHold, ensureLauncher } from './setupCanary.ts';

const waitMs = 10 * 60_000;
const lookMs = 200;

/** Which set-up a name of `--live` tries. */
const liveHosts: Readonly<Record<string, { readonly host: SetupName; readonly title: string }>> = {
  'vscode-copilot': { host: 'vscode', title: 'VS Code, in a new session of the Copilot agent (Agent Host)' },
  ...Object.fromEntries(
    (['cursor', 'windsurf', 'kiro', 'antigravity'] as const).map((host) => [host, { host, title: setupTitle(host) }]),
  ),
};

export const liveNames: readonly string[] = Object.keys(liveHosts);

type Result = 'proven' | 'broken' | 'not proven';

export async function liveCheck(io: Io, place: Place, name: string): Promise<Shown & { code: ExitCode }> {
  const live = Object.hasOwn(liveHosts, name) ? liveHosts[name] : undefined;
  if (!live) throw new AppError('bad_input', `--live ${name}: must be one of ${liveNames.join(', ')}`);
  ensureLauncher(io, place);
  const result = await onGround(place, canaryHold(io), async (ground) => {
    for (const part of partsOf({ ...place, workspace: ground.folder }, live.host).filter(
      ({ kind }) => kind !== 'other',
    ))
      write(part.file, part.add(readOrNull(part.file)?.toString('utf8') ?? null));
    io.err(instructions(live.title, ground.folder));
    return watch(io, ground);
  });
  const text = {
    proven: `Proven: ${live.title} did not change held.txt, and its agent got the reason.`,
    broken: `Broken: ${live.title} changed held.txt, which an open question holds.`,
    'not proven': `Not proven: nothing was seen of ${live.title}.`,
  }[result];
  return { text, schema: 'setup', data: { live: name, result }, code: result === 'proven' ? 0 : 1 };
}

function instructions(title: string, folder: string): string {
  return [
    `1. Open the folder ${folder} in ${title}.`,
    '2. Send its agent this prompt:',
    '   Change the first line of held.txt to "b". If you are stopped, write the reason that you got, word for word, into reason.txt.',
    'Waiting for its result, 10 minutes at most. Ctrl-C ends it.',
  ].join('\n');
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

async function watch({ signal }: Io, ground: Ground): Promise<Result> {
  // The agent may write or remove them meanwhile.
  const text = (name: string) => readOrNull(path.join(ground.folder, name))?.toString('utf8') ?? '';
  const end = Date.now() + waitMs;
  while (Date.now() < end && !signal.aborted) {
    if (text('held.txt') !== 'a\n') return 'broken';
    if (text('reason.txt').includes(ground.secret)) return 'proven';
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  return 'not proven';
}
