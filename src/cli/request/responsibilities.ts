/** `holdpoint responsibility list`. */
import type { Command } from 'commander';
import { listResponsibilities } from '../../app/request/views.ts';
import { plural } from '../../core/kit/plural.ts';
import { responsibilityLine } from '../../tools/request/reading.ts';
import type { Verbs } from '../kit/verbs.ts';

export function responsibilityList(responsibility: Command, { read }: Verbs): void {
  responsibility
    .command('list')
    .description('the responsibilities of this workspace')
    .action((_options: unknown, command: Command) =>
      read(command, async (workspace) => {
        const responsibilities = listResponsibilities((await workspace.store()).read());
        const head = plural(responsibilities.length, 'responsibility', 'responsibilities');
        return {
          text: [head, ...responsibilities.map(responsibilityLine)].join('\n'),
          schema: 'responsibility_list',
          data: { responsibilities, total: responsibilities.length },
        };
      }),
    );
}
