/** Six separate programs read one store in different ways, and all results must be equal. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { journalByHand, readByHand } from '../store/handwriting.ts';
import type { Fingerprint } from '../store/fingerprint.ts';
import { start } from '../store/programs.ts';
import type { Sandbox } from '../store/sandbox.ts';

const clocks = [undefined, 0, 2 ** 31 * 1000] as const;

/**
 * Three start from the snapshot; three know only the trusted keys and read from the first line. In each group, one
 * program's clock says 1970 and another's 2038.
 */
export async function agreement(bundle: string, sandbox: Sandbox): Promise<Fingerprint> {
  const elsewhere = sandbox.at(`home-${randomUUID()}`);
  const keyring = path.join(elsewhere, path.relative(sandbox.home, sandbox.userFolder), 'keys.json');
  fs.mkdirSync(path.dirname(keyring), { recursive: true });
  const pinned = path.join(sandbox.userFolder, 'keys.json');
  if (fs.existsSync(pinned)) fs.copyFileSync(pinned, keyring);
  const reported: unknown[] = [];
  for (const home of [sandbox.home, elsewhere])
    for (const now of clocks) {
      const program = start(bundle, { folder: sandbox.folder, home }, { does: 'tell' }, now);
      assert.equal(await program.next(), 'ready');
      reported.push(JSON.parse((await program.next()) ?? 'null'));
      assert.equal(await program.next(), null);
    }
  for (const other of reported) assert.deepEqual(other, reported[0], 'all six agree');
  fs.rmSync(elsewhere, { recursive: true });
  return reported[0] as Fingerprint;
}

/** Asserts by a plain reading that the journal is sound and contains no act twice. Returns its lines. */
export function soundJournal(sandbox: Sandbox) {
  const { lines, sound } = readByHand(journalByHand(sandbox.journal));
  assert.ok(sound, 'the journal is sound');
  assert.equal(new Set(lines.map(({ op }) => op)).size, lines.length, 'no act is duplicated');
  return lines;
}

/** The journal with a flipped bit in its last act. */
export function damagedAct(sandbox: Sandbox): Buffer {
  const at = (soundJournal(sandbox).at(-1)?.at ?? 0) + 150;
  const bytes = fs.readFileSync(sandbox.journal);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

/** The contents of the journal's files. */
export function journalFiles(sandbox: Sandbox): Buffer[] {
  const folder = path.dirname(sandbox.journal);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => fs.readFileSync(path.join(folder, name)));
}

/** Whether all files still exist, under any name. */
export function areKept(sandbox: Sandbox, files: readonly Buffer[]): boolean {
  const folder = path.dirname(sandbox.journal);
  const now = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name)));
  return files.every((file) => now.some((other) => other.subarray(0, file.length).equals(file)));
}

/** Ids of work items and texts of questions that count according to the plain reading. */
export function namesByHand(sandbox: Sandbox): string[] {
  const records = soundJournal(sandbox).flatMap(({ records }) => records);
  return records.flatMap(({ kind, id, text }) =>
    kind === 'work.registered' ? [String(id)] : kind === 'question.raised' ? [String(text)] : [],
  );
}

/** Asserts that everything acknowledged exists, and nothing exists twice. */
export function nothingLostOrDoubled(sandbox: Sandbox, acknowledged: Iterable<string>): void {
  const names = namesByHand(sandbox);
  const there = new Set(names);
  assert.equal(there.size, names.length, 'nothing is duplicated');
  assert.deepEqual(
    [...acknowledged].filter((name) => !there.has(name)),
    [],
    'nothing acknowledged is lost',
  );
}
