/** `holdpoint dashboard --view impact|agents|steward|humans`: the figures of the editor's dashboard. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { count } from '../kit/arguments.ts';
import type { Verbs } from '../kit/verbs.ts';
import { dashboard, dashboardNames, localCalendar } from '../../app/dashboard/dashboard.ts';
import { dashboardText } from './text.ts';

const defaultDays = 14;

export function dashboardVerb(program: Command, { read }: Verbs): void {
  program
    .command('dashboard')
    .description('show what is held, who is waiting, and how healthy the queue is')
    .option('--view <view>', 'impact, agents, steward or humans', 'impact')
    .option('--days <n>', 'number of days that daily figures cover', count, defaultDays)
    .action(({ view: name, days }: { view: string; days: number }, command: Command) =>
      read(command, async (workspace) => {
        const wanted = dashboardNames.find((one) => one === name);
        if (wanted === undefined)
          throw new AppError('bad_input', `--view: must be one of ${dashboardNames.join(', ')}`);
        const view = (await workspace.store()).read();
        const data = dashboard(view, wanted, localCalendar(Math.min(days, 366)));
        return { text: dashboardText(wanted, data, view.own), schema: 'dashboard', data };
      }),
    );
}
