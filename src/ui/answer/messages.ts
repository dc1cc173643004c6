/** Messages of the view "Answer": all its forms. */
import * as z from 'zod';
import {
  appointedKind,
  requestId,
  requestPriority,
  requestType,
  responsibilityId,
  stewardStep,
} from '../../core/records/request.ts';
import { answerEffect } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import { actMark, isoTime, itemMessages, label, pageMessages, reason, token, trimmed } from '../kit/messages.ts';

const signed = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...actMark, ...shape });
const asking = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape });

/** Whether the second step was taken, where only some need it. */
const confirmed = z.boolean();
/** Of acts that always have two steps. */
const inTwoSteps = z.literal(true);
const ticked = z.array(z.string().min(1).max(limits.id)).min(1);
const texts = (max: number) => z.array(trimmed(max).min(1)).max(limits.listItems);

// The policy

export const policyMessage = signed('policy', {
  /** Texts by field; src/ui/answer/policyTable.ts reads them. */
  values: z.record(z.string().max(limits.id), z.string().max(100_000)),
  confirmed: inTwoSteps,
});

// Requests

/** The acts on a request; the host sends those that are available. */
const requestAction = z.enum([
  'accept',
  'ack_context_relevant',
  'defer',
  'reject',
  'not_relevant',
  'complete',
  'cancel',
  ...stewardStep.options,
]);

const askMessage = signed('ask', {
  kind: requestType,
  origin: responsibilityId,
  target: responsibilityId,
  subject: trimmed(limits.title).min(1),
  summary: reason,
  suggested: texts(limits.otherText),
  links: texts(limits.title),
  tags: texts(limits.title),
  /** Both empty for kinds that are not about context. */
  bundles: texts(limits.title),
  objectives: texts(limits.otherText),
  ingestion: requestId.optional(),
  priority: requestPriority,
  availableAt: isoTime.optional(),
  dueAt: isoTime.optional(),
  responseSeconds: z.int().min(1).optional(),
  completionSeconds: z.int().min(1).optional(),
});

// Keys

const called = trimmed(limits.id).min(1);
const keyid = token;
const keyAct = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('rotate') }),
  /** The name that this editor signs with. */
  z.strictObject({ do: z.literal('rename'), label: called }),
  /** Trusts the key under review, under this name. */
  z.strictObject({ do: z.literal('trust'), called }),
  z.strictObject({ do: z.literal('takeOut'), keyid }),
  /** Lets a key of the team's ring add and remove keys. */
  z.strictObject({ do: z.literal('makeRoot'), keyid }),
  /** Keeps a key that was not added through a form of this editor. */
  z.strictObject({ do: z.literal('keep'), keyid }),
  z.strictObject({ do: z.literal('renamePasskey'), keyid, label: called }),
  z.strictObject({ do: z.literal('giveUpPasskey'), keyid }),
  /** Names it in the journal, so that it meets a policy that asks for passkeys. */
  z.strictObject({ do: z.literal('confirmPasskey'), keyid }),
]);

// Decisions, by where they can be made

/** With a reason, or what the agent reads. */
const worded = <Type extends string>(type: Type) => signed(type, { text: reason, confirmed });

const wordedActs = [
  worded('cancel'),
  worded('release'),
  /** A question to the agent. Everything stays held, and the question open. */
  worded('askBack'),
  /** The answer is not reused. Work that it released stays released. */
  worded('revoke'),
  /** Allows what the answer refused. */
  worded('lift'),
] as const;

/** In browsers too: the acts on one item, and those that a policy on passkeys asks a passkey for. */
const anywhere = [
  ...itemMessages,
  ...wordedActs,
  signed('answer', {
    choices: z.array(label).max(limits.choices),
    text: trimmed(limits.answerText),
    /** As displayed; omitted if the form showed none. */
    effect: answerEffect.optional(),
    confirmed,
  }).refine(({ choices, text }) => choices.length > 0 || text !== ''),
  signed('answerTogether', {
    ticked,
    choices: z.array(label).min(1).max(limits.choices),
    text: trimmed(limits.answerText),
  }),
  /** `until`: deferred until then. */
  signed('request', { action: requestAction, note: trimmed(limits.otherText), until: isoTime.optional() }),
  policyMessage,
  signed('deleteWork', { confirmed: inTwoSteps }),
] as const;

/** Whether a browser may send it; all else is done in the editor. */
export function isOfBrowsers(message: Decision): boolean {
  return (
    anywhere.some(({ shape }) => shape.type.value === message.type) ||
    (message.type === 'keys' && message.what.do === 'confirmPasskey')
  );
}

export const questionMessage = z.discriminatedUnion('type', [
  ...pageMessages,
  ...anywhere,

  signed('releaseAll', { note: reason, confirmed: inTwoSteps }),
  /** Critical ones need the second step. */
  signed('confirmAssumptions', { ticked, confirmed }),
  askMessage,
  signed('appoint', {
    id: trimmed(limits.id).min(1),
    kind: appointedKind,
    called: trimmed(limits.title).min(1),
    agents: texts(limits.id),
    confirmed: inTwoSteps,
  }),
  /** `lost`: keys that can no longer sign, because their private keys are lost, which needs the second step. */
  signed('enrol', { lost: z.array(token).max(100), confirmed }),
  signed('keys', { what: keyAct, confirmed: inTwoSteps }),
  /** `called`: the workspace's name on the server. */
  signed('share', { called: trimmed(64), confirmed: inTwoSteps }),
  signed('leaveTeam', { confirmed: inTwoSteps }),
  /** `confirmation`: the ticked sentence or the typed word. */
  signed('recover', {
    way: z.enum(['restore', 'setAside', 'startAnew']),
    confirmation: z.string().min(1).max(limits.otherText),
  }),

  // Messages that change nothing
  asking('select', { key: token }),
  /** Starts a parked agent whose question is decided, or shows its terminal. */
  asking('resume', { key: token }),
  asking('openTab', { key: token }),
  /** From a form about several questions, back to the previous view. */
  asking('back', {}),
  asking('go', { to: z.enum(['next', 'back']) }),
  /** Takes a decision back that is not signed yet. */
  asking('undo', { held: token }),
  asking('lookAtKey', { key: token, text: z.string().max(limits.otherText) }),
  asking('copyPublicKey', { key: token }),
  /** Opens the page that makes a passkey, then asks for its code. */
  asking('addPasskey', { key: token }),
  asking('connectTeam', { key: token }),
  /** A draft that can no longer be sent. */
  asking('copyText', { text: z.string().min(1).max(limits.otherText) }),
  asking('openAudit', {}),
]);

export type QuestionMessage = z.infer<typeof questionMessage>;
/** Messages that decide: accepted once, and only from a trusted event. */
export type Decision = Extract<QuestionMessage, { act: string }>;
/** Acts on a question that are one text. */
export type WordedAct = z.infer<(typeof wordedActs)[number]>['type'];
export type DecisionOf<Type extends Decision['type']> = Extract<Decision, { type: Type }>;
export type KeyAct = DecisionOf<'keys'>['what'];
export type RequestAction = DecisionOf<'request'>['action'];
export type HeldFileMessage = Extract<QuestionMessage, { type: 'compareHeld' | 'restoreHeld' }>;
