/**
 * What was allowed while the server of a shared journal did not answer: one line for each answer, in a file beside the
 * anchor. At the next contact its lines are taken and become records of the journal (`app/hold/offline.ts`).
 */
import path from 'node:path';
import * as z from 'zod';
import { instant, otherText, textField } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';
import { closeQuietly, errorCode, namesIn, readOrNull } from '../journal/files.ts';
import type { FileSystem } from '../journal/files.ts';
import { besideStateFile } from '../journal/stateFile.ts';

const allowed = z.object({
  at: instant,
  /** When the server had last confirmed the copy. */
  since: instant,
  by: textField(limits.id),
  /** The first files that it was about. */
  paths: z.array(otherText).max(5),
});
export type Allowed = z.infer<typeof allowed>;

/** Lines of one file, claimed by this program or left behind by another. */
export interface Taken {
  /** Names the file, and so its record: it is written once, even if two programs take it. */
  readonly id: string;
  readonly lines: readonly Allowed[];
  /** There may have been more lines than fit, or lines that cannot be read. */
  readonly more: boolean;
  /** Forgets it. */
  remove(): void;
}

export interface OfflineLog {
  /** False when it cannot be written. Beyond its size limit nothing is added. */
  add(line: Allowed): boolean;
  /** Whether something waits to be recorded. */
  isEmpty(): boolean;
  take(newId: () => string): Taken[];
}

/** Bytes. Then it is only known that there was more. */
const longest = 512 * 1024;
const longestPath = 200;

export function openOfflineLog(fs: FileSystem, anchor: string): OfflineLog {
  const file = besideStateFile(anchor, 'offline', 'jsonl');
  const takenName = new RegExp(`^${path.basename(anchor, '.json')}\\.offline\\.([0-9a-f-]{36})\\.jsonl$`);

  function takenFiles(): { readonly id: string; readonly file: string }[] {
    return namesIn(fs, path.dirname(anchor)).flatMap((name) => {
      const [, id] = takenName.exec(name) ?? [];
      return id === undefined ? [] : [{ id, file: path.join(path.dirname(anchor), name) }];
    });
  }

  /** Null when another program was faster. */
  function read({ id, file: taken }: { readonly id: string; readonly file: string }): Taken | null {
    const bytes = readOrNull(fs, taken);
    if (bytes === null) return null;
    const texts = bytes.toString('utf8').split('\n').filter(Boolean);
    const lines = texts.flatMap(parsed);
    return {
      id,
      lines,
      more: bytes.length >= longest || lines.length < texts.length,
      remove: () => fs.rmSync(taken, { force: true }),
    };
  }

  return {
    add(line) {
      const paths = line.paths.slice(0, 5).map((one) => one.slice(0, longestPath));
      try {
        const descriptor = fs.openSync(file, 'a', 0o600);
        try {
          const bytes = Buffer.from(`${JSON.stringify({ ...line, paths })}\n`);
          if (fs.fstatSync(descriptor).size >= longest) return true;
          return fs.writeSync(descriptor, bytes) === bytes.length;
        } finally {
          closeQuietly(fs, descriptor);
        }
      } catch {
        return false;
      }
    },
    isEmpty: () => !fs.existsSync(file) && takenFiles().length === 0,
    take(newId) {
      try {
        fs.renameSync(file, file.replace(/\.jsonl$/, `.${newId()}.jsonl`));
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
      }
      return takenFiles().flatMap((taken) => read(taken) ?? []);
    },
  };
}

function parsed(text: string): Allowed[] {
  try {
    const result = allowed.safeParse(JSON.parse(text));
    return result.success ? [result.data] : [];
  } catch {
    return [];
  }
}
