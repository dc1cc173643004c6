/** `holdpoint work register|update|show|list`. */
import type { Command } from 'commander';
import { listWork, workView } from '../../app/work/work.ts';
import { plural } from '../../core/kit/plural.ts';
import { workText } from '../../tools/kit/texts.ts';
import { collect } from '../kit/arguments.ts';
import type { Verbs } from '../kit/verbs.ts';

const registerWork = async () => (await import('../../tools/work/registerWork.ts')).registerWork;
const updateWork = async () => (await import('../../tools/work/updateWork.ts')).updateWork;

interface RegisterOptions {
  id: string;
  kind?: string;
  title: string;
  status?: string;
  workflow?: string;
  dependsOn: string[];
  holds: string[];
  agent?: string;
}

interface UpdateOptions {
  status?: string;
  step?: string;
  title?: string;
  workflow?: string;
  agent?: string;
  dependsOn: string[];
  removeDependsOn: string[];
  holds: string[];
  removeHolds: string[];
}

export function workVerbs(program: Command, { run, look }: Verbs): void {
  const work = program.command('work').description('tasks and workflows');
  work
    .command('register')
    .description('tell Holdpoint of a task or workflow before starting it')
    .requiredOption('--id <id>', 'your own short id for it')
    .requiredOption('--title <title>', 'short name for people')
    .option('--kind <kind>', 'task or workflow')
    .option('--status <status>', 'todo or in_progress')
    .option('--workflow <id>', 'the workflow it belongs to')
    .option('--depends-on <id>', 'must be finished first (repeat)', collect, [])
    .option('--holds <glob>', 'files this work owns (repeat)', collect, [])
    .option('--agent <agent>', 'who does it')
    .action((options: RegisterOptions, command: Command) =>
      run(command, registerWork, {
        id: options.id,
        kind: options.kind,
        title: options.title,
        status: options.status,
        workflow: options.workflow,
        depends_on: options.dependsOn,
        holds: options.holds,
        assigned_agent: options.agent,
      }),
    );
  work
    .command('update <id>')
    .description('start, step, finish, park or change it; exit 2 while it is held')
    .option('--status <status>', 'todo, in_progress, done, failed or cancelled')
    .option('--step <text>', 'the step it is at')
    .option('--title <title>', 'short name for people')
    .option('--workflow <id>', 'the workflow it belongs to')
    .option('--agent <agent>', 'who does it')
    .option('--depends-on <id>', 'add a dependency (repeat)', collect, [])
    .option('--remove-depends-on <id>', 'remove a dependency (repeat)', collect, [])
    .option('--holds <glob>', 'add files it owns (repeat)', collect, [])
    .option('--remove-holds <glob>', 'remove files it owns (repeat)', collect, [])
    .action((id: string, options: UpdateOptions, command: Command) =>
      run(command, updateWork, {
        id,
        status: options.status,
        step: options.step,
        title: options.title,
        workflow: options.workflow,
        assigned_agent: options.agent,
        add_depends_on: options.dependsOn,
        remove_depends_on: options.removeDependsOn,
        add_holds: options.holds,
        remove_holds: options.removeHolds,
      }),
    );
  work
    .command('show <id>')
    .description('one work item with what holds it')
    .action((id: string, _options: unknown, command: Command) =>
      look(command, (state) => {
        const item = workView(state, id);
        return { text: workText(item), data: { work: item } };
      }),
    );
  work
    .command('list')
    .description('all work items with their effective status')
    .action((_options: unknown, command: Command) =>
      look(command, (state) => {
        const items = listWork(state);
        const lines = items.map(
          (item) =>
            `${item.id} · ${item.kind} · ${item.status} · ${item.title}${item.blocks.length > 0 ? ` · held by ${item.blocks.map(({ id }) => id).join(', ')}` : ''}`,
        );
        return {
          text: [plural(items.length, 'work item'), ...lines].join('\n'),
          data: { work: items, total: items.length },
        };
      }),
    );
}
