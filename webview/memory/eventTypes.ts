/** The types of events, in reading order, with their icons. */
import type { BriefingMessage } from '../../src/ui/briefing/messages.ts';
import type { IconName } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';

export const typeWords = {
  warning: t('warning'),
  decision: t('decision'),
  mutation: t('change'),
  discovery: t('discovery'),
  outcome: t('outcome'),
};

export const priorityWords = {
  critical: t('critical'),
  high: t('high'),
  normal: t('normal'),
  low: t('low'),
};

export type EventType = Extract<BriefingMessage, { type: 'post' }>['event'];

export const eventIcons = {
  warning: 'warning',
  decision: 'law',
  mutation: 'edit',
  discovery: 'lightbulb',
  outcome: 'pass',
} as const satisfies Record<EventType, IconName>;

export const types = Object.keys(eventIcons) as EventType[];
