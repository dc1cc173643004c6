/** A route does its work with an operation of agents, so that its rules are those of every other channel. */
import type { Context } from 'hono';
import { runOperation, type Operation, type ToolResult } from '../../tools/kit/operation.ts';
import { refuse, type Problem, type AddressOptions } from '../security/guard.ts';
import type { ProgramEnv } from '../security/sessions.ts';
import type { Guide } from '../../core/kit/guide.ts';
import type * as z from 'zod';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { inputProblems, problemsByField } from '../../tools/kit/inputProblems.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';

/** @throws HTTPException with the response that says what went wrong */
export async function callOperation(
  context: Context<ProgramEnv>,
  { workspace }: ApiOptions,
  operation: Operation,
  input: object,
): Promise<ToolResult> {
  const { signal } = context.req.raw;
  const called = {
    workspace,
    session: context.get('agent'),
    signal,
    waitMs: 0,
    guide: apiGuide,
    passesOthersOn: false,
  };
  const result = await runOperation(operation, called, input);
  if ('error' in result.data) refuse(context, failureOf(result.data['error'] as ToolError));
  return result;
}

interface ToolError {
  readonly code: string;
  readonly message: string;
}

const statuses: Readonly<Record<string, Pick<Problem, 'status' | 'error'>>> = {
  bad_input: { status: 422, error: 'The input cannot be accepted' },
  not_found: { status: 404, error: 'Not found' },
  conflict: { status: 409, error: 'It conflicts with what is there' },
  denied: { status: 403, error: 'Denied' },
};

/** Anything else is a store that cannot be read or written now. */
const unavailable = { status: 503, error: 'The workspace is not available' } as const;

export function failureOf({ code, message }: ToolError): Problem {
  return { ...(statuses[code] ?? unavailable), code, detail: message };
}

/** What messages advise a program to do next. */
export const apiGuide: Guide = {
  call: 'Call',
  name: (step, input) => `POST /api/${step}${input === undefined ? '' : ` ${JSON.stringify(input)}`}`,
};

// What a request carries, checked against the schema that the OpenAPI document shows.

/** The body: 400 for what is not JSON, and 422 says what is wrong with what is. */
export async function bodyOf<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await context.req.text();
  const given = jsonOrNull(text);
  if (given === null && text.trim() !== 'null')
    refuse(context, {
      ...{ status: 400, code: 'not_json', error: 'The body is not JSON' },
      detail: 'Nothing was done. The body must be one JSON object.',
    });
  return checkInput(context, schema, given);
}

/** The query; 422 says what is wrong with it. */
export function queryOf<T>(context: Context, schema: z.ZodType<T>): T {
  return checkInput(context, schema, context.req.query());
}

function checkInput<T>(context: Context, schema: z.ZodType<T>, given: unknown): T {
  const { data, error, success } = schema.safeParse(given);
  if (success) return data;
  const fields = 'shape' in schema ? Object.keys((schema as unknown as z.ZodObject).shape) : [];
  return refuse(context, {
    ...{ status: 422, code: 'bad_input', error: 'The input cannot be accepted' },
    detail: `Nothing was done. ${inputProblems(error, { fields }, given)}`,
    more: { errors: problemsByField(error, { fields }, given) },
  });
}

// What the routes for programs share.

export interface ApiOptions extends AddressOptions {
  readonly workspace: Workspace;
  /** What browsers call the server. */
  readonly origin: () => string;
  readonly document: string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** The id of the workspace; null before its first record. */
export function projectOf(workspace: Workspace): string | null {
  return workspace.standing().state?.workspace?.id ?? null;
}
