/** The types of events, in reading order, with their icons. */
import type { BriefingMessage } from '../../src/protocol/memory/briefing.ts';
import type { IconName } from '../shared/icons.ts';

export type EventType = Extract<BriefingMessage, { type: 'post' }>['event'];

export const eventIcons = {
  warning: 'warning',
  decision: 'law',
  mutation: 'edit',
  discovery: 'lightbulb',
  outcome: 'pass',
} as const satisfies Record<EventType, IconName>;

export const types = Object.keys(eventIcons) as EventType[];
