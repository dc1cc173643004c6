/** `holdpoint mirror [--check]`: Markdown views of requests, questions and RFCs. */
import type { Command } from 'commander';
import { mirror, type Mirrored } from '../../app/mirrors/mirrors.ts';
import { plural } from '../../core/kit/text.ts';
import type { Verbs } from '../kit/verbs.ts';

export function mirrorVerb(program: Command, { read, exit }: Verbs): void {
  program
    .command('mirror')
    .description('write requests, questions and RFCs as Markdown to .holdpoint; edits made there are overwritten')
    .option('--check', 'only compare. Exit 1: something differs from the database')
    .action(({ check = false }: { check?: boolean }, command: Command) =>
      read(command, async (workspace) => {
        const done = await mirror(workspace, { check });
        if (check && done.written.length + done.removed.length > 0) exit(1);
        return { text: textOf(done, check), schema: 'mirror', data: { check, ...done } };
      }),
    );
}

function textOf({ total, written, removed, edited }: Mirrored, check: boolean): string {
  const line = (what: string, paths: readonly string[]) => paths.map((at) => `${what} .holdpoint/${at}`);
  return [
    `${plural(total, 'mirror')}, ${String(written.length)} ${check ? 'to write' : 'written'}, ${String(removed.length)} ${check ? 'to remove' : 'removed'}`,
    ...line(check ? 'edited by hand:' : 'edited by hand, overwritten:', edited),
    ...(check ? [...line('differs:', written), ...line('not in the database:', removed)] : []),
  ].join('\n');
}
