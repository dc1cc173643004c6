/**
 * Every route of the API with its schemas, for the server, the OpenAPI document and the client. Each operation of agents
 * has a route, which follows from it. `/blockers` is another name for questions, for programs that know blockers.
 */
import type * as z from 'zod';
import { catalog, operations } from '../../tools/catalog.ts';
import type { Operation } from '../../tools/kit/operation.ts';
import type { OperationName } from '../../tools/kit/outputs.ts';
import {
  blocker,
  blockerCreate,
  blockerList,
  blockerQuery,
  eventQuery,
  resolution,
  resolved,
  waitSeconds,
  whoami,
} from './schemas.ts';

export interface Endpoint {
  /** Names it in the document and in the client. */
  readonly id: string;
  readonly method: 'get' | 'post';
  /** Below `/api`, with its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** By status, besides problems: a schema, or the operation whose output it is. */
  readonly answers: Readonly<Record<number, z.ZodType | OperationName>>;
}

/** What the route of an operation takes: its input, with waits that are shorter than the time-out of usual proxies. */
export function bodyOfOperation({ input }: Operation): z.ZodObject {
  return 'wait_seconds' in input.shape ? input.extend({ wait_seconds: waitSeconds }) : input;
}

export const endpoints: readonly Endpoint[] = [
  {
    ...{ id: 'whoami', method: 'get', path: '/whoami', summary: 'The agent that the token acts as' },
    answers: { 200: whoami },
  },
  {
    ...{ id: 'list_blockers', method: 'get', path: '/blockers', summary: 'Blockers, newest first, in pages' },
    ...{ query: blockerQuery, answers: { 200: blockerList } },
  },
  {
    ...{ id: 'create_blocker', method: 'post', path: '/blockers', summary: 'Ask a human; SYNC stops the work' },
    ...{ body: blockerCreate, answers: { 200: blocker, 201: blocker } },
  },
  {
    ...{ id: 'get_blocker', method: 'get', path: '/blockers/{id}', summary: 'One blocker' },
    answers: { 200: blocker },
  },
  {
    ...{ id: 'resolve_blocker', method: 'post', path: '/blockers/{id}/resolve' },
    summary: 'Record a decision that a human has signed; without a signature, nothing is resolved',
    ...{ body: resolution, answers: { 200: resolved } },
  },
  ...operations.map((operation): Endpoint => {
    const { name } = operation;
    const tool = catalog.find(({ operations: own }) => own.includes(operation));
    return {
      ...{ id: name, method: 'post', path: `/${name}`, summary: tool?.title ?? name },
      ...{ body: bodyOfOperation(operation), answers: { 200: name, 403: name } },
    };
  }),
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
