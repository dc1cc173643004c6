/**
 * Questions that agents of this machine raised while the server of a shared journal did not answer: one file for each,
 * in a folder beside the anchor. They hold on this machine at once, and are appended and removed at the next contact
 * (`app/workspace/pending.ts`). A file of its own appears and disappears as a whole, whatever other programs do.
 */
import path from 'node:path';
import * as z from 'zod';
import { instant, textField } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';
import { actor } from '../../core/records/actor.ts';
import { makeFolderOf, namesIn, readOrNull, replaceFile } from '../journal/files.ts';
import type { FileSystem } from '../journal/files.ts';
import { StoreError } from '../journal/problem.ts';

const heldRaise = z.strictObject({
  v: z.literal(1),
  /** Id of the act: the server counts it once. */
  op: z.uuid(),
  actor: actor.extend({ kind: z.literal('agent') }),
  host: textField(limits.id),
  /** The question as asked. Its fields are checked when it becomes a record. */
  input: z.record(z.string(), z.unknown()),
  at: instant,
  /** Why the journal did not accept it at the last contact. */
  refused: z.strictObject({ why: z.string(), at: instant }).optional(),
});
/** A question that no server has yet. */
export type HeldRaise = z.infer<typeof heldRaise>;

/** One file of the outbox. */
export interface Kept {
  readonly op: string;
  /** Null when the file cannot be read: what it holds is not known. */
  readonly raise: HeldRaise | null;
}

export interface Outbox {
  readonly folder: string;
  isEmpty(): boolean;
  /** Changes with its contents. Never throws. */
  mark(): string;
  /** @throws StoreError `offline` when it is full or cannot be written: then nothing holds */
  add(raise: HeldRaise): void;
  /** In the order in which they were raised. @throws Error when one of them cannot be read */
  list(): readonly HeldRaise[];
  /** The same, with those that cannot be read. @throws Error when the folder cannot be read */
  kept(): readonly Kept[];
  /** Notes that the journal did not accept it. It stays and holds on. */
  refuse(op: string, refused: NonNullable<HeldRaise['refused']>): void;
  remove(op: string): void;
}

export const outboxLimits = { raises: 100, bytes: 1024 * 1024 } as const;
const name = /^(\d{9})\.([0-9a-f-]{36})\.json$/;

interface Named {
  readonly number: number;
  readonly op: string;
  readonly file: string;
}

export function openOutbox(fs: FileSystem, anchor: string): Outbox {
  const folder = anchor.replace(/\.json$/, '.outbox');

  function files(): Named[] {
    return namesIn(fs, folder)
      .toSorted()
      .flatMap((found) => {
        const [, number, op] = name.exec(found) ?? [];
        return op === undefined ? [] : [{ number: Number(number), op, file: path.join(folder, found) }];
      });
  }

  /** Null when another program has just removed it. */
  function read({ op, file }: Named): HeldRaise | null {
    const bytes = readOrNull(fs, file);
    if (bytes === null) return null;
    const raise = heldRaise.parse(JSON.parse(bytes.toString('utf8')));
    if (raise.op !== op) throw new Error(`${file} is about another act`);
    return raise;
  }

  function keptIn(found: Named): Kept | null {
    try {
      const raise = read(found);
      return raise && { op: found.op, raise };
    } catch {
      return { op: found.op, raise: null };
    }
  }

  function markOf({ file }: Named): string {
    return `${path.basename(file)} ${String(fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs)}`;
  }

  return {
    folder,
    isEmpty: () => files().length === 0,
    mark() {
      try {
        return files().map(markOf).join(' ');
      } catch {
        return 'unreadable';
      }
    },
    add(raise) {
      const content = Buffer.from(`${JSON.stringify(heldRaise.parse(raise))}\n`);
      try {
        const there = files();
        const size = there.reduce(
          (sum, { file }) => sum + (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0),
          0,
        );
        if (there.length >= outboxLimits.raises || size + content.length > outboxLimits.bytes)
          throw new StoreError('offline', tooMany);
        const number = String((there.at(-1)?.number ?? 0) + 1).padStart(9, '0');
        const file = path.join(folder, `${number}.${raise.op}.json`);
        makeFolderOf(fs, file);
        replaceFile(fs, file, content, `${file}.tmp`);
      } catch (cause) {
        if (cause instanceof StoreError) throw cause;
        throw new StoreError('offline', notWritten, { cause });
      }
    },
    list: () => files().flatMap((found) => read(found) ?? []),
    kept: () => files().flatMap((found) => keptIn(found) ?? []),
    refuse(op, refused) {
      const found = files().find((one) => one.op === op);
      const raise = found && read(found);
      if (!found || !raise || raise.refused?.why === refused.why) return;
      replaceFile(fs, found.file, Buffer.from(`${JSON.stringify({ ...raise, refused })}\n`), `${found.file}.tmp`);
    },
    remove(op) {
      for (const found of files()) if (found.op === op) fs.rmSync(found.file, { force: true });
    },
  };
}

const tooMany =
  'nothing was saved: the server of this shared workspace does not answer, and too many questions are held on this machine until it does';
const notWritten =
  'nothing was saved: the server of this shared workspace does not answer, and this machine cannot write what holds until it does';
