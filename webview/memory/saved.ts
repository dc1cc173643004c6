/** What the page keeps over reloads: drafts, the filter and expanded parts. Everything else comes from the host. */
import type { BriefingMessage } from '../../src/protocol/memory/briefing.ts';
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
  readonly text: string;
  /** The `shown` when the draft was started: a different one means that the event has changed. */
  readonly shown: string;
}

export interface Saved extends Kept {
  readonly version: 1;
  readonly post: PostDraft | null;
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
  post: null,
  closings: {},
  filter: '',
  folded: ['resolved'],
  unfolded: [],
  name: '',
};

/** Parses what an earlier page saved; anything unexpected counts as nothing. */
export function parseSaved(value: unknown): Saved | undefined {
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { post, closings, filter, folded, unfolded, name, revision } = value;
  if (!isRecord(closings) || !isStrings(folded) || !isStrings(unfolded) || typeof name !== 'string') return undefined;
  const good = Object.entries(closings).filter((entry): entry is [string, ClosingDraft] => isClosing(entry[1]));
  return {
    version: 1,
    revision: typeof revision === 'number' ? revision : 0,
    post: isPost(post) ? post : null,
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
    ['reason', 'by', 'text', 'shown'].every((name) => typeof value[name] === 'string')
  );
}
