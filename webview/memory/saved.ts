/** What the page keeps over reloads: drafts, the filter and expanded parts. Everything else comes from the host. */
import type { BriefingMessage } from '../../src/ui/briefing/messages.ts';
import { types } from './eventTypes.ts';
import type { EventType } from './eventTypes.ts';
import { isRecord, isStrings } from '../shared/keeping.ts';
import type { Kept } from '../shared/keeping.ts';

type Post = Extract<BriefingMessage, { type: 'post' }>;
export type Priority = Post['priority'];

export const priorities = ['critical', 'high', 'normal', 'low'] as const satisfies Priority[];

/** The draft of a new event. */
export interface PostDraft {
  readonly type: EventType;
  readonly priority: Priority;
  /** One per line. */
  readonly scopes: string;
  readonly text: string;
}

/** The draft for closing an event. */
export interface ClosingDraft {
  readonly way: 'resolve' | 'supersede';
  readonly reason: string;
  /** Empty for a new one. */
  readonly by: string;
  /** The title of that event when it was chosen: it may have left the view since. */
  readonly byTitle: string;
  readonly text: string;
  /** The `shown` when the draft was started: a different one means that the event has changed. */
  readonly shown: string;
}

export const noClosing: ClosingDraft = { way: 'resolve', reason: '', by: '', byTitle: '', text: '', shown: '' };

export interface Saved extends Kept {
  readonly version: 1;
  /** New events by folder: the key of its view. */
  readonly posts: Readonly<Record<string, PostDraft>>;
  /** Keyed by event, the latest last. */
  readonly closings: Readonly<Record<string, ClosingDraft>>;
  /** Empty: all types. */
  readonly filter: EventType | '';
  /** Collapsed sections; sections start open. */
  readonly folded: readonly string[];
  /** Expanded events and parts of events. */
  readonly unfolded: readonly string[];
  /** The name typed at first use. */
  readonly name: string;
}

export const nothingSaved: Saved = {
  version: 1,
  revision: 0,
  posts: {},
  closings: {},
  filter: '',
  folded: ['resolved'],
  unfolded: [],
  name: '',
};

/** Parses what an earlier page saved; anything unexpected counts as nothing. */
export function parseSaved(value: unknown): Saved | undefined {
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { posts, closings, filter, folded, unfolded, name, revision } = value;
  if (!isRecord(closings) || !isStrings(folded) || !isStrings(unfolded) || typeof name !== 'string') return undefined;
  const good = Object.entries(closings)
    .filter((entry): entry is [string, ClosingDraft] => isClosing(entry[1]))
    .map(([key, draft]): [string, ClosingDraft] => [key, { ...noClosing, ...draft }]);
  const written = Object.entries(isRecord(posts) ? posts : {});
  return {
    version: 1,
    revision: typeof revision === 'number' ? revision : 0,
    posts: Object.fromEntries(written.filter((entry): entry is [string, PostDraft] => isPost(entry[1]))),
    closings: Object.fromEntries(good),
    filter: types.find((type) => type === filter) ?? '',
    folded,
    unfolded,
    name,
  };
}

function isPost(value: unknown): value is PostDraft {
  return (
    isRecord(value) &&
    types.some((type) => type === value['type']) &&
    priorities.some((priority) => priority === value['priority']) &&
    typeof value['scopes'] === 'string' &&
    typeof value['text'] === 'string'
  );
}

function isClosing(value: unknown): value is ClosingDraft {
  return (
    isRecord(value) &&
    (value['way'] === 'resolve' || value['way'] === 'supersede') &&
    ['reason', 'by', 'text', 'shown'].every((name) => typeof value[name] === 'string') &&
    // Earlier versions had no title.
    typeof (value['byTitle'] ?? '') === 'string'
  );
}
