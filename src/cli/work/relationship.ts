/** `holdpoint relationship connected`: what blocks, depends on or references what. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { plural } from '../../core/kit/plural.ts';
import type { Verbs } from '../kit/verbs.ts';
import { connected, relationshipType } from '../../app/work/relationships.ts';

export function relationshipVerbs(program: Command, { inFolder }: Verbs): void {
  program
    .command('relationship')
    .description('relationships between items: blocks, depends_on, references')
    .command('connected')
    .description('everything that an item is connected to, directly or indirectly')
    .requiredOption('--entity-id <id>', 'a question, RFC, request, event, work item or file')
    .option('--relationship-type <type>', 'blocks, depends_on or references')
    .action((options: { entityId: string; relationshipType?: string }, command: Command) =>
      inFolder(command, async (workspace) => {
        const type = relationshipType.optional().safeParse(options.relationshipType);
        if (!type.success)
          throw new AppError('bad_input', `--relationship-type: must be one of ${relationshipType.options.join(', ')}`);
        const relationships = connected((await workspace.store()).read(), options.entityId, type.data);
        const lines = relationships.map(
          ({ from_id, relationship_type, to_id, distance }) =>
            `${from_id} ${relationship_type} ${to_id}${distance > 1 ? ` (${String(distance)} steps)` : ''}`,
        );
        return {
          text: [plural(lines.length, 'relationship'), ...lines].join('\n'),
          schema: 'relationship_connected',
          data: { relationships, total: relationships.length },
        };
      }),
    );
}
