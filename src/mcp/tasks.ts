/**
 * Calls that run as tasks: the client gets an id immediately and polls for the result, so a human can take hours.
 * A task lasts as long as this program; the question it asked outlives it.
 *
 * A waiting task is `working`, not `input_required`: that would ask the client for input, and clients would
 * send one request that times out after 60 seconds, whereas they poll a working task repeatedly.
 */
import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';

export interface Task {
  readonly id: string;
  readonly status: 'working' | 'completed' | 'cancelled';
  readonly created: Date;
  readonly updated: Date;
  readonly ttlMs: number;
  /** Once completed. */
  readonly result: CallToolResult | null;
}

export interface Tasks {
  /**
   * Runs a call in the background; `run` gets a signal that fires when the task is cancelled or expires. Null, without a
   * call, while `workingAtMost` tasks are working.
   */
  start(ttlMs: number | undefined, run: (signal: AbortSignal) => Promise<CallToolResult>): Task | null;
  get(id: string): Task | undefined;
  /** Waits until the task has ended, or `signal` fires; undefined if there is none, or it expired. */
  ended(id: string, signal: AbortSignal): Promise<Task | undefined>;
  list(): readonly Task[];
  /** Cancels a task that is working; undefined if there is none. */
  cancel(id: string): Task | undefined;
}

/** Each waits for a human: an agent with more has lost count of its questions. */
export const workingAtMost = 100;
/** Of ended tasks, so many are kept for a client that has not fetched their results; the oldest goes first. */
export const endedAtMost = 100;
/** How often clients should poll. */
export const pollMs = 1_000;
const dayMs = 24 * 60 * 60 * 1000;

interface Entry {
  readonly task: Task;
  /** Aborts when the task has ended or expired. */
  readonly controller: AbortController;
}

export function openTasks(): Tasks {
  const entries = new Map<string, Entry>();

  const isWorking = ({ task }: Entry) => task.status === 'working';

  function end(id: string, status: 'completed' | 'cancelled', result: CallToolResult | null): void {
    const entry = entries.get(id);
    if (entry?.task.status !== 'working') return;
    entries.set(id, { ...entry, task: { ...entry.task, status, result, updated: new Date() } });
    entry.controller.abort();
    const [oldest] = [...entries.values()].filter((one) => !isWorking(one)).slice(0, -endedAtMost);
    if (oldest) expire(oldest.task.id);
  }

  function expire(id: string): void {
    const entry = entries.get(id);
    entries.delete(id);
    entry?.controller.abort();
  }

  return {
    start(ttl, run) {
      if ([...entries.values()].filter(isWorking).length >= workingAtMost) return null;
      const [id, created, controller] = [randomUUID(), new Date(), new AbortController()];
      const ttlMs = Math.max(0, Math.min(ttl ?? dayMs, dayMs));
      const work = run(controller.signal);
      const task: Task = { id, status: 'working', created, updated: created, ttlMs, result: null };
      entries.set(id, { task, controller });
      setTimeout(expire, ttlMs, id).unref();
      work.then(
        (result) => {
          end(id, 'completed', result);
        },
        () => {
          expire(id);
        },
      );
      return task;
    },
    get: (id) => entries.get(id)?.task,
    async ended(id, signal) {
      const entry = entries.get(id);
      if (entry) await aborted(AbortSignal.any([entry.controller.signal, signal]));
      return entries.get(id)?.task;
    },
    list: () => [...entries.values()].map(({ task }) => task),
    cancel(id) {
      end(id, 'cancelled', null);
      return entries.get(id)?.task;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      resolve();
    };
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}
