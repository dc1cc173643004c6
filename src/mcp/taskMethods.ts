/**
 * How clients follow tasks. The 2025 era has tasks in its core: the client asks for one. The 2026 era has them as an
 * extension: the server decides, for clients that declare it.
 */
/* eslint-disable @typescript-eslint/no-deprecated -- the low-level server: see server.ts */
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Result,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { envelopeOf } from './envelope.ts';
import { pollMs, type Task, type Tasks } from './tasks.ts';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

export type Era = 'legacy' | 'modern';

export const taskCapabilities = {
  legacy: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  modern: { extensions: { [tasksExtension]: {} } },
} as const;

/** Whether a request of the 2026 era declares that its client can follow tasks. */
export function declaresTasks(context: ServerContext): boolean {
  return Object.hasOwn(envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY]?.extensions ?? {}, tasksExtension);
}

/** The result of a call that runs as a task. The library demands content of every result of a call. */
export function startedTask(era: Era, task: Task): { content: []; [more: string]: unknown } {
  return era === 'legacy'
    ? { content: [], task: legacyTask(task) }
    : { content: [], resultType: 'task', ...modernTask(task) };
}

export function serveTasks(server: Server, era: Era, tasks: Tasks): void {
  if (era === 'legacy') serveLegacy(server, tasks);
  else serveModern(server, tasks);
}

const byId = { params: z.looseObject({ taskId: z.string() }), result: z.looseObject({}) };
const byCursor = { params: z.looseObject({}), result: z.looseObject({}) };

function serveLegacy(server: Server, tasks: Tasks): void {
  server.setRequestHandler('tasks/get', byId, ({ taskId }) => legacyTask(known(tasks.get(taskId))));
  server.setRequestHandler('tasks/list', byCursor, () => ({ tasks: tasks.list().map(legacyTask) }));
  server.setRequestHandler('tasks/cancel', byId, ({ taskId }) => {
    if (known(tasks.get(taskId)).status !== 'working') throw invalid('The task has ended');
    return legacyTask(known(tasks.cancel(taskId)));
  });
  server.setRequestHandler('tasks/result', byId, async ({ taskId }, { mcpReq }) => {
    const { result } = known(await tasks.ended(taskId, mcpReq.signal));
    if (!result) throw invalid('The task was cancelled');
    return { ...result, _meta: { ...result._meta, [RELATED_TASK_META_KEY]: { taskId } } };
  });
}

function serveModern(server: Server, tasks: Tasks): void {
  server.setRequestHandler('tasks/get', byId, ({ taskId }) => {
    const task = known(tasks.get(taskId));
    return { ...modernTask(task), ...(task.result ? { result: { ...task.result, resultType: 'complete' } } : {}) };
  });
  server.setRequestHandler('tasks/cancel', byId, ({ taskId }) => acknowledged(tasks.cancel(taskId)));
  // Our tasks ask clients for nothing, so no answer is outstanding, and others are ignored.
  server.setRequestHandler('tasks/update', byId, ({ taskId }) => acknowledged(tasks.get(taskId)));
}

function acknowledged(task: Task | undefined): Result {
  known(task);
  return {};
}

function known(task: Task | undefined): Task {
  if (!task) throw invalid('There is no such task');
  return task;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function legacyTask(task: Task): Result {
  return { ...common(task), ttl: task.ttlMs, pollInterval: pollMs };
}

function modernTask(task: Task): Result {
  return { ...common(task), ttlMs: task.ttlMs, pollIntervalMs: pollMs };
}

function common({ id, status, created, updated }: Task): Result {
  return { taskId: id, status, createdAt: created.toISOString(), lastUpdatedAt: updated.toISOString() };
}
