/** Follows the notifications of a workspace from a position, each once and in the order of the journal. */
import {
  beginning,
  positionText,
  type StreamEvent,
  eventsOf,
  isOfLine,
  positionOf,
} from '../../core/waiting/eventStream.ts';
import type { State } from '../../core/state/state.ts';
import { StoreError } from '../../store/journal/problem.ts';
import { isSweepDue, sweep } from '../workspace/sweep.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { firstLine } from '../../core/kit/text.ts';
import type { CountedLine } from '../../core/records/records.ts';
import type { Ledger } from '../../store/journal/ledger.ts';
import { AppError } from '../workspace/errors.ts';

export interface FollowOptions {
  /** Where to continue; null: after what is there now. */
  readonly since: string | null;
  readonly signal: AbortSignal;
  /** Called once, before any event, with the position that the events follow. */
  onBegin(position: string): void;
  /** Resolves when more events are wanted; it is asked after each slice of the journal. */
  readonly hasRoom?: () => Promise<unknown>;
  /** @param state after the event's line */
  onEvent(event: StreamEvent, state: State): void;
}

/** For the server of a shared journal, which may have the line that the position names. Milliseconds. */
const confirmMs = 5_000;
/** Nothing expires by itself: while no other program runs, this one writes what is due. Milliseconds. */
const sweepMs = 5_000;

/**
 * Resolves when the signal fires. Other work continues while it reads a long journal.
 * @throws AppError `bad_input` if the position is not of this journal
 * @throws StoreError `unknown-state`
 */
export async function followEvents(workspace: Workspace, options: FollowOptions): Promise<void> {
  await workspace.confirm(confirmMs);
  const reader = openReader(workspace, options);
  try {
    await untilAborted(workspace, options.signal, reader.advance);
  } finally {
    reader.close();
  }
}

function openReader(workspace: Workspace, { since, signal, hasRoom, onBegin, onEvent }: FollowOptions) {
  let last = beginning;
  let begun = false;
  let keys = '';
  let reading: EventReading | null = null;

  function begin(): void {
    if (!begun) onBegin(since ?? last);
    begun = true;
  }

  /** Passes on what follows `from`; if that is null, what is not there yet. */
  async function readFrom(from: string | null): Promise<void> {
    reading?.close();
    keys = keysOf(workspace);
    const cursor = from === null ? null : cursorAfter(from);
    let isPassing = cursor !== null;
    if (from !== null) last = from;
    reading = readEvents(workspace, (line, events, state) => {
      if (!isPassing) last = positionText(line, events.length);
      const passed = isPassing ? (cursor?.take(line, events) ?? events) : [];
      for (const event of passed) {
        if (signal.aborted) return;
        begin();
        last = event.position;
        onEvent(event, state);
      }
    });
    await reading.advance(signal, hasRoom);
    if (signal.aborted) return;
    cursor?.requireFound();
    isPassing = true;
  }

  return {
    /** @throws AppError `bad_input`, StoreError `unknown-state` */
    async advance(): Promise<void> {
      if (reading === null) await readFrom(since);
      else {
        const { problem } = workspace.standing();
        if (problem) throw new StoreError('unknown-state', problem.message);
        // A journal that was fetched again is another file.
        await reading.advance(signal, hasRoom).catch(() => readFrom(last));
      }
      while (!signal.aborted && keys !== keysOf(workspace)) await readFrom(last);
      if (signal.aborted) return;
      begin();
    },
    close() {
      reading?.close();
    },
  };
}

/** Calls `advance` after each change, one call after another. Keeps the program running. */
async function untilAborted(workspace: Workspace, signal: AbortSignal, advance: () => Promise<void>): Promise<void> {
  let changes = 1;
  let read = 0;
  let wake: (() => void) | undefined;
  const follow = () => {
    changes++;
    wake?.();
  };
  const stop = workspace.onChange(follow);
  const timer = setInterval(() => {
    sweepWhatIsDue(workspace).then(follow, follow);
  }, sweepMs);
  // A reading may wait for a client that reads no more.
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
  try {
    while (!signal.aborted) {
      if (changes === read) await Promise.race([aborted, new Promise<void>((resolve) => (wake = resolve))]);
      else {
        read = changes;
        await Promise.race([aborted, advance()]);
      }
    }
  } finally {
    stop();
    clearInterval(timer);
  }
}

async function sweepWhatIsDue(workspace: Workspace): Promise<void> {
  const { state } = workspace.standing();
  if (!state || !isSweepDue(state, workspace.now())) return;
  if ((await sweep(await workspace.store())).length > 0) workspace.changed();
}

/** @param state after the line */
type OnLine = (line: CountedLine, events: readonly StreamEvent[], state: State) => void;

interface EventReading extends ReturnType<typeof readEvents> {}

/** Bytes. */
const readAtOnce = 32 * 1024;

export function readEvents(workspace: Workspace, onLine: OnLine) {
  const ledger: Ledger = workspace.replay((line, effects, state) => {
    onLine(line, eventsOf(state, line, effects), state);
  });
  return {
    /**
     * Reads present entries until the signal fires. One call at a time.
     * @param hasRoom resolves when more is wanted
     * @throws StoreError `unknown-state`
     */
    async advance(signal: AbortSignal, hasRoom?: () => Promise<unknown>): Promise<void> {
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

/** @throws AppError `bad_input` for a text that is not a position */
export function cursorAfter(position: string) {
  const after = positionOf(position);
  if (after === null) throw new AppError('bad_input', `since: "${firstLine(position)}" is not a position`);
  let isFound = after.at < 0;
  return {
    /** The events of this line that follow the position; none before its line was read. */
    take(line: CountedLine, events: readonly StreamEvent[]): readonly StreamEvent[] {
      if (isFound) return events;
      isFound = isOfLine(after, line);
      return isFound ? events.slice(after.count) : [];
    },
    /** @throws AppError `bad_input` if no line of the journal had the position */
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
