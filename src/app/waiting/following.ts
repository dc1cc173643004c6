/** Follows the notifications of a workspace from a position, each once and in the order of the journal. */
import { beginning, eventsOf, isOfLine, positionOf, positionText } from '../../core/waiting/eventStream.ts';
import type { StreamEvent } from '../../core/waiting/eventStream.ts';
import type { State } from '../../core/state/state.ts';
import type { Ledger } from '../../store/journal/ledger.ts';
import { StoreError } from '../../store/journal/problem.ts';
import { AppError } from '../workspace/errors.ts';
import { isSweepDue, sweep } from '../workspace/sweep.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface FollowOptions {
  /** Where to continue; null: after what is there now. */
  readonly since: string | null;
  readonly signal: AbortSignal;
  /** Called once, before any event, with the position that the events follow. */
  onBegin(position: string): void;
  /** @param state after the event's line */
  onEvent(event: StreamEvent, state: State): void;
}

/** For the server of a shared journal, which may have the line that the position names. Milliseconds. */
const confirmMs = 5_000;
/** Nothing expires by itself: while no other program runs, this one writes what is due. Milliseconds. */
const sweepMs = 5_000;

/**
 * Resolves when the signal fires.
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

/**
 * Events after a position that are there now, the oldest first.
 * @throws AppError `bad_input` if the position is not of this journal
 * @throws StoreError `unknown-state`
 */
export function readEventsAfter(workspace: Workspace, since: string, atMost: number): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  const enough = new AbortController();
  const reader = openReader(workspace, {
    since,
    signal: enough.signal,
    onBegin: () => undefined,
    onEvent(event) {
      events.push(event);
      if (events.length >= atMost) enough.abort();
    },
  });
  reader.close();
  return events;
}

function openReader(workspace: Workspace, { since, signal, onBegin, onEvent }: FollowOptions) {
  let last = beginning;
  let begun = false;
  let keys = keysOf(workspace);
  let ledger = read(since);
  begin();

  function begin(): void {
    if (!begun) onBegin(since ?? last);
    begun = true;
  }

  /** Reads everything, and passes on what follows `from`; if that is null, what is not there yet. */
  function read(from: string | null): Ledger {
    const after = from === null ? null : positionOf(from);
    if (after === null && from !== null) throw new AppError('bad_input', `${from} is not a position`);
    let isFound = after !== null && after.at < 0;
    const opened = workspace.replay((line, effects, state) => {
      const events = eventsOf(state, line, effects);
      const skipped = after !== null && isOfLine(after, line) ? after.count : null;
      if (skipped !== null || !isFound) last = positionText(line, skipped ?? events.length);
      if (skipped !== null) isFound = true;
      if (!isFound) return;
      for (const event of events.slice(skipped ?? 0)) {
        if (signal.aborted) return;
        begin();
        last = event.position;
        onEvent(event, state);
      }
    });
    if (!opened.problem && (isFound || after === null)) {
      isFound = true;
      return opened;
    }
    const why = opened.problem && (workspace.standing().problem ?? opened.problem).message;
    opened.close();
    if (why !== null) throw new StoreError('unknown-state', why);
    throw new AppError('bad_input', `${from ?? ''} is not a position of this journal`);
  }

  return {
    /** @throws StoreError `unknown-state` */
    advance(): void {
      const { problem } = workspace.standing();
      if (problem) throw new StoreError('unknown-state', problem.message);
      const now = keysOf(workspace);
      ledger.catchUp();
      if (now === keys && !ledger.problem) return;
      // With other keys other decisions count, and a journal that was fetched again is another file.
      keys = now;
      ledger.close();
      ledger = read(last);
    },
    close() {
      ledger.close();
    },
  };
}

function keysOf(workspace: Workspace): string {
  return JSON.stringify(workspace.pins());
}

/** Calls `advance` after each change. Keeps the program running. */
function untilAborted(workspace: Workspace, signal: AbortSignal, advance: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const follow = () => {
      try {
        advance();
      } catch (error) {
        finish();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const stop = workspace.onChange(follow);
    const timer = setInterval(() => {
      sweepWhatIsDue(workspace).then(follow, follow);
    }, sweepMs);
    function finish(): void {
      stop();
      clearInterval(timer);
      signal.removeEventListener('abort', end);
    }
    function end(): void {
      finish();
      resolve();
    }
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    else follow();
  });
}

async function sweepWhatIsDue(workspace: Workspace): Promise<void> {
  const { state } = workspace.standing();
  if (!state || !isSweepDue(state, workspace.now())) return;
  if ((await sweep(await workspace.store())).length > 0) workspace.changed();
}
