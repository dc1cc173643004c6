/** Asks the hooks' gate about a message. The program of hooks answers, in a thread: a hang there denies in time. */
import { Worker } from 'node:worker_threads';
import type { Printed } from '../hosts/call.ts';
import { isFields, textOf } from '../hosts/payload/fields.ts';
import type { Fields } from '../hosts/payload/fields.ts';
import { failure } from '../hosts/payload/print.ts';
import type { Session } from './sessions.ts';

/** Answers one call of a hook in a folder. Never rejects. */
export type AskHook = (folder: string, payload: object) => Promise<Printed>;

const waitMs = 5_000;

export function askInThread(program: string): AskHook {
  return (folder, payload) =>
    new Promise((resolve) => {
      const fail = (why: string) => {
        resolve(failure(why, 'acp'));
      };
      const worker = new Worker(program, {
        workerData: { host: 'acp', folder },
        stdout: true,
        stderr: true,
        resourceLimits: { maxYoungGenerationSizeMb: 96 },
      });
      const timer = setTimeout(() => {
        fail(`no answer within ${String(waitMs / 1000)} seconds`);
        void worker.terminate();
      }, waitMs);
      worker
        .once('message', (printed: Printed) => {
          resolve(printed);
          void worker.terminate();
        })
        .once('error', (error) => fail(error instanceof Error ? error.message : String(error)))
        .once('exit', () => {
          clearTimeout(timer);
          fail('the hook ended without an answer');
        })
        .postMessage(Buffer.from(JSON.stringify(payload)));
    });
}

export interface Gate {
  /** Why it is denied; null if nothing is against it. Of a session that is not known, in any folder that is. */
  denial(session: Session | null, method: string, params: Fields): Promise<string | null>;
  /** Text for the agent, of the session's start or with a prompt. */
  context(session: Session, method: 'session/new' | 'session/prompt'): Promise<string>;
  /** Notes a question that the agent's host asks, and with `result` its end. Best effort. */
  noteAsking(session: Session, params: Fields, result?: unknown): Promise<void>;
}

/** @param known the folders of all sessions */
export function openGate(ask: AskHook, known: () => readonly string[]): Gate {
  const payload = (session: Session | null, method: string, more: object) => ({
    v: 1,
    method,
    session_id: session?.stamp,
    cwd: session?.cwd,
    ...more,
  });
  return {
    async denial(session, method, params) {
      for (const folder of session?.folders ?? known()) {
        const printed = await ask(folder, payload(session, method, { params }));
        if (printed.exit !== 0) return printed.err;
      }
      return null;
    },
    async context(session, method) {
      const [folder = ''] = session.folders;
      const { out } = await ask(folder, payload(session, method, {}));
      const answer: unknown = out === '' ? {} : JSON.parse(out);
      return (isFields(answer) ? textOf(answer, 'context') : null) ?? '';
    },
    async noteAsking(session, params, result) {
      const [folder = ''] = session.folders;
      await ask(folder, payload(session, 'elicitation/create', result === undefined ? { params } : { params, result }));
    },
  };
}
