/** How one person wants to be reminded, for all workspaces of a machine. Kept outside of workspaces (app/waiting). */
import * as z from 'zod';
import { addressee } from '../kit/fields.ts';
import { isThisMachine } from '../kit/quickChecks.ts';
import type { Urgency } from '../kit/words.ts';
import type { ReminderRules } from './reminders.ts';

/** A week at most. */
const minutes = z.int().min(0).max(10_080);
const rule = z.strictObject({ first: minutes.nullable(), every: minutes.default(0) });

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must look like 22:00');
const weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);

const timeZone = z.string().refine(isTimeZone, 'is not a time zone such as Europe/Berlin');

const quietHours = z.strictObject({
  from: clockTime,
  /** On the next day if it is not later than `from`. */
  to: clockTime,
  timeZone,
  /** On which days they begin; default: all. */
  days: z.array(weekday).optional(),
});
type QuietHours = z.infer<typeof quietHours>;

export const channelName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be 1 to 40 of a-z, 0-9 and hyphen');
const webhookFormat = z.enum(['json', 'slack', 'teams']);
export type WebhookFormat = z.infer<typeof webhookFormat>;

const channel = z.discriminatedUnion('type', [
  /** Its address is a secret, so it is kept in another file. */
  z.strictObject({ name: channelName, type: z.literal('webhook'), format: webhookFormat }),
  /** The program and its arguments. What happened is passed in environment variables. */
  z.strictObject({
    name: channelName,
    type: z.literal('command'),
    argv: z
      .array(
        z
          .string()
          .min(1)
          .max(4_096)
          .refine((one) => !one.includes('\0'), 'contains a NUL'),
      )
      .min(1)
      .max(50),
  }),
]);

const everyOccasion = { escalated: true, expiring: true, expired: true, replied: true } as const;

export const reminderSettings = z.strictObject({
  v: z.literal(1),
  rules: z
    .strictObject({ critical: rule.optional(), high: rule.optional(), medium: rule.optional(), low: rule.optional() })
    .default({}),
  /** What notifies besides new questions and reminders. */
  on: z
    .strictObject({ escalated: z.boolean(), expiring: z.boolean(), expired: z.boolean(), replied: z.boolean() })
    .default(everyOccasion),
  quietHours: quietHours.optional(),
  /** ISO 8601 UTC. */
  doNotDisturbUntil: z.iso.datetime().optional(),
  /** Whether critical questions notify in quiet hours all the same. Nothing does while "do not disturb" is on. */
  criticalInQuietHours: z.boolean().default(false),
  /** Only items for this person, for a responsibility of theirs, or for everyone. */
  for: addressee.optional(),
  /** Origin of `holdpoint serve`, for links that open on a phone. */
  page: z.string().refine(isOrigin, 'must be an origin such as https://holdpoint.example').optional(),
  channels: z
    .array(channel)
    .max(20)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'name a channel twice')
    .default([]),
});
export type ReminderSettings = z.infer<typeof reminderSettings>;

const defaults: ReminderRules = {
  critical: { first: 0, every: 5 },
  high: { first: 2, every: 30 },
  medium: { first: 15, every: 0 },
  low: { first: null, every: 0 },
};

export function rulesOf({ rules }: Pick<ReminderSettings, 'rules'>): ReminderRules {
  return {
    critical: rules.critical ?? defaults.critical,
    high: rules.high ?? defaults.high,
    medium: rules.medium ?? defaults.medium,
    low: rules.low ?? defaults.low,
  };
}

/** Whether "do not disturb" is off. @param now ISO 8601 */
export function mayDisturb(settings: ReminderSettings | null, now: string): boolean {
  const { doNotDisturbUntil: until } = settings ?? {};
  return until === undefined || Date.parse(now) >= Date.parse(until);
}

/** Whether a person is to be left alone now. @param now ISO 8601 */
export function isQuiet(settings: ReminderSettings, urgency: Urgency, now: string): boolean {
  const { quietHours: hours, criticalInQuietHours } = settings;
  if (!mayDisturb(settings, now)) return true;
  if (!hours || (urgency === 'critical' && criticalInQuietHours)) return false;
  return isWithin(hours, now);
}

function isWithin({ from, to, timeZone: zone, days = weekday.options }: QuietHours, now: string): boolean {
  const { day, time } = localTime(zone, now);
  const before = weekday.options[(weekday.options.indexOf(day) + 6) % 7] ?? day;
  if (from < to) return days.includes(day) && from <= time && time < to;
  return (days.includes(day) && from <= time) || (days.includes(before) && time < to);
}

function localTime(timeZone: string, now: string): { readonly day: z.infer<typeof weekday>; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(new Date(now));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return { day: weekday.parse(part('weekday').toLowerCase()), time: `${part('hour')}:${part('minute')}` };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Links carry nothing secret, but they have to lead to a page that only this person serves. */
function isOrigin(text: string): boolean {
  const [, scheme, hostname = ''] = /^(https?):\/\/([a-z0-9.-]+)(:\d{1,5})?$/.exec(text) ?? [];
  return scheme === 'https' || (scheme === 'http' && isThisMachine(hostname));
}
