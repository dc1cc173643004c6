/** Input fields of the project memory tools, and an event as one line of text. */
import { shownAgent } from '../../core/kit/persons.ts';
import { fewNames } from '../../core/kit/few.ts';
import * as z from 'zod';
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { eventId, otherText } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';

export const eventIdField = eventId.describe('Id of an event, for example "E-140".');

export const scopesField = z
  .array(z.string().min(1).max(limits.path))
  .max(limits.listItems)
  .describe(
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

/** An event as one line of a list. */
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
