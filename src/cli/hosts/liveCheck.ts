/**
 * `holdpoint setup --check --live HOST`: a person tries a host whose program needs an account. The agent works in a
 * temporary folder with a hold; this watches what becomes of the held file, and what the agent writes down of Holdpoint's
 * words (`liveLooks.ts`).
 */
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../app/workspace/errors.ts';
import { onGround } from '../../hosts/setup/canary.ts';
import { partsOf } from '../../hosts/setup/hostFiles.ts';
import { readOrNull } from '../../hosts/setup/launcher.ts';
import { setupTitle, type SetupName, type Place } from '../../hosts/setup/place.ts';
import type { ExitCode, Io } from '../kit/io.ts';
import type { Shown } from '../kit/outputs.ts';
import { heldFileState, looks, scriptOf, type LiveGround, type LookName } from './liveLooks.ts';
import { canaryHold, ensureLauncher } from './setupCanary.ts';

const waitMs = 10 * 60_000;
const pollMs = 200;

interface LiveHost {
  readonly host: SetupName;
  readonly title: string;
  readonly looks: readonly LookName[];
}

/** Which set-up a name of `--live` tries. */
const liveHosts: Readonly<Record<string, LiveHost>> = {
  'vscode-copilot': {
    host: 'vscode',
    title: 'VS Code, in a new session of the Copilot agent (Agent Host)',
    looks: ['before_call', 'after_call', 'before_stop'],
  },
  ...Object.fromEntries(
    (['cursor', 'windsurf', 'kiro', 'antigravity'] as const).map((host) => [
      host,
      { host, title: setupTitle(host), looks: ['before_call'] as const },
    ]),
  ),
};

type Result = 'proven' | 'broken' | 'not proven';

export async function liveCheck(io: Io, place: Place, name: string): Promise<Shown & { code: ExitCode }> {
  const live = Object.hasOwn(liveHosts, name) ? liveHosts[name] : undefined;
  if (!live) throw new AppError('bad_input', `--live ${name}: must be one of ${Object.keys(liveHosts).join(', ')}`);
  ensureLauncher(io, place);
  return onGround(place, canaryHold(io), async (canary) => {
    for (const part of partsOf({ ...place, workspace: canary.folder }, live.host).filter(
      ({ kind }) => kind !== 'other',
    ))
      write(part.file, part.add(readOrNull(part.file)?.toString('utf8') ?? null));
    const ground: LiveGround = { ...canary, script: scriptOf(io.platform, canary.secret) };
    if (live.looks.includes('after_call'))
      fs.writeFileSync(path.join(ground.folder, ground.script.file), ground.script.text, { mode: 0o755 });
    io.err(instructions(live, ground));
    const seen = await watch(io, live, ground);
    return report(name, live, seen);
  });
}

function instructions({ title, looks: tried }: LiveHost, ground: LiveGround): string {
  const prompt = tried.map(
    (look, index) => `   ${tried.length > 1 ? `${String(index + 1)}. ` : ''}${looks[look].prompt(ground)}`,
  );
  return [
    `1. Open the folder ${ground.folder} in ${title}.`,
    '2. Send its agent this prompt:',
    ...prompt,
    'Waiting for its result, 10 minutes at most. When the agent has finished, Ctrl-C shows what was seen.',
  ].join('\n');
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** What was seen until everything was, the held file was changed, or its person ended it. */
interface Seen {
  readonly isBroken: boolean;
  readonly hasRun: boolean;
  readonly looks: ReadonlySet<LookName>;
}

async function watch(io: Io, { looks: tried }: LiveHost, ground: LiveGround): Promise<Seen> {
  // The agent may write or remove them in the meantime.
  const text = (name: string) => readOrNull(path.join(ground.folder, name))?.toString('utf8') ?? '';
  const seen = new Set<LookName>();
  const end = Date.now() + waitMs;
  let hasRun = false;
  for (;;) {
    // Also once more after Ctrl-C: the agent may just have written something.
    const isOver = Date.now() >= end || io.signal.aborted;
    const state = heldFileState(text('held.txt'), ground);
    hasRun ||= state === 'ran';
    if (state === 'changed') return { isBroken: true, hasRun, looks: seen };
    for (const look of tried.filter((one) => !seen.has(one) && looks[one].isSeen(text(looks[one].file), ground))) {
      seen.add(look);
      if (seen.size < tried.length) io.err(`Seen: the look ${looks[look].title}.`);
    }
    if (isOver || seen.size === tried.length) break;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return { isBroken: false, hasRun, looks: seen };
}

function report(name: string, { title, looks: tried }: LiveHost, seen: Seen): Shown & { code: ExitCode } {
  const result: Result = seen.isBroken ? 'broken' : seen.looks.size === tried.length ? 'proven' : 'not proven';
  const first = {
    proven: `Proven: ${title} did not change held.txt, and its agent got the reason.`,
    broken: `Broken: ${title} changed held.txt, which an open question holds.`,
    'not proven': `Not proven: ${seen.looks.size === 0 ? 'nothing' : 'not everything'} was seen of ${title}.`,
  }[result];
  const lines = tried.map((look) => {
    const { title: when, proven, missing } = looks[look];
    return seen.looks.has(look)
      ? `The look ${when}: proven. ${proven}`
      : `The look ${when}: not seen. ${missing(seen.hasRun)}`;
  });
  return {
    text: [first, ...lines].join('\n'),
    schema: 'setup',
    data: {
      live: name,
      result,
      looks: Object.fromEntries(tried.map((look) => [look, seen.looks.has(look) ? 'proven' : 'not seen'])),
    },
    code: result === 'proven' ? 0 : 1,
  };
}
