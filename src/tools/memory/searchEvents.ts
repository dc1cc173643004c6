import { shownAgent } from '../../core/kit/persons.ts';
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { eventView, branchesOf } from '../../app/memory/views.ts';
import type { EventView } from '../../app/memory/views.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import { searchEvents as search } from '../../app/memory/search.ts';
import { fewNames } from '../../core/kit/few.ts';
import { plural } from '../../core/kit/plural.ts';
import { firstLine, textField } from '../../core/kit/text.ts';
import { eventPriority, eventStatus, eventType, limits } from '../../core/kit/words.ts';
import { closedText, eventIdField, eventLine } from './fields.ts';
import { defineOperation } from '../kit/operation.ts';

export const searchEvents = defineOperation({
  name: 'search_events',
  readOnly: true,
  input: z.strictObject({
    words: z
      .string()
      .max(limits.questionText)
      .optional()
      .describe('Words to find in texts and in reasons for closing.'),
    id: eventIdField.optional().describe('Returns only this event, in full.'),
    type: eventType.optional(),
    status: eventStatus.optional().describe('Default: all, including closed ones.'),
    priority: eventPriority.optional(),
    scope: z
      .string()
      .min(1)
      .max(limits.path)
      .optional()
      .describe('Only events about this file, or about this folder and anything in it.'),
    author: textField(limits.id).optional().describe('Only events by this agent or human.'),
    since: z
      .union([z.iso.date(), z.iso.datetime({ offset: true }).max(limits.time)])
      .optional()
      .describe('Only events posted at or after this time: a date such as 2026-05-03, or a time with its zone.'),
    limit: z.int().min(1).max(100).default(20),
  }),
  async run({ workspace }, { id, words, scope, since, ...filter }) {
    const view = (await workspace.store()).read();
    if (id !== undefined) {
      const event = eventView(view, id);
      if (!event) throw new AppError('not_found', `there is no event ${id}`);
      return { status: 'ok', text: fullText(event, view.own), data: { event } };
    }
    const { events, total, unranked } = search(view, {
      ...filter,
      words,
      ignoreCase: workspace.ignoreCase,
      scope: scope === undefined ? undefined : workspaceRelative(workspace, scope, 'scope'),
      since: since === undefined ? undefined : new Date(since).toISOString(),
    });
    const lines = events.map((event) => {
      const said = event.snippet ?? firstLine(event.text);
      const closed = closedText(event);
      return `${eventLine(event, said, view.own)}${closed === null ? '' : ` (${firstLine(closed)})`}`;
    });
    const head = `${total > events.length ? `${String(events.length)} of ` : ''}${plural(total, 'event')}`;
    const older =
      unranked === 0
        ? []
        : [
            `The newest ${String(total - unranked)} were ranked, ${String(unranked)} older ones were not: add a word, a type, a scope or an author.`,
          ];
    return { status: 'ok', text: [head, ...older, ...lines].join('\n'), data: { events, total, unranked } };
  },
});

function fullText(event: EventView, own: string | null): string {
  const { proposal, lineage, related_ids } = event;
  return [
    eventLine(event, '', own),
    event.text,
    closedText(event),
    proposal === null ? null : `${shownAgent(proposal.agent, own)} has proposed to close it; a human decides.`,
    ...branchesOf(lineage).map(
      (branch) => `Lineage: ${branch.map(({ id, status }) => `${id} (${status})`).join(' -> ')}`,
    ),
    related_ids.length === 0 ? null : `Related: ${fewNames(related_ids)}`,
  ]
    .filter((line) => line !== null)
    .join('\n');
}
