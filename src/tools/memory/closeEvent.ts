import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { closeEvent as close } from '../../app/memory/events.ts';
import { closedText, eventIdField } from './fields.ts';
import { note } from '../kit/fields.ts';
import { defineOperation } from '../kit/operation.ts';

export const closeEvent = defineOperation({
  name: 'close_event',
  readOnly: false,
  input: z.strictObject({
    id: eventIdField,
    reason: note('Why it is closed: "Fixed in PR #42". Required unless superseded_by is given.').optional(),
    superseded_by: eventIdField.optional().describe('The event that replaces it.'),
  }),
  async run({ workspace, session }, { id, reason, superseded_by: by }) {
    if (reason === undefined && by === undefined)
      throw new AppError(
        'bad_input',
        'reason: say why it is resolved, or name the event that replaces it in superseded_by.',
      );
    const more = reason === undefined ? {} : { reason };
    const closing =
      by === undefined ? { how: 'resolved' as const, ...more } : { how: 'superseded' as const, by, ...more };
    const { event, proposed } = await close(await workspace.store(), session, id, closing);
    const text = proposed
      ? `${id} was posted by ${event.author}, a human, so only a human can close it. Your proposal waits in the editor; until a human accepts it, ${id} stays active.`
      : `Closed: ${closedText(event) ?? id}`;
    return { status: 'ok', text, data: { outcome: proposed ? 'proposed' : event.status, event } };
  },
});
