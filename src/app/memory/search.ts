/** Searches project memory: by words in contents and reasons, best first; by filters alone, newest first. */
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { hasOddStar, searchWords } from '../../core/kit/searchWords.ts';
import { snippetOf } from '../../core/kit/snippet.ts';
import { searchRows, type EventFilter } from '../../store/rows/eventSearch.ts';
import type { View } from '../../store/store.ts';
import { AppError } from '../workspace/errors.ts';

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
