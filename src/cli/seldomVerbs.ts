/** Verbs that people use seldom: loaded together, when one of them is called. */
import { attestationVerbs } from './audit/attestations.ts';
import { auditVerb } from './audit/audit.ts';
import { checkVerb } from './audit/check.ts';
import { dashboardVerb } from './dashboard/dashboard.ts';
import { gateVerb } from './hold/gateVerb.ts';
import { restoreVerb } from './hold/restore.ts';
import { hookVerb } from './hosts/hook.ts';
import { mcpVerb } from './hosts/mcp.ts';
import { setupVerb } from './hosts/setup.ts';
import { keysVerb } from './keys/keys.ts';
import { mirrorVerb } from './mirrors/mirror.ts';
import { reviewVerb } from './rfc/reviewVerb.ts';
import { serveVerb } from './serve/serve.ts';
import { teamVerbs } from './team/team.ts';
import { movingVerbs } from './transfer/moving.ts';
import { inboxVerb } from './waiting/inbox.ts';
import { reminderVerbs } from './waiting/reminders.ts';
import { watchVerb } from './waiting/watch.ts';
import type { Command } from 'commander';
import { AppError } from '../app/workspace/errors.ts';
import { openInEditor } from '../app/waiting/openNote.ts';
import type { Verbs } from './kit/verbs.ts';
import { plural } from '../core/kit/text.ts';
import { relationshipsOf, relationshipType } from '../app/work/relationships.ts';

// `holdpoint relationship connected`: what blocks, depends on or references what.

function relationshipVerbs(program: Command, { inFolder }: Verbs): void {
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
        const relationships = relationshipsOf((await workspace.store()).read(), options.entityId, type.data);
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

// `holdpoint open Q-12` opens the form of an item in the editor, where humans answer and approve.

function openVerb(program: Command, { io, inFolder }: Verbs): void {
  program
    .command('open <id>')
    .description(
      'open the form of a question or the review of an RFC in the editor that has this folder open; decides nothing',
    )
    .action((id: string, _options: unknown, command: Command) =>
      inFolder(command, async (workspace) => {
        const uri = `vscode://holdpoint.holdpoint/open/${id}`;
        if (!(await openInEditor(workspace, id, io.signal)))
          throw new AppError(
            'not_found',
            `${id} was not opened: no editor with Holdpoint has this folder open. Open the folder there, or follow ${uri}`,
          );
        return {
          text: `${id} opens in the editor that has this folder open. Or open ${uri}`,
          schema: 'open',
          data: { id, uri },
        };
      }),
    );
}

export const seldomVerbs = {
  attestationVerbs,
  auditVerb,
  checkVerb,
  dashboardVerb,
  gateVerb,
  hookVerb,
  inboxVerb,
  keysVerb,
  mcpVerb,
  mirrorVerb,
  movingVerbs,
  openVerb,
  relationshipVerbs,
  reminderVerbs,
  restoreVerb,
  reviewVerb,
  serveVerb,
  setupVerb,
  teamVerbs,
  watchVerb,
};
