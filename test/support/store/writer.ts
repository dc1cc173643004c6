/**
 * A separate program on a shared workspace, for kills, stops and races. It takes one job as its argument, prints
 * "ready", and then prints each acknowledgement on its own line.
 */
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import fs from 'node:fs';
import { createInterface } from 'node:readline';
import { decideQuestion, shownHash, type Verdict } from '../../../src/app/decision/decisions.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { AgentSession } from '../../../src/app/workspace/session.ts';
import { respondToRequest } from '../../../src/app/request/requests.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { openWorkspace, type Workspace } from '../../../src/app/workspace/workspace.ts';
import { wholeAgent } from '../../../src/core/kit/persons.ts';
import type { Store } from '../../../src/store/store.ts';
import { fingerprint } from './fingerprint.ts';

export type Job =
  /** Writes endlessly; ids are `<name>-<number>`. */
  | { readonly does: 'write'; readonly name: string }
  /** Prints the fingerprint of the store and ends. Writes nothing. */
  | { readonly does: 'tell' }
  /** Reads one act per line until the input ends, and prints each outcome. */
  | { readonly does: 'serve' };

/** What a line of input asks for. */
export type Act =
  | { readonly does: 'register'; readonly id: string }
  | { readonly does: 'claim'; readonly agent: string; readonly id: string }
  | { readonly does: 'raise'; readonly agent: string; readonly text: string }
  | {
      readonly does: 'answer';
      readonly id: string;
      readonly text: string;
      readonly key: string;
      readonly keyid: string;
    };

export interface Program {
  readonly folder: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly wasm: string;
  readonly job: Job;
  /** The time at which its clock is stopped, in milliseconds since the epoch; by default, the machine's clock. */
  readonly now?: number | undefined;
}

/** Whose agents write, in a shared journal. */
let person: string | null = null;
const program = JSON.parse(process.argv[2] ?? '') as Program;
await run(program);

async function run({ folder, home, env = {}, wasm, job, now }: Program): Promise<void> {
  const workspace = openWorkspace({
    folder,
    home,
    env,
    fs,
    platform: process.platform,
    clock: () => now ?? Date.now(),
    newId: randomUUID,
    wasm: () => fs.readFileSync(wasm),
    mayWrite: () => job.does !== 'tell',
  });
  const store = await workspace.store();
  person = workspace.person();
  say('ready');
  if (job.does === 'tell') {
    tell(workspace, store);
    return;
  }
  if (job.does === 'serve') return serve(workspace, store);
  for (let number = 0; ; number++) say(await writeOne(store, job.name, number));
}

function tell(workspace: Workspace, store: Store): void {
  say(JSON.stringify(fingerprint(store.read())));
  workspace.close();
}

async function serve(workspace: Workspace, store: Store): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line) as Act;
    say(JSON.stringify(await outcomeOf(async () => act(store, job))));
  }
  workspace.close();
  process.exit();
}

function session(id: string): AgentSession {
  return { actor: { kind: 'agent', id: wholeAgent(person, id), worktree: '.' }, host: 'test' };
}

/** Every fourth act is a question; the others are work items. */
async function writeOne(store: Store, name: string, number: number): Promise<string> {
  const id = `${name}-${String(number)}`;
  if (number % 4 === 3) {
    const text = `Question ${id}?`;
    await raiseQuestion(store, session('writer-001'), {
      text,
      type: 'decision',
      urgency: 'low',
      mode: 'sync',
      work: null,
    });
    return text;
  }
  await registerWork(store, session('writer-001'), { id, workKind: 'task', title: 'x'.repeat(1 + (number % 150)) });
  return id;
}

async function act(store: Store, job: Act): Promise<unknown> {
  switch (job.does) {
    case 'register':
      return registerWork(store, session('writer-001'), { id: job.id, workKind: 'task', title: String(process.pid) });
    case 'raise':
      return (
        await raiseQuestion(store, session(job.agent), {
          text: job.text,
          type: 'decision',
          urgency: 'low',
          mode: 'sync',
          work: null,
        })
      ).already;
    case 'claim': {
      const answer = { act: 'accept', work: [{ id: `${job.id}-${job.agent}`, title: 'Do it', kind: 'task' }] } as const;
      return (await respondToRequest(store, session(job.agent), job.id, answer)).accepted_by;
    }
    case 'answer': {
      const key = createPrivateKey({ key: Buffer.from(job.key, 'base64'), format: 'der', type: 'pkcs8' });
      const signer = { keyid: job.keyid, name: 'Ada', sign: (bytes: Uint8Array) => sign(null, bytes, key) };
      const { state } = store.read();
      const question = state.questions.get(job.id);
      const shown = question ? shownHash(state, question) : '';
      const verdict: Verdict = { kind: 'answer', answer: { text: job.text, choices: [] } };
      const { outcome, question: after } = await decideQuestion(
        { store, signer, newId: randomUUID },
        job.id,
        verdict,
        shown,
      );
      return { outcome, answer: after.answer?.text };
    }
  }
}

async function outcomeOf(attempt: () => Promise<unknown>): Promise<unknown> {
  try {
    return { ok: await attempt() };
  } catch (error) {
    return { error: error instanceof Error && 'code' in error ? error.code : 'unknown', message: String(error) };
  }
}

function say(line: string): void {
  fs.writeSync(1, `${line}\n`);
}
