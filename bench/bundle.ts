/** The size of the download, and how much of it each program loads. */
import { readdirSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../test/support/host.ts';
import { packInto } from '../test/support/vsix.ts';
import { table } from './document.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';

/** Bytes. */
const goal = 1_000_000;

export const bundle: Part = {
  name: 'package',
  what: 'the size of the VSIX and of what is in dist/',
  minutes: 1,
  async run({ folder }) {
    const { size } = await stat(await packInto(folder));
    const kilobytes = (bytes: number) => `${String(Math.round(bytes / 1000))} KB`;
    const dist = path.join(root, 'dist');
    const sizes = readdirSync(dist)
      .filter((name) => (name.endsWith('.mjs') && !name.startsWith('chunk-')) || name.endsWith('.br'))
      .map((name) => `\`${name}\` ${kilobytes(statSync(path.join(dist, name)).size)}`);
    return [
      '### Package',
      table(['what', 'size', 'goal', 'met'], [['VSIX', kilobytes(size), 'under 1 MB', met(size, goal)]]),
      `In \`dist/\`, before the package is compressed: ${sizes.join(', ')}.`,
    ].join('\n\n');
  },
};
