/** The OpenAPI document, from the schemas that check requests. `npm run generate` writes it to schemas/openapi.json. */
import * as z from 'zod';
import { endpoints, eventsEndpoint, type Endpoint, problemBody } from './endpoints.ts';

type Json = Readonly<Record<string, unknown>>;
type Direction = 'input' | 'output';

const text: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  400: 'The body is not JSON',
  401: 'No token that is valid here',
  403: 'Denied',
  404: 'Not found',
  409: 'It conflicts with what is there, for example with a decision that came first',
  422: 'The input cannot be accepted',
  429: 'Too many requests',
  503: 'The workspace is not available: its state is UNKNOWN, or its server does not answer',
};

/** @param outputs JSON schemas of outputs and of the types in them, by their names; `watch` is an event */
export function openApiDocument(outputs: Readonly<Record<string, Json>>): Json {
  const components = new Map<string, Json>();
  const named = (name: string, as: string) => refToOutput(name, { outputs, components, as });
  const refOf: RefOf = (schema, io) =>
    typeof schema === 'string' ? named(schema, pascal(schema)) : referTo(schema, io, components);
  named('watch', 'Event');
  refOf(problemBody, 'output');
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints)
    paths[`/api${endpoint.path}`] = {
      ...paths[`/api${endpoint.path}`],
      [endpoint.method]: operation(endpoint, refOf),
    };
  paths[`/api${eventsEndpoint.path}`] = { get: eventsOperation(refOf) };
  components.set('Blocker', extendSchema(components.get('QuestionView') ?? {}, components.get('Blocker') ?? {}));
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
      responses: Object.fromEntries(
        Object.entries(text).flatMap(([status, description]) =>
          Number(status) < 400 ? [] : [[status, { description, content: problem }]],
        ),
      ),
    },
  };
}

type RefOf = (schema: z.ZodType | string, io: Direction) => Json;

function operation({ id, summary, path, query, body, answers }: Endpoint, refOf: RefOf): Json {
  const parameters = [...pathParameters(path), ...(query ? queryParameters(query, refOf) : [])];
  const problems = [...(body ? [400, 403, 409] : []), 401, 404, 422, 429, 503];
  const answered = Object.entries(answers).map(([status, schema]) => {
    const content = { 'application/json': { schema: refOf(schema, 'output') } };
    return [
      status,
      { description: text[Number(status)], content: { ...content, ...(status === '403' ? problem : {}) } },
    ];
  });
  return {
    operationId: id,
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: refOf(body, 'input') } } } }
      : {}),
    responses: { ...problemResponses(problems), ...Object.fromEntries(answered) },
  };
}

function problemResponses(statuses: readonly number[]): Json {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${String(status)}` }]));
}

const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

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

function referTo(schema: z.ZodType, io: Direction, components: Map<string, Json>): Json {
  const made: unknown = z.toJSONSchema(z.object({ it: schema }), { io });
  const { properties, $defs = {} } = made as {
    properties: { it: Json };
    $defs?: Record<string, Json>;
  };
  for (const [name, { id: _, ...definition }] of Object.entries($defs))
    components.set(name, moveReferences(definition));
  return moveReferences(properties.it);
}

/** An output, moved to the components with all that it refers to. */
function refToOutput(
  name: string,
  to: { outputs: Readonly<Record<string, Json>>; components: Map<string, Json>; as: string },
): Json {
  const { outputs, components, as } = to;
  if (!components.has(as)) {
    const schema = outputs[name] ?? {};
    components.set(as, moveReferences(schema));
    for (const [, other = ''] of JSON.stringify(schema).matchAll(/"#\/\$defs\/(\w+)"/g))
      refToOutput(other, { ...to, as: other });
  }
  return { $ref: `#/components/schemas/${as}` };
}

/** A blocker has all members of a question, some of them in its own form. */
function extendSchema(base: Json, own: Json): Json {
  const listed = (name: string) => [base, own].flatMap((one) => (one[name] as readonly string[] | undefined) ?? []);
  const properties = { ...(base['properties'] as Json), ...(own['properties'] as Json) };
  return { ...base, properties, required: [...new Set(listed('required'))] };
}

/** `CheckGate` for `check_gate` */
function pascal(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
}

function moveReferences(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as Json;
}
