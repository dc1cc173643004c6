/** What it takes to show one kind of decision. */
import type * as z from 'zod';
import type { UnsignedRecord } from '../../core/records/decision.ts';
import { payloadType } from '../../trust/envelope.ts';

export type Kind = UnsignedRecord['kind'];
export type Decision<K extends Kind> = Extract<UnsignedRecord, { kind: K }>;

/** Translates, as `vscode.l10n` does. */
export interface Translator {
  t(text: string, ...values: (string | number)[]): string;
}

/** What a person reads before signing, derived from nothing but what is hashed. */
export interface Described {
  readonly title: string;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly label: string;
  readonly text: string;
  /** The question and the decision are larger. */
  readonly isMain?: boolean;
  /** What is so until this is signed. */
  readonly before?: string;
  /** A long text, which scrolls by itself. */
  readonly isDocument?: boolean;
}

/** A request that does not show what it asks to sign. The reason is for programs. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
}

/** Decisions of this kind cannot be shown here. Says what to do instead. */
export interface NotHere {
  readonly instead: string;
}

export interface Raw<R extends UnsignedRecord> {
  readonly record: R;
  /** What the payload's `shown` is the hash of. */
  readonly shown: unknown;
  /** The text with this hash, if the request has it. */
  readonly part: (hash: string) => unknown;
}

/** @throws RefusedRequest unless the content is what the record is about */
export type Show<R extends UnsignedRecord> = (raw: Raw<R>) => Describe;
export type Describe = (l10n: Translator) => Described;

interface About<R extends UnsignedRecord, Content> extends Raw<R> {
  readonly content: Content;
}

interface Showing<R extends UnsignedRecord, Content> {
  readonly model: z.ZodType<Content>;
  /** Whether the content is about what the record decides. */
  readonly fits: (about: About<R, Content>) => boolean;
  readonly describe: (about: About<R, Content>, l10n: Translator) => Described;
}

/** Shows a kind whose content has this model. */
export function shows<R extends UnsignedRecord, Content>({ model, fits, describe }: Showing<R, Content>): Show<R> {
  return (raw) => {
    const { data } = model.safeParse(raw.shown);
    const about = data === undefined ? undefined : { ...raw, content: data };
    if (!about || !fits(about)) throw new RefusedRequest('the content is of another item');
    return (l10n) => describe(about, l10n);
  };
}

/** For records that are read before they are signed. */
export const noEnvelope = { payloadType, payload: '', signatures: [{ keyid: '0'.repeat(64), sig: '' }] };

export function main(label: string, text: string): Row {
  return { label, text, isMain: true };
}

/** No row without a text. */
export function optional(label: string, text: string | null | undefined): Row[] {
  return text === undefined || text === null || text === '' ? [] : [{ label, text }];
}

/** An instant of the journal: `2026-03-12 12:00 UTC`. */
export function moment(instant: string): string {
  return instant.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/, '$1 $2 UTC');
}

export function list(entries: readonly string[]): string {
  return entries.join('\n');
}

export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
