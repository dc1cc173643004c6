import * as z from 'zod';
import { fewNames } from '../../core/kit/few.ts';
import { postEvent as post } from '../../app/memory/events.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import { eventPriority, eventType, limits } from '../../core/kit/words.ts';
import { withSubject } from '../../core/memory/subject.ts';
import { contentField, eventIdField, scopesField, titleField } from './fields.ts';
import { defineOperation, guideOf } from '../kit/operation.ts';

export const postEvent = defineOperation({
  name: 'post_event',
  readOnly: false,
  input: z.strictObject({
    type: eventType.describe(
      'warning: something to watch out for. decision: how something is done here. discovery: how something works. mutation: what was changed. outcome: the result of something that was tried.',
    ),
    title: titleField.optional(),
    text: contentField,
    priority: eventPriority
      .default('normal')
      .describe(
        'critical: critical warnings come first in every briefing, whatever its focus. high, normal, low: the order within a section.',
      ),
    scopes: scopesField.default([]),
    related: z.array(eventIdField).max(limits.listItems).default([]).describe('Related events.'),
  }),
  async run(context, input) {
    const { workspace, session } = context;
    const { event, already } = await post(await workspace.store(), session, {
      type: input.type,
      text: input.title === undefined ? input.text : withSubject(input.title, input.text),
      priority: input.priority,
      scopes: input.scopes.map((scope, index) => workspaceRelative(workspace, scope, `scopes[${String(index)}]`)),
      related: input.related,
    });
    const where = event.scopes.length === 0 ? 'everything' : fewNames(event.scopes);
    const text = already
      ? `This was posted less than 30 minutes ago: it is ${event.id}. Nothing was added.`
      : `Posted ${event.id} (${event.priority} ${event.type} on ${where}). Close it with ${guideOf(context).name('close_event', { id: event.id })} once it is no longer true.`;
    return { status: 'ok', text, data: { already, event } };
  },
});
