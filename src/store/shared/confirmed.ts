/**
 * When the server last confirmed this machine's copy of a shared journal: a file next to the anchor. Any program of
 * this machine writes it, and all read it. A program that forges it gains no more than by forging the anchor.
 */
import os from 'node:os';
import type { Confirmed, Moment } from '../../core/hold/freshness.ts';
import { isCount, isInstant, isMap, isOneOf, isSha256, isUuid } from '../../core/kit/quickChecks.ts';
import { readOrNull, replaceQuickly, type FileSystem } from '../journal/files.ts';
import { ignoreErrors } from '../journal/problem.ts';
import { besideStateFile } from '../journal/stateFile.ts';

export interface Answered {
  readonly workspace: string;
  /** End of the last line that the server had, and its hash. */
  readonly position: number;
  readonly head: string;
  readonly trouble?: 'forked' | undefined;
}

export interface Confirmation extends Answered {
  readonly v: 1;
  readonly at: string;
  /** Milliseconds since this machine started. Nothing sets that clock back. */
  readonly up: number;
}

const isConfirmation = isMap(
  {
    ...{ v: isOneOf(1), workspace: isUuid, head: isSha256, at: isInstant, up: isCount },
    position: (value) => isCount(value) && value > 0,
  },
  { trouble: isOneOf('forked') },
);

export interface ConfirmedFile {
  readonly path: string;
  /** Null for a missing or malformed file, which confirms nothing. */
  read(): Confirmation | null;
  /**
   * Writes at most once a second, except for trouble that begins or ends. Never throws: without it, programs ask the
   * server themselves.
   * @param asked when the server was asked, because it may have got new lines since
   */
  write(answered: Answered, asked?: Moment): void;
  now(): Moment;
}

interface ConfirmedFileOptions {
  readonly fs: FileSystem;
  readonly anchor: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newId: () => string;
  /** Seconds since this machine started. */
  readonly uptime?: (() => number) | undefined;
}

const writeEveryMs = 1_000;

export function openConfirmed(options: ConfirmedFileOptions): ConfirmedFile {
  const { fs, anchor, clock, newId, uptime = os.uptime } = options;
  const file = besideStateFile(anchor, 'confirmed');
  const now = (): Moment => ({ at: clock(), up: Math.round(uptime() * 1_000) });

  function read(): Confirmation | null {
    try {
      const found: unknown = JSON.parse(readOrNull(fs, file)?.toString('utf8') ?? 'null');
      return isConfirmation(found) ? (found as Confirmation) : null;
    } catch {
      return null;
    }
  }

  return {
    path: file,
    read,
    now,
    write(answered, { at, up } = now()) {
      const known = read();
      if (known && isRecent(known, at) && known.workspace === answered.workspace && known.trouble === answered.trouble)
        return;
      const next: Confirmation = { v: 1, ...answered, at: new Date(at).toISOString(), up: up ?? 0 };
      // Not flushed: after a power loss the server is asked again.
      ignoreErrors(() => {
        replaceQuickly(fs, file, Buffer.from(`${JSON.stringify(next)}\n`), `${file}.${newId()}.tmp`);
      });
    },
  };
}

/** What the file states, for the rule of freshness. */
export function momentOf({ at, up, trouble }: Confirmation): Confirmed {
  return { at: Date.parse(at), up, forked: trouble === 'forked' };
}

function isRecent({ at }: Confirmation, now: number): boolean {
  const age = now - Date.parse(at);
  return age >= 0 && age < writeEveryMs;
}
