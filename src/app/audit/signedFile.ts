/** What the files in `decisions` have in common: a signed record that verifies by itself, and a name made of the content. */
import {
  subjectOf,
  unsigned,
  type DecisionPayload,
  type Trust,
  type VerifiedDecision,
} from '../../core/records/decision.ts';
import { anyRecord, type SignedRecord } from '../../core/records/records.ts';
import { canonicalJson, hashOf, sha256 } from '../../trust/canonical.ts';

/** With sorted members, so that every machine writes the same bytes. */
export function signedFile(subject: string, content: object): { readonly name: string; readonly text: string } {
  const text = `${JSON.stringify(JSON.parse(canonicalJson(content)), null, 2)}\n`;
  return { name: signedFileName(subject, text), text };
}

export function signedFileName(subject: string, text: string): string {
  return `${subject.replace(/[^A-Za-z0-9._-]/g, '_')}-${sha256(text).slice(0, 32)}.json`;
}

interface Signed {
  readonly decision: DecisionPayload;
  readonly record: unknown;
}

/**
 * The record and its signer, or why it does not count.
 * @param at as in `Trust.verify`
 */
export function verifySigned(
  { decision, record: raw }: Signed,
  trust: Trust,
  at?: number,
): { readonly record: SignedRecord; readonly verified: VerifiedDecision } | { readonly why: string } {
  const parsed = anyRecord.safeParse(raw);
  if (!parsed.success || !('envelope' in parsed.data)) return { why: 'has no signed decision in it' };
  const record = parsed.data;
  const verified = trust.verify(record.envelope, at);
  if ('why' in verified) return verified;
  const { payload } = verified;
  if (hashOf(decision) !== hashOf(payload)) return { why: 'differs from what was signed' };
  if (payload.action !== record.kind || payload.subject !== subjectOf(record))
    return { why: 'reuses a signature given for something else' };
  if (payload.recordHash !== trust.hash(unsigned(record))) return { why: 'differs from what was signed' };
  return { record, verified };
}
