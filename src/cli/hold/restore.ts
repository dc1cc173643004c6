/** `holdpoint restore FILE…`: puts held files back as they were when the hold began. Releases nothing. */
import type { Command } from 'commander';
import { gitContent } from '../../hosts/gitContent.ts';
import { restoreHeld, type Restored } from '../../app/hold/restore.ts';
import type { Verbs } from '../kit/verbs.ts';

export function restoreVerb(program: Command, { io, read }: Verbs): void {
  program
    .command('restore')
    .argument('<files...>', 'held files that were changed')
    .description('put held files back as they were when the hold began; releases nothing')
    .action((files: readonly string[], _options: unknown, command: Command) =>
      read(command, async (workspace) => {
        const done: Restored[] = [];
        for (const file of files) done.push(await restoreHeld(workspace, file, gitContent(io.env)));
        return { text: done.map(textOf).join('\n'), schema: 'restore', data: { files: done } };
      }),
    );
}

function textOf({ path, held_by: holder, how, kept }: Restored): string {
  if (how === 'same') return `${path} is as it was when ${holder} began to hold it.`;
  const copy = kept === null ? '' : ` The replaced file is kept as ${kept}.`;
  if (how === 'removed') return `Removed ${path}: it did not exist when ${holder} began to hold it.${copy}`;
  return `Restored ${path} as it was when ${holder} began to hold it.${copy}`;
}
