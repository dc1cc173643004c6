/**
 * Small files by which the windows of one person agree on who shows a notification, and on when the last digest came.
 * They outlive restarts.
 */
import fs from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../store/journal/files.ts';

export interface Claimed {
  /** A file name; null if only this window shows it. */
  readonly claim: string | null;
  readonly follows?: string | undefined;
}

export interface Claims {
  /** Those that this window is first to claim, or that need no claim. Their predecessors are obsolete. */
  takeAll<One extends Claimed>(all: readonly One[]): Promise<One[]>;
  isTaken(claim: string): boolean;
  /** When the last digest of a workspace came (ISO 8601); null before the first. */
  lastDigest(workspace: string): string | null;
  /** Whether this window is first to claim a digest at this time. */
  takeDigest(workspace: string, now: string): Promise<boolean>;
}

/** @param folder need not exist */
export function openClaims(folder: string): Claims {
  const digests = (workspace: string) => {
    const prefix = `${workspace}-digest-`;
    const minutes = namesIn(folder).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    return { prefix, minutes: minutes.map(Number).filter(Number.isInteger) };
  };

  // Beside the editor's thread: a window that opens may claim thousands.
  async function write(claim: string, content: string): Promise<void> {
    const file = path.join(folder, claim);
    try {
      await fs.promises.writeFile(file, content, { flag: 'wx' });
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await fs.promises.mkdir(folder, { recursive: true });
      await fs.promises.writeFile(file, content, { flag: 'wx' });
    }
  }

  async function take(claim: string, content = ''): Promise<boolean> {
    try {
      await write(claim, content);
      return true;
    } catch (error) {
      return errorCode(error) !== 'EEXIST';
    }
  }

  /** A leftover empty file is harmless. */
  async function forget(claims: readonly string[]): Promise<void> {
    await Promise.allSettled(claims.map((claim) => fs.promises.rm(path.join(folder, claim), { force: true })));
  }

  return {
    async takeAll(all) {
      const taken = await Promise.all(all.map(async ({ claim }) => claim === null || take(claim)));
      const ours = all.filter((_, at) => taken[at]);
      await forget(ours.flatMap(({ follows }) => follows ?? []));
      return ours;
    },
    isTaken: (claim) => fs.existsSync(path.join(folder, claim)),
    lastDigest(workspace) {
      const { prefix, minutes } = digests(workspace);
      if (minutes.length === 0) return null;
      const latest = Math.max(...minutes);
      return timeIn(path.join(folder, `${prefix}${String(latest)}`)) ?? new Date((latest + 1) * minuteMs).toISOString();
    },
    async takeDigest(workspace, now) {
      const minute = Math.floor(Date.parse(now) / minuteMs);
      const { prefix, minutes } = digests(workspace);
      if (!(await take(`${prefix}${String(minute)}`, now))) return false;
      await forget(minutes.map((earlier) => `${prefix}${String(earlier)}`));
      return true;
    },
  };
}

const minuteMs = 60_000;

/** Null if its writer ended before it wrote the time. */
function timeIn(file: string): string | null {
  try {
    const text = fs.readFileSync(file, 'utf8');
    return Number.isNaN(Date.parse(text)) ? null : text;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
