/** Every route of the API with its schemas, for the OpenAPI document and the client. */
import type * as z from 'zod';
import {
  blocker,
  blockerCreate,
  blockerList,
  blockerQuery,
  eventQuery,
  gate,
  gateCheck,
  outcome,
  park,
  reason,
  reply,
  resolution,
  resolved,
  wait,
  whoami,
  work,
  workList,
  workRegister,
  workUpdate,
} from './schemas.ts';

export interface Endpoint {
  /** Names it in the document and in the client. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch';
  /** Below `/api`, with its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** By status, besides problems. */
  readonly answers: Readonly<Record<number, z.ZodType>>;
  readonly problems: readonly number[];
}

const blockers = '/blockers/{id}';

export const endpoints: readonly Endpoint[] = [
  {
    ...{ id: 'whoami', method: 'get', path: '/whoami', summary: 'The agent that the token acts as' },
    ...{ answers: { 200: whoami }, problems: [] },
  },
  {
    ...{ id: 'listBlockers', method: 'get', path: '/blockers', summary: 'Blockers, newest first, in pages' },
    ...{ query: blockerQuery, answers: { 200: blockerList }, problems: [404, 422, 503] },
  },
  {
    ...{ id: 'createBlocker', method: 'post', path: '/blockers', summary: 'Ask a human; SYNC stops the work' },
    ...{ body: blockerCreate, answers: { 200: blocker, 201: blocker } },
    problems: [403, 404, 409, 422, 503],
  },
  {
    ...{ id: 'getBlocker', method: 'get', path: blockers, summary: 'One blocker' },
    ...{ answers: { 200: blocker }, problems: [404, 503] },
  },
  {
    ...{ id: 'awaitBlocker', method: 'post', path: `${blockers}/await`, summary: 'Wait for a human, up to 50 seconds' },
    ...{ body: wait, answers: { 200: outcome }, problems: [404, 422, 503] },
  },
  {
    ...{ id: 'withdrawBlocker', method: 'post', path: `${blockers}/withdraw` },
    summary: 'Take back an ASYNC blocker of your own',
    ...{ body: reason, answers: { 200: blocker }, problems: [403, 404, 409, 422, 503] },
  },
  {
    ...{ id: 'replyToHuman', method: 'post', path: `${blockers}/reply` },
    summary: 'Reply to what a human asked about a question; releases nothing',
    ...{ body: reply, answers: { 200: blocker }, problems: [403, 404, 409, 422, 503] },
  },
  {
    ...{ id: 'parkBlocker', method: 'post', path: `${blockers}/park` },
    summary: 'Leave a resume brief and stop waiting; everything stays held',
    ...{ body: park, answers: { 200: blocker }, problems: [403, 404, 409, 422, 503] },
  },
  {
    ...{ id: 'resolveBlocker', method: 'post', path: `${blockers}/resolve` },
    summary: 'Record a decision that a human has signed; without a signature, nothing is resolved',
    ...{ body: resolution, answers: { 200: resolved }, problems: [403, 404, 409, 422, 503] },
  },
  {
    ...{ id: 'checkGate', method: 'post', path: '/gate' },
    summary: 'Whether work or files may be changed: 200 allows, anything else does not',
    ...{ body: gateCheck, answers: { 200: gate, 403: gate }, problems: [422, 503] },
  },
  {
    ...{ id: 'listWork', method: 'get', path: '/work', summary: 'All work items' },
    ...{ answers: { 200: workList }, problems: [503] },
  },
  {
    ...{ id: 'registerWork', method: 'post', path: '/work', summary: 'Register a work item, or add to it' },
    ...{ body: workRegister, answers: { 200: work, 201: work }, problems: [403, 409, 422, 503] },
  },
  {
    ...{ id: 'getWork', method: 'get', path: '/work/{id}', summary: 'One work item' },
    ...{ answers: { 200: work }, problems: [404, 503] },
  },
  {
    ...{ id: 'updateWork', method: 'patch', path: '/work/{id}', summary: 'Start, finish or change a work item' },
    ...{ body: workUpdate, answers: { 200: work }, problems: [403, 404, 409, 422, 503] },
  },
];

/** The stream answers with no JSON object, so it is described apart from the others. */
export const eventsEndpoint = { id: 'events', path: '/events', query: eventQuery } as const;

/** The methods that an address below `/api` takes; none if there is no such address. */
export function methodsAt(address: string): string[] {
  const matches = (path: string) => new RegExp(`^/api${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(address);
  const methods = [...endpoints, { ...eventsEndpoint, method: 'get' }].flatMap(({ path, method }) =>
    matches(path) ? [method.toUpperCase()] : [],
  );
  return [...new Set(methods.includes('GET') ? ['HEAD', ...methods] : methods)].sort();
}
