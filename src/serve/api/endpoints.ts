/** What the API takes and returns. The OpenAPI document and the types of the client are made from these schemas. */
import * as z from 'zod';
import type { QuestionView } from '../../app/question/views.ts';
import { agentId, instant, questionId, textField, workId } from '../../core/kit/fields.ts';
import { limits } from '../../core/kit/limits.ts';
import { questionType } from '../../core/kit/words.ts';
import { raiseQuestion } from '../../tools/question/asking.ts';
import { catalog, operations } from '../../tools/catalog.ts';
import type { Operation } from '../../tools/kit/operation.ts';
import type { OperationName } from '../../tools/kit/outputs.ts';

export const blockerType = z.enum(['SYNC', 'ASYNC']).describe('SYNC: the work stops. ASYNC: the agent continues.');
export const blockerStatus = z
  .enum(['PENDING', 'RESOLVED', 'EXPIRED'])
  .describe('RESOLVED: a human decided, or the agent withdrew it; `resolution` says which.');

/** What a blocker has besides the members of a question, or instead of them. */
export const blocker = z
  .object({
    project_id: z.uuid().nullable(),
    task_id: z.string().nullable(),
    task_title: z.string().nullable(),
    blocker_type: blockerType,
    question: z.string(),
    answer: z.string().nullable().describe('The choices and the text of the answer.'),
    status: blockerStatus,
    created_at: instant,
    resolved_at: instant.nullable(),
    url: z.url().describe('Where a human answers.'),
  })
  .meta({ id: 'Blocker' });
export type Blocker = Omit<QuestionView, 'answer' | 'status'> & z.output<typeof blocker>;

export const blockerList = z
  .object({
    blockers: z.array(blocker),
    total: z.int().describe('Of the whole selection, as the other counts.'),
    pending_count: z.int(),
    sync_count: z.int(),
    next_before: questionId.nullable().describe('`before` of the next page; null on the last one.'),
  })
  .meta({ id: 'BlockerList' });

const pageSize = { usual: 100, most: 500 };

export const blockerQuery = z.strictObject({
  project_id: z.string().optional().describe('The id of the workspace; another one is not found.'),
  status: blockerStatus.optional(),
  agent_id: agentId.optional(),
  task_id: workId.optional(),
  blocker_type: blockerType.optional(),
  type: questionType.optional(),
  limit: z.coerce.number().int().min(1).max(pageSize.most).default(pageSize.usual),
  before: questionId.optional().describe('Only blockers raised before this one; newest first.'),
});

const own = z.strictObject({
  agent_id: agentId.optional().describe("Must be the token's agent."),
  task_id: workId.nullish().describe('The work item that it stops. Without one it stops the whole agent.'),
  blocker_type: blockerType.default('SYNC'),
  question: textField(limits.questionText).describe('In Markdown; the first line must be understandable by itself.'),
});
export const blockerCreate = z
  .strictObject({
    ...own.shape,
    ...raiseQuestion.input.omit({ text: true, mode: true, work_id: true, wait_seconds: true }).shape,
  })
  .meta({ id: 'BlockerCreate' });
/** The members that are not the tool's own. */
export const blockerOwn = z.object(own.shape);

/** Under the usual limit of proxies for a silent connection. */
export const waitSeconds = z
  .number()
  .min(0)
  .max(50)
  .default(45)
  .describe('How long to wait before returning; call again while the result is `waiting`.');

/** A record as `holdpoint` writes it, with the envelope that a human's key or passkey signed. */
export const resolution = z.union([
  z.strictObject({ record: z.looseObject({ kind: z.string(), envelope: z.looseObject({}) }) }),
  z.strictObject({ answer: z.string() }).describe('Always refused: an answer without a signature resolves nothing.'),
]);
export const resolved = z
  .object({
    blocker_id: questionId,
    status: z.enum(['RESOLVED', 'PENDING']).describe('PENDING: it needs the signatures of more people.'),
    resolved_at: instant.nullable(),
  })
  .meta({ id: 'Resolved' });

export const eventQuery = z.strictObject({
  since: z.string().optional().describe('Continue after this position; 0 for everything from the beginning.'),
  type: z
    .string()
    .optional()
    .describe('Only these types of events, or kinds of records, separated by commas. Positions do not change.'),
});

export const whoami = z.object({ agent_id: z.string(), project_id: z.uuid().nullable() }).meta({ id: 'Whoami' });

export const problemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    error: z.string().describe('What was wrong, in a few words.'),
    code: z.string().describe('For programs.'),
    detail: z.string().describe('What was wrong and what to do.'),
    blocker_id: z.string().optional(),
    resolved_at: instant.nullish(),
    url: z.url().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });

// Every route of the API with its schemas, for the server, the OpenAPI document and the client. Each operation of
// agents has a route, which follows from it. `/blockers` is another name for questions, for programs that know
// blockers.

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
