import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { closeEvent as close } from '../../app/memory/events.ts';
import { closedText, eventIdField } from './fields.ts';
import { note } from '../kit/fields.ts';
import { defineTool } from '../kit/tool.ts';

export const closeEvent = defineTool({
  name: 'holdpoint_close_event',
  title: 'Close an event of project memory',
  description:
    'Resolve an event that is no longer true or no longer matters (give a reason), or supersede it by a newer one (give superseded_by, after posting that one: it must be active and at least as grave). ' +
    'Closed events leave briefings; they are not reopened: post a new event instead. An event that a human posted is closed by a human: your call then becomes a proposal, and the event stays in force.',
  readOnly: false,
  input: z.strictObject({
    id: eventIdField,
    reason: note('Why it is closed: "Fixed in PR #42". Required unless superseded_by is given.').optional(),
    superseded_by: eventIdField.optional().describe('The event that takes its place.'),
  }),
  async run({ workspace, session }, { id, reason, superseded_by: by }) {
    if (reason === undefined && by === undefined)
      throw new AppError(
        'bad_input',
        'reason: say why it is resolved, or name the event in superseded_by that takes its place.',
      );
    const more = reason === undefined ? {} : { reason };
    const closing =
      by === undefined ? { how: 'resolved' as const, ...more } : { how: 'superseded' as const, by, ...more };
    const { event, proposed } = close(await workspace.store(), session, id, closing);
    const text = proposed
      ? `${id} was posted by ${event.author}, a human: closing it is for a human. Your proposal waits in the editor; until it is accepted ${id} stays in force.`
      : `Closed: ${closedText(event) ?? id}`;
    return { status: 'ok', text, data: { outcome: proposed ? 'proposed' : event.status, event } };
  },
});
