import * as z from 'zod';
import { fewNames } from '../../core/kit/few.ts';
import { postEvent as post } from '../../app/memory/events.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import { eventPriority, eventType, limits } from '../../core/kit/words.ts';
import { withSubject } from '../../core/memory/subject.ts';
import { contentField, eventIdField, scopesField, titleField } from './fields.ts';
import { defineTool, guideOf } from '../kit/tool.ts';

export const postEvent = defineTool({
  name: 'holdpoint_post_event',
  title: 'Post to project memory',
  description:
    'Record what the next agents and humans who work here need to know: a warning, a decision, a discovery, a change you made (mutation) or an outcome. ' +
    'Post what the code does not show: what failed and why, what was decided, what must not be touched. Do not post progress, and do not ask questions here: use holdpoint_raise_question. ' +
    'Search with holdpoint_search_events first; if an event is no longer true, close it with holdpoint_close_event. The same mutation is not posted twice within 30 minutes.',
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
