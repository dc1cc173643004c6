/** An agent with only a shell: each call is a program that opens the store, acts and ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { holdpoint } from '../../test/support/holdpoint.ts';
import type { Called } from '../../test/support/holdpoint.ts';
import type { Book } from './book.ts';

export interface Shell {
  work(goesOn: () => boolean): Promise<void>;
  call(...args: readonly string[]): Promise<Called>;
}

const pauseMs = 300;

export function newShell(where: { workspace: string; env: NodeJS.ProcessEnv }, book: Book): Shell {
  const place = { ...where, env: { ...where.env, HOLDPOINT_AGENT_ID: 'shell-007' } };
  let work: string | null = null;

  async function call(...args: readonly string[]): Promise<Called> {
    const called = await holdpoint(place, '--json', ...args);
    book.count('calls on the command line');
    if (/UNKNOWN|unknown_state/.test(called.out + called.err)) book.trouble(`${args.join(' ')}: ${called.err}`);
    return called;
  }

  async function step(number: number): Promise<void> {
    switch (number % 4) {
      case 0: {
        const id = `shell-${String(number)}`;
        const { code, err, out } = await call('work', 'register', '--id', id, '--title', `Shell ${String(number)}`);
        if (code !== 0) {
          book.trouble(`work register: ${err || out}`);
          return;
        }
        book.registered.add(id);
        book.count('work items registered');
        work = id;
        return;
      }
      case 1: {
        const text = `The shell asks: is ${String(number)} right?`;
        const on = work === null ? [] : ['--blocking-task-id', work];
        const { code, err, out } = await call('question', 'create', '--text', text, ...on);
        if (code !== 0) {
          book.trouble(`question create: ${err || out}`);
          return;
        }
        const { question } = JSON.parse(out) as { question: { id: string } };
        book.asked.set(question.id, { text, work, by: 'shell' });
        book.count('questions asked on the command line');
        return;
      }
      case 2: {
        const { code } = await call('gate', ...(work === null ? ['--file', 'readme.md'] : ['--work', work]));
        if (code === 1) book.trouble('gate: exit 1');
        return;
      }
      default:
        await call('question', 'list', '--status', 'pending');
    }
  }

  return {
    call,
    async work(goesOn) {
      for (let number = 0; goesOn(); number++) {
        await step(number);
        await sleep(pauseMs);
      }
    },
  };
}
