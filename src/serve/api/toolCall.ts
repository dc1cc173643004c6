/** A route does its work with a tool of agents, so that its rules are those of every other channel. */
import type { Context } from 'hono';
import { operations } from '../../tools/operations.ts';
import type { OperationName, ToolOutputs } from '../../tools/kit/outputs.ts';
import { runOperation } from '../../tools/kit/operation.ts';
import { problem } from '../security/problem.ts';
import type { Problem } from '../security/problem.ts';
import type { ProgramEnv } from '../security/tokens.ts';
import type { ApiOptions } from './context.ts';
import { apiGuide } from './guide.ts';

export interface ToolDone<N extends OperationName> {
  /** False for a gate that denies. */
  readonly isAllowed: boolean;
  readonly text: string;
  readonly data: ToolOutputs[N];
}

/** @returns the result, or the response that says what went wrong */
export async function callTool<N extends OperationName>(
  context: Context<ProgramEnv>,
  { workspace }: ApiOptions,
  name: N,
  input: object,
): Promise<ToolDone<N> | Response> {
  const tool = operations.find((one) => one.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  const signal = context.req.raw.signal;
  const session = context.get('agent');
  const called = { workspace, session, signal, waitMs: 0, guide: apiGuide, passesOthersOn: false };
  const { status, text, data } = await runOperation(tool, called, input);
  if ('error' in data) return failure(context, data['error'] as ToolError);
  return { isAllowed: status === 'ok', text, data: data as unknown as ToolOutputs[N] };
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

export function failure(context: Context, { code, message }: ToolError): Response {
  return problem(context, { ...(statuses[code] ?? unavailable), code, detail: message });
}
