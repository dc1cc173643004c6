/** `holdpoint watch --json` as another program runs it: killed at any time, it loses and repeats nothing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { raiseQuestion } from '../../src/app/question/questions.ts';
import { registerWork } from '../../src/app/work/work.ts';
import { root } from '../support/host.ts';
import { checkPrinted } from '../support/outputs.ts';
import { agent, decide, enrolledHuman } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../support/store/sandbox.ts';

const cli = path.join(root, 'dist', 'cli.cjs');
const question = { type: 'decision', urgency: 'high', mode: 'sync' } as const;

interface Seen {
  readonly type: string;
  readonly position: string;
}

function startWatch({ folder, home }: Sandbox, since: string) {
  return spawn(process.execPath, [cli, 'watch', '--json', '--since', since], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Reads whole lines until `enough` returns true, then kills the program without warning. */
async function readAndKill(
  sandbox: Sandbox,
  since: string,
  enough: (events: readonly Seen[]) => boolean,
): Promise<Seen[]> {
  const child = startWatch(sandbox, since);
  const events: Seen[] = [];
  for await (const line of readline.createInterface({ input: child.stdout })) {
    // A kill can leave half of a line, which ends nowhere and is thrown away by its reader.
    if (!line.endsWith('}')) break;
    checkPrinted(line);
    const event = JSON.parse(line) as Seen;
    if (event.type !== 'watching') events.push(event);
    if (enough(events)) break;
  }
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return events;
}

describe('holdpoint watch', function () {
  this.timeout(240_000);
  afterEach(removeSandboxes);

  it('gives each event once over kills at any time', async () => {
    const sandbox = makeSandbox();
    sandbox.clock.now = Date.now();
    const workspace = sandbox.open();
    const store = await workspace.store();
    const human = enrolledHuman(workspace);
    const acts = 24;
    const writing = (async () => {
      for (let number = 1; number <= acts; number++) {
        await registerWork(store, agent(), { id: `t-${String(number)}`, title: `Task ${String(number)}` });
        const asked = await raiseQuestion(store, agent(), {
          ...question,
          text: `Number ${String(number)}?`,
          work: `t-${String(number)}`,
        });
        await decide(workspace, human, asked.question.id);
      }
    })();
    const isLast = (seen: Seen) => seen.type === 'blocker_resolved' && seen.position === lastPosition;
    let lastPosition: string | null = null;
    const seen: Seen[] = [];
    for (let run = 1; run <= 8; run++) {
      const wanted = 1 + ((run * 7) % 5);
      const since = seen.at(-1)?.position ?? '0';
      seen.push(...(await readAndKill(sandbox, since, (events) => events.length >= wanted)));
    }
    await writing;
    const resolved = (events: readonly Seen[]) => events.filter(({ type }) => type === 'blocker_resolved').length;
    const whole = await readAndKill(sandbox, '0', (events) => resolved(events) === acts);
    lastPosition = whole.at(-1)?.position ?? null;
    const rest = await readAndKill(sandbox, seen.at(-1)?.position ?? '0', (events) => events.some(isLast));
    assert.deepEqual([...seen, ...rest], whole);
    assert.ok(seen.length >= 8 && rest.length > 0, String(seen.length));
  });

  it('ends when its reader is gone', async () => {
    const sandbox = makeSandbox();
    sandbox.clock.now = Date.now();
    const store = await sandbox.open().store();
    const child = startWatch(sandbox, '0');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const ended = once(child, 'exit');
    await raiseQuestion(store, agent(), { ...question, text: 'Anybody there?', work: null });
    assert.deepEqual(await ended, [0, null]);
  });
});
