/** Calls the API as a program does. Every answer is checked against the OpenAPI document that ships. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { root } from '../support/host.ts';
import { send, type Answer } from './attacks.ts';
import { newToken, type Served } from './program.ts';

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0] & object;
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, { content?: Content }>> }>>>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  };
}

const shipped = readFileSync(path.join(root, 'schemas', 'openapi.json'), 'utf8');
const document = JSON.parse(shipped) as OpenApi;
const $defs = (JSON.parse(shipped.replaceAll('#/components/schemas/', '#/$defs/')) as OpenApi).components.schemas;

export interface Called {
  readonly status: number;
  readonly headers: Answer['headers'];
  /** The JSON object of the answer. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Api {
  readonly token: string;
  call(method: string, path: string, body?: unknown): Promise<Called>;
}

/** With a token of its own for an agent. */
export async function openApi(served: Served, agent: string): Promise<Api> {
  const token = await newToken(served, agent, agent);
  return {
    token,
    async call(method, at, body) {
      const answer = await send(served.origin, {
        ...{ method, path: `/api${at}` },
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { status, headers } = answer;
      const called = { status, headers, body: JSON.parse(answer.body) as Called['body'] };
      checkAnswer(method, at, called);
      return called;
    },
  };
}

function checkAnswer(method: string, at: string, { status, headers, body }: Called): void {
  const [pathname = ''] = `/api${at}`.split('?');
  const template = Object.keys(document.paths).find((one) => formOf(one).test(pathname));
  const described = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  if (!described) return;
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const answer = described.responses[String(status)];
  const content = (answer?.content ?? (answer && document.components.responses[String(status)]?.content))?.[type];
  assert.ok(content, `${method} ${at}: ${String(status)} ${type} is not in schemas/openapi.json`);
  const schema = JSON.parse(JSON.stringify(content.schema).replaceAll('#/components/schemas/', '#/$defs/')) as object;
  const { success, error } = z.fromJSONSchema({ ...schema, $defs }).safeParse(body);
  assert.ok(success, `${method} ${at}: ${error ? z.prettifyError(error) : ''} ${JSON.stringify(body)}`);
}

function formOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
