/**
 * Recognizes the most frequent records, and what humans sign, as programs write them, without their schemas, which take several times as long.
 * Tests compare both.
 */
import {
  isBase64,
  isCount,
  isInstant,
  isListOf,
  isMap,
  isOneOf,
  isPlainGlob,
  isPlainPath,
  isSha256,
  isText,
  isUuid,
  matches,
} from '../kit/quickChecks.ts';
import type { Check } from '../kit/quickChecks.ts';
import { limits } from '../kit/words.ts';
import type { DecisionPayload } from './decision.ts';
import type { JournalRecord, RecordInput } from './records.ts';

const isTitle = isText(limits.title);
const isNote = isText(limits.otherText);
const isQuestionId = matches(/^Q-[1-9]\d{0,8}$/);
const isEventId = matches(/^E-[1-9]\d{0,8}$/);
const isWorkId = matches(/^[A-Za-z0-9][A-Za-z0-9._:#/@-]{0,99}$/);
/** A type and a number, as programs are given them. */
const isAgentId = matches(/^(?:[A-Za-z0-9]{1,30}\/)?[a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,20}){0,2}-\d{1,6}$/);
const isBoolean: Check = (value) => typeof value === 'boolean';
const isEffect = isOneOf('proceed', 'do_not', 'stop');
const isStatus = isOneOf('todo', 'in_progress', 'done', 'failed', 'cancelled', 'deleted');
const isCopy = matches(/^[0-9a-f]{16}$/);

const isNullOr =
  (isOne: Check): Check =>
  (value) =>
    value === null || isOne(value);
const isFrom =
  (least: number, most: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const isPositive = isFrom(1, Number.MAX_SAFE_INTEGER);

const listOf =
  (isOne: Check, most: number = limits.listItems): Check =>
  (value) =>
    isListOf(value, isOne) && value.length <= most;
const isChoice = isMap({ label: isTitle, recommended: isBoolean }, { description: isNote, effect: isEffect });
const hasChoices = listOf(isChoice, limits.choices);
const isFile = isMap({ path: isPlainPath }, { line: isPositive });
const workIds = listOf(isWorkId);
const globs = listOf(isPlainGlob);
const paths = listOf(isPlainPath);
const isChange = isMap({ path: isPlainPath, was: isNullOr(isSha256), is: isNullOr(isSha256) });

const isAnswer = isMap(
  { choices: listOf(isTitle, limits.choices) },
  { text: isText(limits.answerText), effect: isEffect },
);
const isSignature = isMap({ keyid: isSha256, sig: isBase64 });
const isEnvelope = isMap({
  payloadType: isOneOf('application/vnd.holdpoint.decision+json'),
  payload: isBase64,
  signatures: (value) => isListOf(value, isSignature) && value.length === 1,
});

const isDecision = isMap({
  v: (value) => value === 1,
  workspace: isUuid,
  action: matches(/^[A-Za-z.]{1,100}$/),
  subject: isText(limits.id),
  shown: isSha256,
  recordHash: isSha256,
  nonce: isUuid,
  position: isCount,
  head: isSha256,
  at: isInstant,
  by: isText(limits.id),
});

/** What a human signed, as it is in an envelope. */
export function isPlainDecision(value: unknown): value is DecisionPayload {
  return isDecision(value);
}

/** By kind. Of the optional members, only the frequent ones. */
const plain: ReadonlyMap<unknown, Check> = new Map(
  Object.entries({
    'question.raised': record(
      {
        id: isQuestionId,
        text: isText(limits.questionText),
        type: isOneOf('clarification', 'decision', 'approval'),
        urgency: isOneOf('low', 'medium', 'high', 'critical'),
        mode: isOneOf('sync', 'async'),
        work: isNullOr(isWorkId),
        choices: (value) => hasChoices(value) && areDistinct(value as readonly { readonly label: string }[]),
        multiple: isBoolean,
        freeText: isBoolean,
        alternatives: listOf(isNote),
        files: listOf(isFile),
        holds: globs,
        expiresAt: isInstant,
      },
      { background: isNote, context: isNote, impact: isNote, ifDelayed: isNote, assumption: isNote },
    ),
    'question.answered': record({ id: isQuestionId, answer: isAnswer, envelope: isEnvelope }),
    'question.widened': record({ id: isQuestionId, addHolds: globs }, { mode: isOneOf('sync') }),
    'question.escalated': record({ id: isQuestionId }),
    'question.expired': record({ id: isQuestionId }),
    'outcome.offered': record({ id: isQuestionId, agent: isAgentId }),
    'outcome.acknowledged': record({ id: isQuestionId, agent: isAgentId }),
    'event.posted': record({
      id: isEventId,
      type: isOneOf('warning', 'decision', 'mutation', 'discovery', 'outcome'),
      text: isNote,
      priority: isOneOf('critical', 'high', 'normal', 'low'),
      scopes: paths,
      related: listOf(isEventId),
    }),
    'agent.registered': record({ id: isAgentId, type: isText(limits.id), host: isText(limits.id), label: isTitle }),
    'work.registered': record({
      id: isWorkId,
      workKind: isOneOf('task', 'workflow'),
      title: isTitle,
      status: isStatus,
      workflow: isNullOr(isWorkId),
      dependsOn: workIds,
      holds: globs,
      assignee: isNullOr(isAgentId),
    }),
    'work.updated': record(
      { id: isWorkId, addDependsOn: workIds, removeDependsOn: workIds, addHolds: globs, removeHolds: globs },
      { status: isStatus, step: isTitle, title: isTitle, workflow: isNullOr(isWorkId), assignee: isNullOr(isAgentId) },
    ),
    'hold.baselineTaken': record(
      {
        id: isQuestionId,
        part: isFrom(1, limits.listItems),
        hash: isSha256,
        scopes: isSha256,
        files: isCount,
      },
      { copy: isCopy },
    ),
    'hold.violated': record(
      { id: isQuestionId, files: listOf(isChange) },
      { lost: (value) => value === true, call: isNote, copy: isCopy },
    ),
    'hold.fileRestored': record(
      { id: isQuestionId, paths: (value) => paths(value) && (value as readonly string[]).length > 0 },
      { copy: isCopy },
    ),
    'segment.sealed': record({}),
    'format.changed': record({ minReader: isPositive, minWriter: isPositive }),
    'workspace.created': record({ workspace: isUuid, minReader: isPositive, minWriter: isPositive }),
  }),
);

function record(needed: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  return isMap({ kind: (value) => typeof value === 'string', v: (value) => value === 1, ...needed }, optional);
}

function areDistinct(choices: readonly { readonly label: string }[]): boolean {
  return choices.every(({ label }, at) => choices.findIndex((other) => other.label === label) === at);
}

/**
 * A question that a program writes, with the defaults of its schema and without what has no value. Other kinds are written
 * with all their members, or seldom.
 */
export function withDefaults(given: RecordInput): unknown {
  if (given.kind !== 'question.raised') return given;
  const { choices = [], multiple = false, freeText = true, alternatives = [], files = [], holds = [] } = given;
  return {
    ...defined(given),
    choices: isListOf(choices, isObject) ? choices.map((one) => ({ recommended: false, ...defined(one) })) : choices,
    ...{ multiple, freeText, alternatives, files, holds },
  };
}

/** What is written may have been read from a file. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A copy, without the members that have no value: mostly all have one. */
function defined(given: object): object {
  if (!Object.values(given).includes(undefined)) return { ...given };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export function isPlainRecord(value: unknown): value is JournalRecord {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  return plain.get(value.kind)?.(value) ?? false;
}
