/** Searches project memory: by words in contents and reasons, best first; by filters alone, newest first. */
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { hasOddStar, searchWords, isUnspaced, searchRows, type EventFilter } from '../../store/rows/events.ts';
import type { View } from '../../store/store.ts';
import { AppError } from '../workspace/errors.ts';
import { onOneLine } from '../../core/kit/text.ts';

// The part of a text that contains the search words, on one line, with the words between `**`.

const wordsBefore = 6;
const wordsShown = 24;

/** Null without a match. Ignores case and accents, like the search. */
function snippetOf(text: string, words: readonly string[]): string | null {
  const wanted = words.map((word) => ({ word: foldCase(word), anywhere: isUnspaced(word) }));
  const isHit = (found: string) =>
    wanted.some(({ word, anywhere }) => (anywhere ? found.includes(word) : found.startsWith(word)));
  const found = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    hit: isHit(foldCase(match[0])),
  }));
  const first = found.findIndex(({ hit }) => hit);
  if (first < 0) return null;
  const from = Math.max(0, first - wordsBefore);
  const shown = found.slice(from, from + wordsShown);
  const begin = from === 0 ? 0 : (shown[0]?.start ?? 0);
  const end = from + wordsShown >= found.length ? text.length : (shown.at(-1)?.end ?? text.length);
  let marked = begin > 0 ? '…' : '';
  let at = begin;
  for (const word of shown) {
    if (!word.hit) continue;
    marked += `${text.slice(at, word.start)}**${text.slice(word.start, word.end)}**`;
    at = word.end;
  }
  return onOneLine(marked + text.slice(at, end) + (end < text.length ? '…' : ''));
}

function foldCase(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

export interface FoundEvent extends BriefedEvent {
  /** Text around the words found, which are between `**`; null without words. */
  readonly snippet: string | null;
}

export interface EventSearch extends EventFilter {
  /** Typed text: every word must occur, or begin one that does; no operators. Default: all events. */
  readonly words?: string | undefined;
  readonly limit?: number | undefined;
}

export interface EventsFound {
  readonly events: readonly FoundEvent[];
  /** Number of matches. */
  readonly total: number;
  /** Number of older matches that were not ranked because there were too many. */
  readonly unranked: number;
}

const foundAtMost = 20;

/** @throws AppError `bad_input` for a `*` that would mean nothing */
export function searchEvents(view: View, { words = '', limit = foundAtMost, ...filter }: EventSearch): EventsFound {
  if (hasOddStar(words))
    throw new AppError(
      'bad_input',
      'words: "*" can only end a word, and every word also finds longer ones that begin with it. Leave it out',
    );
  const wanted = searchWords(words);
  // The typed text contains no word, so nothing matches.
  if (wanted.length === 0 && words.trim() !== '') return { events: [], total: 0, unranked: 0 };
  const { events, ...counts } = searchRows(view.rows, wanted, filter, limit);
  return {
    events: events.map(({ related: _, ...event }) => ({ ...event, snippet: snippet(event, wanted) })),
    ...counts,
  };
}

function snippet({ text, resolved_reason: reason }: BriefedEvent, words: readonly string[]): string | null {
  if (words.length === 0) return null;
  return snippetOf(text, words) ?? (reason === null ? null : snippetOf(reason, words));
}
