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
import { noEnvelope, RefusedRequest } from './kinds/kind.ts';
import type { Describe, NotHere, Raw, Show } from './kinds/kind.ts';
import { kinds } from './kinds/table.ts';

export interface CheckedItem {
  readonly payload: DecisionPayload;
  readonly describe: Describe;
  /** All that is signed, as it was hashed. */
  readonly whole: object;
}

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
  const parts = new Map<string, object>();
  for (const part of parsed.data.parts) parts.set(await hashOf(part), part);
  return { keyid, workspace, by, items: await Promise.all(items.map((item) => checkItem(item, parts))) };
}

type Item = z.infer<typeof signingRequest>['items'][number];

async function checkItem(
  { payload, record: raw, shown }: Item,
  parts: ReadonlyMap<string, object>,
): Promise<CheckedItem> {
  const record = recordOf(raw);
  const rule = kinds[record.kind] as Show<UnsignedRecord> | NotHere;
  if ('instead' in rule) throw new RefusedRequest(rule.instead);
  if (payload.action !== record.kind) throw new RefusedRequest('the payload is for another kind of decision');
  if (payload.subject !== subjectOf(record)) throw new RefusedRequest('the payload is for another item');
  if (payload.recordHash !== (await hashOf(raw)))
    throw new RefusedRequest('the decision is not what the payload signs');
  if (payload.shown !== (await hashOf(shown))) throw new RefusedRequest('the content is not what the payload signs');
  if ('publicKey' in record && record.keyid !== (await sha256(bytesOf(record.publicKey))))
    throw new RefusedRequest('the key has another id');
  const named: object[] = [];
  const part: Raw<UnsignedRecord>['part'] = (hash) => {
    const found = parts.get(hash);
    if (found) named.push(found);
    return found;
  };
  const describe = rule({ record, shown, part });
  return { payload, describe, whole: { payload, record: raw, shown, ...(named.length === 0 ? {} : { parts: named }) } };
}

/** Exactly the record that programs will read: without unknown fields, and with every default written out. */
function recordOf(raw: object): UnsignedRecord {
  const { data } = anyRecord.safeParse({ ...raw, envelope: noEnvelope });
  if (!data || !('envelope' in data)) throw new RefusedRequest('the decision is malformed');
  const record = unsigned<SignedRecord>(data) as UnsignedRecord;
  if (canonicalJson(record) !== canonicalJson(raw)) throw new RefusedRequest('the decision has unknown fields');
  return record;
}

/** SHA-256 over the canonical JSON, with what both Node and web workers have. */
export async function hashOf(value: unknown): Promise<string> {
  return sha256(new TextEncoder().encode(canonicalJson(value)));
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
