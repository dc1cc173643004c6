/** `holdpoint work register|update|show|list`. */
import type { Command } from 'commander';
import { effectiveStatus } from '../../core/kit/words.ts';
import { listOptions } from '../kit/lists.ts';
import { each, may, must, toolVerb } from '../kit/toolVerb.ts';
import type { Verbs } from '../kit/verbs.ts';

const listWork = async () => (await import('../../tools/work/listWork.ts')).listWork;
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
      holds: each('--files <glob>', 'files that it changes; held with it'),
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
      add_holds: each('--files <glob>', 'add files that it changes'),
      remove_holds: each('--remove-files <glob>', 'remove files from it'),
    },
  });
  toolVerb(verbs, work, 'show <id>', { about: 'one work item and its holders', tool: listWork });
  toolVerb(verbs, work, 'list', {
    about: 'all work items with their effective status',
    tool: listWork,
    takes: listOptions('work items', `${effectiveStatus.options.join(', ')}, or held`),
  });
}
