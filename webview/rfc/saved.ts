/** The state that the page keeps over reloads: the RFC's key, drafts and expanded parts. */
import type { RfcMessage } from '../../src/ui/rfc/messages.ts';
import { holdPanels } from '../shared/parts.ts';
import { isRecord, isText, isTexts, oneOf, recordOf, withFields, type Kept } from '../shared/signing.ts';

// Names of the places where acts happen: the bar, a section's comment box, a thread, an open question.

export const bar = 'bar';

export function commentOn(section: string): string {
  return `comment:${section}`;
}

export function replyTo(thread: number): string {
  return `reply:${String(thread)}`;
}

export function questionPlace(question: number): string {
  return `question:${String(question)}`;
}

export const changesPlace = 'changes';

const panels = [
  'approve',
  'requestChanges',
  'reject',
  'withdraw',
  ...holdPanels,
] as const satisfies RfcMessage['type'][];
export type Panel = (typeof panels)[number];

const textFields = ['conditions', 'requestChanges', 'reject', 'withdraw'] as const;
export type TextField = (typeof textFields)[number];

/** What was entered in a box of the document: a comment, a reply or an answer. */
export interface Box {
  readonly text: string;
  /** Of a comment: the quoted words, or empty for the whole section. */
  readonly quote: string;
  readonly blocking: boolean;
  /** Of an answer. */
  readonly choices: readonly string[];
}

export interface Draft {
  readonly panel: Panel | 'none';
  readonly text: Readonly<Record<TextField, string>>;
  readonly way: 'stop' | 'otherWay';
  /** Unsent, by place. */
  readonly boxes: Readonly<Record<string, Box>>;
  /** The place of the open box in the document. */
  readonly open: string;
  /** The `shown` when the panel was opened: a different one means that the RFC has changed since. */
  readonly shown: string;
}

export interface Saved extends Kept {
  readonly version: 1;
  /** The key of the displayed RFC: the host uses it to restore the page. */
  readonly key: string;
  readonly draft: Draft | null;
  readonly unfolded: readonly string[];
}

export const nothingSaved: Saved = { version: 1, revision: 0, key: '', draft: null, unfolded: [] };

export const emptyBox: Box = { text: '', quote: '', blocking: false, choices: [] };

export function emptyDraft(shown: string): Draft {
  return {
    panel: 'none',
    text: { conditions: '', requestChanges: '', reject: '', withdraw: '' },
    way: 'stop',
    boxes: {},
    open: '',
    shown,
  };
}

/** Parses the state of an earlier page; undefined for anything unexpected. */
export function parseSaved(value: unknown): Saved | undefined {
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { revision, key, draft, unfolded } = value;
  if (typeof revision !== 'number' || typeof key !== 'string') return undefined;
  if (!isTexts(unfolded)) return undefined;
  const kept = isDraft(draft) ? (draft as Draft) : null;
  return { version: 1, revision, key, draft: kept, unfolded: unfolded as string[] };
}

const isDraft = withFields({
  panel: oneOf('none', ...panels),
  text: withFields(Object.fromEntries(textFields.map((name) => [name, isText]))),
  way: oneOf('stop', 'otherWay'),
  ...{ open: isText, shown: isText },
  boxes: recordOf(
    withFields({ text: isText, quote: isText, blocking: (value) => typeof value === 'boolean', choices: isTexts }),
  ),
});
