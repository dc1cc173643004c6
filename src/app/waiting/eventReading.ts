/** Reads the events of a journal from its first line, a slice in each turn of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventsOf, isOfLine, positionOf, type StreamEvent } from '../../core/waiting/eventStream.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { CountedLine } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';
import type { Ledger } from '../../store/journal/ledger.ts';
import { StoreError } from '../../store/journal/problem.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** @param state after the line */
type OnLine = (line: CountedLine, events: readonly StreamEvent[], state: State) => void;

export interface EventReading {
  /**
   * Reads present entries until the signal fires. One call at a time.
   * @param hasRoom resolves when more is wanted
   * @throws StoreError `unknown-state`
   */
  advance(signal: AbortSignal, hasRoom?: () => Promise<unknown>): Promise<void>;
  close(): void;
}

/** Bytes. */
const readAtOnce = 32 * 1024;

export function readEvents(workspace: Workspace, onLine: OnLine): EventReading {
  const ledger: Ledger = workspace.replay((line, effects, state) => {
    onLine(line, eventsOf(state, line, effects), state);
  });
  return {
    async advance(signal, hasRoom) {
      while (ledger.catchUp(readAtOnce)) {
        await nextTurn();
        await hasRoom?.();
        if (signal.aborted) return;
      }
      if (!ledger.problem) return;
      throw new StoreError('unknown-state', (workspace.standing().problem ?? ledger.problem).message);
    },
    close() {
      ledger.close();
    },
  };
}

export interface Cursor {
  /** The events of this line that follow the position; none before its line was read. */
  take(line: CountedLine, events: readonly StreamEvent[]): readonly StreamEvent[];
  /** @throws AppError `bad_input` if no line of the journal had the position */
  requireFound(): void;
}

/** @throws AppError `bad_input` for a text that is not a position */
export function cursorAfter(position: string): Cursor {
  const after = positionOf(position);
  if (after === null) throw new AppError('bad_input', `since: "${firstLine(position)}" is not a position`);
  let isFound = after.at < 0;
  return {
    take(line, events) {
      if (isFound) return events;
      isFound = isOfLine(after, line);
      return isFound ? events.slice(after.count) : [];
    },
    requireFound() {
      if (!isFound)
        throw new AppError('bad_input', `since: "${firstLine(position)}" is not a position of this journal`);
    },
  };
}

/** Which keys are trusted. With other keys other decisions are valid, so the journal is read again. */
export function keysOf(workspace: Workspace): string {
  return JSON.stringify(workspace.pins());
}
