/** What no store can be faster than: one write and one flush of as many bytes as a question's line has. */
import fs from 'node:fs';
import path from 'node:path';
import { median, short } from './stats.ts';

export function describeDisk(parent: string): string {
  const file = path.join(parent, 'floor');
  const descriptor = fs.openSync(file, 'a');
  const bytes = Buffer.alloc(1_200, 'x');
  const took = Array.from({ length: 200 }, () => {
    const began = performance.now();
    fs.writeSync(descriptor, bytes);
    fs.fdatasyncSync(descriptor);
    return performance.now() - began;
  });
  fs.closeSync(descriptor);
  fs.rmSync(file);
  return `write and flush of 1,200 bytes ${short(median(took))} ms`;
}
