/** How long a store takes to open, and what it takes up, with its snapshot and without. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Opened } from './opener.ts';
import { copySeed } from './seed.ts';
import type { Place, Seed } from './seed.ts';
import { message } from './writers.ts';

export interface OpeningFigures {
  readonly records: number;
  readonly withSnapshot: readonly Opened[];
  readonly without: readonly Opened[];
}

export async function measureOpening(
  parent: string,
  seed: Seed,
  records: number,
  rounds: number,
): Promise<OpeningFigures> {
  const places = [copySeed(parent, seed, true), copySeed(parent, seed, false)] as const;
  const withSnapshot: Opened[] = [];
  const without: Opened[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      withSnapshot.push(await openOnce(places[0]));
      without.push(await openOnce(places[1]));
    }
  } finally {
    for (const { folder } of places) fs.rmSync(path.dirname(folder), { recursive: true, force: true });
  }
  return { records, withSnapshot, without };
}

async function openOnce({ folder, home }: Place): Promise<Opened> {
  const program = fork(path.join(import.meta.dirname, 'opener.ts'), [folder, home], { execArgv: ['--expose-gc'] });
  return (await message(program)) as Opened;
}
