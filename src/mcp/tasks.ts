/**
 * Calls as MCP tasks: the client gets an id at once and asks for the result when it likes, so a human may take hours.
 * A task lasts as long as this program; the question it asked stands without it.
 *
 * A waiting task is `working`, not `input_required`: that asks the client itself for input, and the SDK's client then
 * sends one request that ends after its usual 60 seconds, where it asks a working task again and again.
 */
import type { RequestTaskStore } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import type { CallToolResult, CreateTaskResult } from '@modelcontextprotocol/sdk/types.js';

export interface Tasks {
  readonly store: InMemoryTaskStore;
  /** Runs a call in the background; `run` gets a signal that fires when the client cancels the task. */
  start(
    store: RequestTaskStore,
    ttl: number | null | undefined,
    run: (signal: AbortSignal) => Promise<CallToolResult>,
  ): Promise<CreateTaskResult>;
}

const pollMs = 1_000;
const dayMs = 24 * 60 * 60 * 1000;

export function openTasks(): Tasks {
  const running = new Map<string, AbortController>();
  const store = new InMemoryTaskStore();
  const update = store.updateTaskStatus.bind(store);
  store.updateTaskStatus = async (id, status, ...rest) => {
    await update(id, status, ...rest);
    if (status === 'cancelled') running.get(id)?.abort();
  };
  return {
    store,
    async start(own, ttl, run) {
      const task = await own.createTask({ ttl: Math.min(ttl ?? dayMs, dayMs), pollInterval: pollMs });
      const controller = new AbortController();
      running.set(task.taskId, controller);
      void run(controller.signal)
        .then((result) => own.storeTaskResult(task.taskId, 'completed', result))
        .catch(() => undefined) // cancelled or past its time: nobody waits for it any more
        .finally(() => running.delete(task.taskId));
      return { task };
    },
  };
}
