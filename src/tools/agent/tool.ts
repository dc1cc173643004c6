/**
 * The tools that models are offered: few and short, because each stands in every conversation. A tool hands its input to
 * operations, which check it. Its schema mentions no limits or patterns, and no fields that only programs need.
 */
import * as z from 'zod';
import { runOperation, type Operation, type ToolContext, type ToolResult } from '../kit/operation.ts';
import { type State, undecidedQuestions, recipientOf } from '../../core/state/state.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';

type Input = Readonly<Record<string, unknown>>;

export interface Call {
  /** @param renamed the tool's names for inputs of the operation, if they differ */
  (operation: Operation, input: Input, renamed?: Readonly<Record<string, string>>): Promise<ToolResult>;
  /** Null while it is UNKNOWN. */
  readonly state: State | null;
}

export interface AgentTool {
  readonly name: `holdpoint_${string}`;
  readonly title: string;
  /** At most two sentences: when to call it, and what comes next. */
  readonly description: string;
  /** When models are offered it. A call works at any time. */
  readonly shown: Shown;
  /** What models are told of the input. */
  readonly input: z.ZodObject;
  /** The first one also checks an input that is not an object. */
  readonly operations: readonly [Operation, ...Operation[]];
  /** By default, the only operation gets the input as it is. */
  readonly run?: (call: Call, input: Input) => Promise<ToolResult>;
  /** Whether a call asks for more than the usual length, and gets all of it. */
  readonly isWhole?: (input: Input) => boolean;
}

/** A tool that hands its input to one operation as it is. */
export function directTool(
  operation: Operation,
  tool: Pick<AgentTool, 'name' | 'title' | 'description' | 'shown'>,
): AgentTool {
  return { ...tool, input: operation.input, operations: [operation] };
}

/** True if it only reads. */
export function isReadOnly({ operations }: AgentTool): boolean {
  return operations.every(({ readOnly }) => readOnly);
}

/**
 * Never throws for a caller's mistake, as `runOperation`.
 * @param lastLines what the caller adds to a result; never cut
 */
export async function runAgentTool(
  tool: AgentTool,
  context: ToolContext,
  raw: unknown,
  lastLines?: (result: ToolResult) => string,
): Promise<ToolResult> {
  const result = await resultOf(tool, context, raw);
  const isWhole = typeof raw === 'object' && raw !== null && tool.isWhole?.(raw as Input);
  const last = lastLines?.(result) ?? '';
  const text = isWhole ? result.text : shorten(result.text, usualLength - last.length);
  return { ...result, text: text + last };
}

async function resultOf(tool: AgentTool, context: ToolContext, raw: unknown): Promise<ToolResult> {
  const [first] = tool.operations;
  const input = raw ?? {};
  if (!tool.run || typeof input !== 'object' || Array.isArray(input)) return runOperation(first, context, raw);
  const call = async (operation: Operation, given: Input, renamed: Readonly<Record<string, string>> = {}) =>
    runOperation(operation, { ...context, inputNames: new Map(Object.entries(renamed)) }, given);
  const { state } = context.workspace.standing();
  return tool.run(Object.assign(call, { state }), input as Input);
}

/** Characters of a result that a model reads, unless it asks for more. */
export const usualLength = 600;

/**
 * The beginning of a text, which says what to do, and its end, which says what comes next. What was left out of the middle
 * is said in its place, with how to read it.
 */
export function shorten(text: string, atMost = usualLength): string {
  if (text.length <= atMost) return text;
  const room = atMost - noteLength;
  const start = text.slice(0, Math.ceil(room * 0.7)).replace(/[\uD800-\uDBFF]$/, '');
  const end = text.slice(-Math.floor(room * 0.3)).replace(/^[\uDC00-\uDFFF]/, '');
  const middle = text.slice(start.length, text.length - end.length);
  const mentioned = [...text.slice(0, text.length - end.length).matchAll(/\b(?:Q|RFC|R|E)-[1-9]\d{0,8}\b/g)];
  // Of the item that is cut, and of those that are left out.
  const last = mentioned.findLastIndex(({ index }) => index < start.length);
  const ids = [...new Set(mentioned.slice(Math.max(0, last)).map(([id]) => id))].slice(0, 5);
  const how = ids.length === 0 ? '' : `; read ${ids.join(', ')} with holdpoint_list_items and id`;
  return `${start} [… ${String(middle.length)} characters left out${how} …] ${end}`;
}

const noteLength = 140;

/**
 * Inputs that a tool calls by another name, joined with those given under the operation's own name, so that neither is
 * lost. If two are not lists, the operation's own name applies.
 */
export function withOwn(given: Input, renamed: Input): Input {
  const entries = Object.entries(renamed).map(([key, value]) => {
    const own = given[key];
    if (own === undefined) return [key, value] as const;
    const both = Array.isArray(own) && Array.isArray(value) ? [...(own as unknown[]), ...(value as unknown[])] : own;
    return [key, both] as const;
  });
  return { ...given, ...Object.fromEntries(entries) };
}

/** Whether a call can wait for a human. */
export function waits({ input }: AgentTool): boolean {
  return 'wait_seconds' in input.shape;
}

export function field({ name, input }: Operation, key: string): z.ZodType {
  const type = input.shape[key] as z.ZodType | undefined;
  if (!type) throw new RangeError(`${name} has no input ${key}`);
  return type;
}

export function fieldsOf(operation: Operation, ...names: readonly string[]): Record<string, z.ZodType> {
  return Object.fromEntries(names.map((key) => [key, field(operation, key)]));
}

export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: JsonSchema;
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const enforcedOnly: ReadonlySet<string> = new Set([
  '$schema',
  'additionalProperties',
  'default',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'pattern',
]);

/** The input as models see it: types, words and descriptions. */
export function inputSchema({ input }: Pick<AgentTool, 'input'>): JsonSchema & { readonly type: 'object' } {
  return plainSchema(z.toJSONSchema(input, { io: 'input' })) as JsonSchema & { readonly type: 'object' };
}

function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !enforcedOnly.has(key))
      .map(([key, value]) => [
        key,
        key === 'properties'
          ? Object.fromEntries(Object.entries(value as object).map(([name, field]) => [name, plainSchema(field)]))
          : plainSchema(value),
      ]),
  );
}

/** `used`: the folder uses Holdpoint. `asked`: an agent has an open question. `requests`: a responsibility is registered. */
export type Shown = 'always' | 'used' | 'asked' | 'requests';

/** Whether anything was ever recorded here, or prepared. */
export function isUsed({ location, options }: Pick<Workspace, 'location' | 'options'>): boolean {
  return location.problem !== null || options.fs.existsSync(`${location.root}/.holdpoint`);
}

/** @param agent the caller; null for any */
export function shownIn(workspace: Workspace, agent: string | null): ReadonlySet<Shown> {
  if (!isUsed(workspace)) return new Set<Shown>(['always']);
  const { state } = workspace.standing();
  // What cannot be read may hold anything.
  if (state === null) return everything;
  const isOpen = undecidedQuestions(state).some(
    (question) => agent === null || question.asker.id === agent || recipientOf(state, question) === agent,
  );
  return new Set<Shown>([
    'always',
    'used',
    ...(isOpen ? (['asked'] as const) : []),
    ...(state.responsibilities.size > 0 ? (['requests'] as const) : []),
  ]);
}

export const everything: ReadonlySet<Shown> = new Set<Shown>(['always', 'used', 'asked', 'requests']);
