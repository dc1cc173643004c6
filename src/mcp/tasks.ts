/**
 * Calls as MCP tasks: the client gets an id at once and polls for the result, so a human can take hours.
 * A task lasts as long as this program; the question it asked outlives it.
 *
 * A waiting task is `working`, not `input_required`: that would ask the client for input, and the SDK's client would
 * send one request that times out after 60 seconds, whereas it polls a working task repeatedly.
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
        .catch(() => undefined) // cancelled or expired: no client waits for it any more
        .finally(() => running.delete(task.taskId));
      return { task };
    },
  };
}
