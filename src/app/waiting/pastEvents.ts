/** Events that only the journal has any more: one reading at a time, for all readers that wait for one. */
import type { StreamEvent } from '../../core/waiting/eventStream.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { cursorAfter, keysOf, readEvents, type Cursor } from './eventReading.ts';

export interface PastEvents {
  /**
   * Events after a position, the oldest first, at most as many as one reading takes. None: there are no more.
   * @throws AppError `bad_input` if the position is not of this journal
   * @throws StoreError `unknown-state`
   */
  after(position: string): Promise<readonly StreamEvent[]>;
}

interface Asked {
  readonly position: string;
  resolve(events: readonly StreamEvent[]): void;
  reject(error: unknown): void;
}

interface Reader extends Asked {
  readonly cursor: Cursor;
  readonly events: StreamEvent[];
}

/** @param atMost events for one reader in one reading */
export function pastEvents(workspace: Workspace, atMost: number): PastEvents {
  let waiting: Asked[] = [];
  let isReading = false;

  async function readForAll(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      await answer(workspace, asked, atMost);
    }
    isReading = false;
  }

  return {
    after: (position) =>
      new Promise((resolve, reject: (error: unknown) => void) => {
        waiting.push({ position, resolve, reject });
        if (!isReading) void readForAll();
      }),
  };
}

/** Never rejects. */
async function answer(workspace: Workspace, asked: readonly Asked[], atMost: number): Promise<void> {
  try {
    for (;;) {
      const keys = keysOf(workspace);
      const readers = asked.flatMap((one) => readerOf(one) ?? []);
      await fill(workspace, readers, atMost);
      if (keys !== keysOf(workspace)) continue;
      for (const reader of readers) finish(reader);
      return;
    }
  } catch (error) {
    for (const one of asked) one.reject(error);
  }
}

function readerOf(asked: Asked): Reader | null {
  try {
    return { ...asked, cursor: cursorAfter(asked.position), events: [] };
  } catch (error) {
    asked.reject(error);
    return null;
  }
}

/** Reads until each has enough, or the end. */
async function fill(workspace: Workspace, readers: readonly Reader[], atMost: number): Promise<void> {
  const enough = new AbortController();
  const reading = readEvents(workspace, (line, events) => {
    for (const { cursor, events: taken } of readers)
      if (taken.length < atMost) taken.push(...cursor.take(line, events).slice(0, atMost - taken.length));
    if (readers.every(({ events: taken }) => taken.length >= atMost)) enough.abort();
  });
  try {
    await reading.advance(enough.signal);
  } finally {
    reading.close();
  }
}

function finish({ cursor, events, resolve, reject }: Reader): void {
  try {
    cursor.requireFound();
    resolve(events);
  } catch (error) {
    reject(error);
  }
}
