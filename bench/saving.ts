/** How long a program is busy at a time while it writes a snapshot that nobody waits for. */
import fs from 'node:fs';
import path from 'node:path';
import { copySeed, openPlace } from './seed.ts';
import type { Seed } from './seed.ts';

export interface SavingFigures {
  readonly records: number;
  /** Milliseconds, step by step. */
  readonly steps: readonly number[];
}

export async function measureSaving(parent: string, seed: Seed, records: number): Promise<SavingFigures> {
  const place = copySeed(parent, seed, false);
  const workspace = openPlace(place);
  try {
    const store = await workspace.store();
    const saving = store.saving(0);
    if (!saving) throw new Error('nothing to save');
    const steps: number[] = [];
    for (let done = false; !done;) {
      const began = performance.now();
      done = saving.next().done ?? false;
      steps.push(performance.now() - began);
    }
    return { records, steps };
  } finally {
    workspace.close();
    fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
  }
}
