/**
 * Times in words, with the exact time in the tooltip. They follow the host's clock, which may run on another machine, so
 * every snapshot brings its `now` and the difference is kept.
 */
import { html, type TemplateResult } from 'lit';
import { locale, t } from './strings.ts';

let ahead = 0;

/** Called with every snapshot. */
export function setClock(hostNow: string): void {
  ahead = Date.parse(hostNow) - Date.now();
}

function now(): number {
  return Date.now() + ahead;
}

const units = [
  { words: (n: number) => t('{n} days', { n }), ms: 86_400_000, from: 2 * 86_400_000 },
  { words: (n: number) => t('{n} h', { n }), ms: 3_600_000, from: 3_600_000 },
  { words: (n: number) => t('{n} min', { n }), ms: 60_000, from: 60_000 },
  { words: (n: number) => t('{n} s', { n }), ms: 1_000, from: 1_000 },
] as const;

/** 1 s, 2 min, 22 h, 3 days: one unit, rounded down, never less than a second. */
export function duration(ms: number): string {
  const size = Math.max(ms, 1_000);
  const unit = units.find((one) => size >= one.from) ?? units[3];
  return unit.words(Math.floor(size / unit.ms));
}

/** Whether it was at most so long ago. Milliseconds. */
export function isWithin(iso: string, ms: number): boolean {
  return now() - Date.parse(iso) < ms;
}

/** Time since then; under a minute is "just now". */
export function ago(iso: string): string {
  const past = now() - Date.parse(iso);
  return past < 60_000 ? t('just now') : t('{time} ago', { time: duration(past) });
}

/** Duration so far: waiting 2 min. Under a minute it is "less than a minute". */
export function timeSince(iso: string): string {
  const past = now() - Date.parse(iso);
  return past < 60_000 ? t('under a minute') : duration(past);
}

/** Time until then; undefined if it has passed. */
export function timeUntil(iso: string): string | undefined {
  const rest = Date.parse(iso) - now();
  if (rest <= 0) return undefined;
  return rest < 60_000 ? t('under a minute') : duration(rest);
}

export function millisecondsUntil(iso: string): number {
  return Date.parse(iso) - now();
}

/** Between two times. */
export function timeBetween(from: string, to: string): string {
  return duration(Date.parse(to) - Date.parse(from));
}

function exactTime(iso: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeStyle: 'long' }).format(new Date(iso));
}

/** 12:04, with the date unless it is today. */
export function clockTime(iso: string): string {
  const time = new Date(iso);
  const isToday = new Date(now()).toDateString() === time.toDateString();
  return new Intl.DateTimeFormat(
    locale(),
    isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  ).format(time);
}

export function timeTag(iso: string, words: string): TemplateResult {
  return html`<time datetime=${iso} title=${exactTime(iso)}>${words}</time>`;
}

/** How long ago it was. */
export function agoTag(iso: string): TemplateResult {
  return timeTag(iso, ago(iso));
}

/** How long it has lasted. */
export function sinceTag(iso: string): TemplateResult {
  return timeTag(iso, timeSince(iso));
}
