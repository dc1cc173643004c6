/**
 * What the page itself keeps, over selection changes and reloads: drafts and what is unfolded. Everything else is the
 * host's, and comes with the next snapshot.
 */

/** Which of the three acts the form shows. */
export type Panel = 'answer' | 'release' | 'cancel';

export interface Draft {
  readonly choices: readonly string[];
  /** The text of each act. */
  readonly text: Readonly<Record<Panel, string>>;
  readonly panel: Panel;
  /** The `shown` the draft was begun on: another one means that the question was changed meanwhile. */
  readonly shown: string;
}

export interface Saved {
  readonly version: 1;
  /** Grows with each change: of two that were kept, the later one counts. */
  readonly revision: number;
  /** By question key, the latest last. */
  readonly drafts: Readonly<Record<string, Draft>>;
  /** Names of unfolded parts by question key. */
  readonly unfolded: Readonly<Record<string, readonly string[]>>;
  /** The name typed at first use. */
  readonly name: string;
}

/** Enough for any list of open questions a person works through; the oldest drafts go first. */
const kept = 50;

export const nothingSaved: Saved = { version: 1, revision: 0, drafts: {}, unfolded: {}, name: '' };

export function emptyDraft(shown: string): Draft {
  return { choices: [], text: { answer: '', release: '', cancel: '' }, panel: 'answer', shown };
}

export function isEmpty(draft: Draft): boolean {
  return draft.choices.length === 0 && Object.values(draft.text).every((text) => text.trim() === '');
}

/** All that a draft says in words. */
export function draftText(draft: Draft): string {
  return [draft.text.answer, draft.text.release, draft.text.cancel]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Puts one value in, as the latest, and drops the oldest beyond what is kept. */
export function remember<Value>(
  all: Readonly<Record<string, Value>>,
  key: string,
  value: Value | undefined,
): Record<string, Value> {
  const entries = Object.entries(all).filter(([one]) => one !== key);
  if (value !== undefined) entries.push([key, value]);
  return Object.fromEntries(entries.slice(-kept));
}

/** What an earlier page left; anything unexpected is as good as nothing. */
export function parseSaved(value: unknown): Saved | undefined {
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { drafts, unfolded, name } = value;
  if (!isRecord(drafts) || !isRecord(unfolded) || typeof name !== 'string') return undefined;
  const good = Object.entries(drafts).filter((entry): entry is [string, Draft] => isDraft(entry[1]));
  const open = Object.entries(unfolded).filter((entry): entry is [string, string[]] => isStrings(entry[1]));
  const revision = typeof value['revision'] === 'number' ? value['revision'] : 0;
  return { version: 1, revision, drafts: Object.fromEntries(good), unfolded: Object.fromEntries(open), name };
}

/** The same from the host's text of it. */
export function readKept(text: string | undefined): Saved | undefined {
  if (text === undefined) return undefined;
  try {
    return parseSaved(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function isDraft(value: unknown): value is Draft {
  if (!isRecord(value) || !isStrings(value['choices']) || typeof value['shown'] !== 'string') return false;
  const { text, panel } = value;
  if (panel !== 'answer' && panel !== 'release' && panel !== 'cancel') return false;
  return isRecord(text) && ['answer', 'release', 'cancel'].every((name) => typeof text[name] === 'string');
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
