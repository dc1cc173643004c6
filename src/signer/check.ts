/**
 * Checks a request before a person sees it. It comes from the remote machine, where agents are: nothing in it counts
 * but what the hashes in the signed payload cover.
 */
import * as z from 'zod';
import { subjectOf, unsigned } from '../core/records/decision.ts';
import type { DecisionPayload, UnsignedRecord } from '../core/records/decision.ts';
import { anyRecord } from '../core/records/records.ts';
import type { SignedRecord } from '../core/records/records.ts';
import { signingRequest } from '../protocol/kit/signing.ts';
import { canonicalJson } from '../trust/canonical.ts';
import { payloadType } from '../trust/envelope.ts';
import { shownAnswerModel, shownPolicyModel, shownQuestionModel } from './models.ts';
import type { ShownAnswer, ShownPolicy, ShownQuestion } from './models.ts';

export interface CheckedItem {
  readonly payload: DecisionPayload;
  readonly record: UnsignedRecord;
  readonly shown: Shown;
  /** The payload, the record and the shown content, as they were hashed. */
  readonly whole: object;
}

export type Shown =
  | { readonly about: 'question'; readonly question: ShownQuestion }
  | { readonly about: 'answer'; readonly answer: ShownAnswer }
  | { readonly about: 'policy'; readonly policy: ShownPolicy };

export interface CheckedRequest {
  readonly keyid: string;
  readonly workspace: string;
  /** The name that the decision is signed with. */
  readonly by: string;
  readonly items: readonly CheckedItem[];
}

/** Longer requests are refused unread. */
const longest = 4_000_000;

/** @throws RefusedRequest with the reason */
export async function checkRequest(raw: unknown): Promise<CheckedRequest> {
  try {
    return await checked(raw);
  } catch (error) {
    if (error instanceof RefusedRequest) throw error;
    // What cannot be hashed, or is nested too deeply.
    throw new RefusedRequest('the request is malformed', { cause: error });
  }
}

export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
}

async function checked(raw: unknown): Promise<CheckedRequest> {
  const text = JSON.stringify(raw) as string | undefined;
  if (text === undefined || text.length > longest) throw new RefusedRequest('the request is too long');
  // A copy, so that its sender cannot change it afterwards.
  const parsed = signingRequest.safeParse(JSON.parse(text));
  if (!parsed.success) throw new RefusedRequest(`the request is malformed: ${z.prettifyError(parsed.error)}`);
  const { keyid, items } = parsed.data;
  const { workspace, by } = items[0]?.payload ?? { workspace: '', by: '' };
  if (items.some(({ payload }) => payload.workspace !== workspace || payload.by !== by))
    throw new RefusedRequest('the request is about several workspaces or names');
  if (new Set(items.map(({ payload }) => payload.nonce)).size !== items.length)
    throw new RefusedRequest('the request repeats a decision');
  return { keyid, workspace, by, items: await Promise.all(items.map(checkItem)) };
}

type Item = z.infer<typeof signingRequest>['items'][number];

async function checkItem({ payload, record: raw, shown: content }: Item): Promise<CheckedItem> {
  const record = recordOf(raw);
  if (payload.action !== record.kind) throw new RefusedRequest('the payload is for another kind of decision');
  if (payload.subject !== subjectOf(record)) throw new RefusedRequest('the payload is for another item');
  if (payload.recordHash !== (await hashOf(raw)))
    throw new RefusedRequest('the decision is not what the payload signs');
  if (payload.shown !== (await hashOf(content))) throw new RefusedRequest('the content is not what the payload signs');
  return { payload, record, shown: shownOf(record, content), whole: { payload, record: raw, shown: content } };
}

/** Exactly the record that programs will read: without unknown fields, and with every default written out. */
function recordOf(raw: object): UnsignedRecord {
  const { data } = anyRecord.safeParse({ ...raw, envelope: noEnvelope });
  if (!data || !('envelope' in data)) throw new RefusedRequest('the decision is malformed');
  const record = unsigned<SignedRecord>(data) as UnsignedRecord;
  if (canonicalJson(record) !== canonicalJson(raw)) throw new RefusedRequest('the decision has unknown fields');
  return record;
}

const noEnvelope = { payloadType, payload: '', signatures: [{ keyid: '0'.repeat(64), sig: '' }] };

function shownOf(record: UnsignedRecord, content: object): Shown {
  switch (record.kind) {
    case 'question.answered':
    case 'question.cancelled':
    case 'question.released':
    case 'question.askedBack':
      return { about: 'question', question: shownAs(shownQuestionModel, content, record.id) };
    case 'answer.revoked':
    case 'refusal.lifted': {
      const answer = shownAnswerModel.safeParse(content).data;
      if (answer?.question.id !== record.id) throw new RefusedRequest('the content is of another item');
      return { about: 'answer', answer };
    }
    case 'policy.changed': {
      const policy = shownPolicyModel.safeParse(content).data;
      if (!policy) throw new RefusedRequest('the content is malformed');
      return { about: 'policy', policy };
    }
    default:
      throw new RefusedRequest(`decisions of the kind ${record.kind} cannot be signed here`);
  }
}

function shownAs<T extends { readonly id: string }>(model: z.ZodType<T>, content: object, id: string): T {
  const { data } = model.safeParse(content);
  if (data?.id !== id) throw new RefusedRequest('the content is of another item');
  return data;
}

/** SHA-256 over the canonical JSON, with what both Node and web workers have. */
export async function hashOf(value: unknown): Promise<string> {
  return sha256(new TextEncoder().encode(canonicalJson(value)));
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
