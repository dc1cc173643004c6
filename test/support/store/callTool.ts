/** Calls of a tool, as a program of an agent makes them, and what they must say. */
import assert from 'node:assert/strict';
import type { AgentSession } from '../../../src/app/workspace/session.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { runOperation, type ToolResult } from '../../../src/tools/kit/operation.ts';
import { operations } from '../../../src/tools/catalog.ts';
import { agent } from './people.ts';

interface Calling {
  readonly as?: AgentSession | string | undefined;
  /** By default, calls that can wait return at once. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function callTool(
  workspace: Workspace,
  name: string,
  input: unknown = {},
  { as = agent(), waitMs = 0, signal = new AbortController().signal }: Calling = {},
): Promise<ToolResult> {
  const tool = operations.find((one) => one.name === name);
  assert.ok(tool, name);
  return runOperation(tool, { workspace, session: typeof as === 'string' ? agent(as) : as, signal, waitMs }, input);
}

export async function says(
  result: Promise<ToolResult>,
  status: ToolResult['status'],
  ...parts: readonly RegExp[]
): Promise<ToolResult> {
  const got = await result;
  for (const part of parts) assert.match(got.text, part);
  assert.equal(got.status, status, got.text);
  return got;
}
