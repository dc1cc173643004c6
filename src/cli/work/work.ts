/** `holdpoint work register|update|show|list`. */
import { agentNamed } from '../../core/kit/persons.ts';
import type { Command } from 'commander';
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { listWork, workView } from '../../app/work/work.ts';
import type { WorkView } from '../../app/work/work.ts';
import { fewNames } from '../../core/kit/few.ts';
import { plural } from '../../core/kit/plural.ts';
import { workInFull } from '../../tools/kit/texts.ts';
import { effectiveStatus } from '../../core/kit/words.ts';
import { headText } from '../../tools/kit/pages.ts';
import { listOptions } from '../kit/lists.ts';
import { each, may, must, optionOf, toolVerb } from '../kit/toolVerb.ts';
import type { Verbs } from '../kit/verbs.ts';

const workflow = may('--workflow <id>', 'the workflow it belongs to');

export function workVerbs(program: Command, verbs: Verbs): void {
  const work = program.command('work').description('tasks and workflows');
  toolVerb(verbs, work, 'register', {
    about: 'register a task or workflow before you start it; registering the same id again updates it',
    tool: async () => (await import('../../tools/work/registerWork.ts')).registerWork,
    takes: {
      id: must('--id <id>', 'your own short id for it'),
      title: must('--title <title>', 'short name for people'),
      kind: may('--kind <kind>', 'task or workflow'),
      status: may('--status <status>', 'todo or in_progress'),
      workflow,
      depends_on: each('--depends-on <id>', 'must be finished first'),
      holds: each('--holds <glob>', 'files that belong to this work'),
      assigned_agent: may('--agent <agent>', 'the agent that does it'),
    },
  });
  toolVerb(verbs, work, 'update <id>', {
    about: 'start, step, finish, park or change it. Exit 2: it is held',
    tool: async () => (await import('../../tools/work/updateWork.ts')).updateWork,
    takes: {
      status: may('--status <status>', 'todo, in_progress, done, failed, cancelled or deleted'),
      step: may('--step <text>', 'the step it is on'),
      title: may('--title <title>', 'short name for people'),
      workflow,
      assigned_agent: may('--agent <agent>', 'the agent that does it'),
      add_depends_on: each('--depends-on <id>', 'add a dependency'),
      remove_depends_on: each('--remove-depends-on <id>', 'remove a dependency'),
      add_holds: each('--holds <glob>', 'add files that belong to it'),
      remove_holds: each('--remove-holds <glob>', 'remove files from it'),
    },
  });
  work
    .command('show <id>')
    .description('one work item and its holders')
    .action((id: string, _options: unknown, command: Command) =>
      verbs.look(command, (state, own) => {
        const item = workView(state, id);
        return { text: workInFull(item, own), schema: 'work_show', data: { work: item } };
      }),
    );
  const list = work.command('list').description('all work items with their effective status');
  const options = Object.entries(listOptions('work items', `${effectiveStatus.options.join(', ')}, or held`)).map(
    ([input, given]) => {
      const option = optionOf(given);
      list.addOption(option);
      return [input, option.attributeName()] as const;
    },
  );
  list.action((given: Readonly<Record<string, unknown>>, command: Command) =>
    verbs.look(command, (state, own) => {
      const wanted = filterOf(Object.fromEntries(options.map(([input, name]) => [input, given[name]])));
      const found = listWork(state).filter((item) =>
        isWanted(item, { ...wanted, agent: wanted.agent && agentNamed(wanted.agent, own) }),
      );
      const items = found.slice(wanted.skip, wanted.skip + wanted.limit);
      const lines = items.map(({ id, kind, status, title, blocks }) => {
        const held = isHeld(status) ? ` · held by ${fewNames(blocks.map((one) => one.id))}` : '';
        return `${id} · ${kind} · ${status} · ${title}${held}`;
      });
      const rest = found.length - wanted.skip - items.length;
      return {
        text: [
          headText(found.length, items.length, plural(found.length, 'work item')),
          ...lines,
          ...(rest > 0 ? [`${String(rest)} more: repeat this with --skip ${String(wanted.skip + items.length)}.`] : []),
        ].join('\n'),
        schema: 'work_list',
        data: { work: items, total: found.length },
      };
    }),
  );
}

const filter = z.object({
  status: z
    .enum([...effectiveStatus.options, 'held'])
    .optional()
    .catch(() => {
      throw new AppError('bad_input', `status: must be one of ${effectiveStatus.options.join(', ')}, held`);
    }),
  agent: z.string().optional(),
  work_id: z.string().optional(),
  skip: z.number().default(0),
  limit: z.number().default(Infinity),
});

function filterOf(given: object) {
  return filter.parse(given);
}

function isHeld(status: WorkView['status']): boolean {
  return status.startsWith('blocked_');
}

/** `--work`: this item, and those that belong to it or depend on it. */
function isWanted(item: WorkView, { status, agent, work_id: work }: z.output<typeof filter>): boolean {
  return (
    (status === undefined || item.status === status || (status === 'held' && isHeld(item.status))) &&
    (agent === undefined || item.assigned_agent === agent) &&
    (work === undefined || item.id === work || item.workflow === work || item.depends_on.includes(work))
  );
}
