/** The OpenAPI document, from the schemas that check requests. `npm run generate` writes it to schemas/openapi.json. */
import * as z from 'zod';
import { endpoints, eventsEndpoint, type Endpoint } from './endpoints.ts';
import { problemBody } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;
type Direction = 'input' | 'output';

const text: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Held on this machine, without an id yet',
  400: 'The body is not JSON',
  401: 'No token that counts here',
  403: 'Denied',
  404: 'Not found',
  409: 'It conflicts with what is there, for example with a decision that came first',
  422: 'The input cannot be accepted',
  429: 'Too many requests',
  503: 'The workspace is not available: its state is UNKNOWN, or its server does not answer',
};

/** @param event JSON schema of one event, without references */
export function openApiDocument(event: Json): Json {
  const components = new Map<string, Json>([['Event', event]]);
  const refOf = (schema: z.ZodType, io: Direction) => referTo(schema, io, components);
  refOf(problemBody, 'output');
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints)
    paths[`/api${endpoint.path}`] = {
      ...paths[`/api${endpoint.path}`],
      [endpoint.method]: operation(endpoint, refOf),
    };
  paths[`/api${eventsEndpoint.path}`] = { get: eventsOperation(refOf) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdpoint',
      version: '1',
      description:
        'Agents create blockers; only humans resolve them. A token acts as one agent and can do what that agent can. docs/api.md explains each call.',
    },
    servers: [{ url: 'http://localhost:4764' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: '`holdpoint serve token add`' } },
      schemas: Object.fromEntries(components),
    },
  };
}

type RefOf = (schema: z.ZodType, io: Direction) => Json;

function operation({ id, summary, path, query, body, answers, problems }: Endpoint, refOf: RefOf): Json {
  const parameters = [...pathParameters(path), ...(query ? queryParameters(query, refOf) : [])];
  const given = Object.entries(answers).map(([status, schema]) => [
    status,
    { description: text[Number(status)], content: { 'application/json': { schema: refOf(schema, 'output') } } },
  ]);
  const failed = [...(body ? [400] : []), 401, 429, ...problems].filter((status) => !Object.hasOwn(answers, status));
  return {
    operationId: id,
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: refOf(body, 'input') } } } }
      : {}),
    responses: { ...Object.fromEntries(given), ...problemResponses(failed) },
  };
}

function problemResponses(statuses: readonly number[]): Json {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return Object.fromEntries(statuses.map((status) => [status, { description: text[status], content }]));
}

function eventsOperation(refOf: RefOf): Json {
  const schema = { $ref: '#/components/schemas/Event' };
  return {
    operationId: eventsEndpoint.id,
    summary: 'Events as they happen; with "Upgrade: websocket", one object in each message',
    parameters: [
      ...queryParameters(eventsEndpoint.query, refOf),
      { name: 'Last-Event-ID', in: 'header', schema: { type: 'string' }, description: 'Like since, and stronger.' },
    ],
    responses: {
      200: {
        description: 'Server-sent events without names: data is one event, id its position',
        content: { 'text/event-stream': { itemSchema: schema, schema: { type: 'string' } } },
      },
      ...problemResponses([401, 422, 429, 503]),
    },
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
  }));
}

function queryParameters(query: z.ZodObject, refOf: RefOf): Json[] {
  return Object.entries(query.shape).map(([name, field]) => {
    const { description, ...schema } = refOf(field as z.ZodType, 'input') as { description?: string };
    return { name, in: 'query', ...(description === undefined ? {} : { description }), schema };
  });
}

/** A schema, with named ones moved to the components. */
function referTo(schema: z.ZodType, io: Direction, components: Map<string, Json>): Json {
  const made: unknown = z.toJSONSchema(z.object({ it: schema }), { io });
  const { properties, $defs = {} } = made as {
    properties: { it: Json };
    $defs?: Record<string, Json>;
  };
  for (const [name, { id: _, ...definition }] of Object.entries($defs)) components.set(name, moved(definition));
  return moved(properties.it);
}

function moved(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as Json;
}
