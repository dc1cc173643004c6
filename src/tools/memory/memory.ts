/** Project memory: posting, closing and searching notes; the briefing. */
import * as z from 'zod';
import { shownAgent } from '../../core/kit/persons.ts';
import { firstLine, fewNames, plural } from '../../core/kit/text.ts';
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { eventId, otherText, textField } from '../../core/kit/fields.ts';
import { eventPriority, eventType, eventStatus } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import {
  postEvent as post,
  closeEvent as close,
  searchEvents as search,
  eventView,
  branchesOf,
  type EventView,
} from '../../app/memory/events.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import { withSubject, briefingText, withinTokens } from '../../core/memory/briefingText.ts';
import { defineOperation, guideOf } from '../kit/operation.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { many, note, pathField } from '../kit/fields.ts';
import { briefingOf } from '../../app/memory/briefing.ts';
import { waitingRequests } from '../../app/request/views.ts';
import { namedAtMost, waitingText } from '../kit/requestTexts.ts';

export const eventIdField = eventId.describe('Id of an event, for example "E-140".');

const scopesField = many(pathField).describe(
  'Files or folders it is about, workspace-relative or absolute. Without any, it is about the whole project.',
);

export const contentField = otherText.describe(
  'What others should know, in Markdown, 1 to 10,000 characters. Put the main point in the first line; write for a reader who knows nothing about this session.',
);

export const titleField = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[^\r\n]*$/, 'must be one line')
  .describe(
    'The subject line, which lists and briefings show first. Default: the first line of the text, as in a commit message.',
  );

export function eventLine(
  { id, status, priority, type, scopes, author, posted_at, imported }: BriefedEvent,
  said: string,
  own: string | null,
): string {
  const where = scopes.length === 0 ? '' : ` · ${fewNames(scopes)}`;
  return `${id} · ${status} · ${priority} ${type}${where} · ${shownAgent(author, own)}${imported ? ' (imported, not verified)' : ''}, ${posted_at.slice(0, 10)} · ${said}`;
}

/** How an event was closed; null while it is active. */
export function closedText({
  id,
  status,
  resolved_reason,
  superseded_by_event_id,
  closed_by,
}: BriefedEvent): string | null {
  if (status === 'active') return null;
  const by = closed_by === null ? '' : ` by ${closed_by}`;
  const reason = resolved_reason === null ? '' : `: ${resolved_reason}`;
  return status === 'resolved'
    ? `${id} was resolved${by}${reason}`
    : `${id} was superseded by ${superseded_by_event_id ?? 'another event'}${reason}`;
}

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
    related: many(eventIdField).default([]).describe('Related events.'),
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

export const searchEvents = defineOperation({
  name: 'search_events',
  readOnly: true,
  input: z.strictObject({
    words: z
      .string()
      .max(limits.questionText)
      .optional()
      .describe('Words to find in notes and in reasons for closing.'),
    id: eventIdField.optional().describe('Returns only this event, in full.'),
    type: eventType.optional(),
    status: eventStatus.optional().describe('Default: all, including closed ones.'),
    priority: eventPriority.optional(),
    scope: pathField.optional().describe('Only events about this file, or about this folder and anything in it.'),
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

export const getBriefing = defineOperation({
  name: 'get_briefing',
  readOnly: true,
  input: z.strictObject({
    focus: pathField
      .optional()
      .describe(
        'The file or folder you are about to work on, workspace-relative or absolute. Default: the whole project.',
      ),
    max_tokens: z
      .int()
      .min(1)
      .optional()
      .describe('Approximate maximum length. Items are dropped from the end, but never critical warnings or holds.'),
  }),
  async run(context, { focus, max_tokens: budget }) {
    const { workspace, session } = context;
    const view = (await workspace.store()).read();
    const place = focus === undefined ? null : workspaceRelative(workspace, focus, 'focus');
    const { briefing, answers } = briefingOf(workspace, view, { focus: place, agent: session.actor.id });
    const fitting = budget === undefined ? briefing : withinTokens(briefing, budget);
    const waiting = waitingRequests(view, session.actor.id, namedAtMost);
    const guide = guideOf(context);
    const text = [waitingText(waiting, guide), briefingText(fitting, guide)];
    return {
      status: 'ok',
      text: text.filter((part) => part !== '').join('\n'),
      data: { briefing: fitting, requests_waiting: waiting.total },
      delivers: { questions: answers, requests: waiting.requests, asked: false },
    };
  },
});
