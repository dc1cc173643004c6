/** Times by urgency: how long a question waits, how often it notifies again, and when agents stop waiting. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { urgencyWords } from '../shared/elements.ts';
import { hintFor, numberInput } from '../shared/fields.ts';
import type { FormPage, Missing } from '../shared/signing.ts';
import { t, tn } from '../shared/strings.ts';

type Reminders = PolicyView['reminders'];
/** As entered; empty: never. */
export type RemindersDraft = Readonly<Record<keyof Reminders, string>>;

const order = ['critical', 'high', 'medium', 'low'] as const satisfies readonly (keyof Reminders)[];

type Kind = 'wait' | 'remind' | 'park';

/** A question waits an hour at least, a year at most; minutes go up to a day, and 0 is never. */
const kinds = {
  wait: {
    least: 1,
    most: 8_760,
    legend: t('A question waits for'),
    hint: t('From 1 hour to a year (8,760). Applies to new questions.'),
    wrong: t('Enter a whole number of hours from 1 to 8,760.'),
    unit: (n: number) => tn(n, 'hour', 'hours'),
  },
  remind: {
    least: 0,
    most: 1_440,
    legend: t('Remind me of open questions every'),
    hint: t('Leave a field empty for no reminders. None appear while the list of questions is in view.'),
    wrong: t('Enter a whole number of minutes up to 1,440 (a day), or leave it empty.'),
    unit: (n: number) => tn(n, 'minute', 'minutes'),
  },
  park: {
    least: 0,
    most: 1_440,
    legend: t('Agents that pay for waiting park after'),
    hint: t(
      'Claude Code, Codex and opencode pay for their whole context again once its cache has expired. After this time they are asked to leave a resume brief and end their turn. Everything stays held. Leave a field empty to let them wait.',
    ),
    wrong: t('Enter a whole number of minutes up to 1,440 (a day), or leave it empty.'),
    unit: (n: number) => tn(n, 'minute', 'minutes'),
  },
} as const;

function each<T>(of: (urgency: keyof Reminders) => T): Record<keyof Reminders, T> {
  return { critical: of('critical'), high: of('high'), medium: of('medium'), low: of('low') };
}

export function remindersShown(reminders: Reminders): RemindersDraft {
  return each((urgency) => (reminders[urgency] === 0 ? '' : String(reminders[urgency])));
}

/** Undefined if one of them is not a whole number in range. */
export function remindersOf(draft: RemindersDraft, kind: Kind = 'remind'): Reminders | undefined {
  const { critical, high, medium, low } = each((urgency) => numberOf(draft[urgency], kind));
  if (critical === undefined || high === undefined || medium === undefined || low === undefined) return undefined;
  return { critical, high, medium, low };
}

function numberOf(written: string, kind: Kind): number | undefined {
  const { least, most } = kinds[kind];
  const text = written.trim();
  const value = /^\d{0,4}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
}

export function sameReminders(one: Reminders | undefined, other: Reminders): boolean {
  return order.every((urgency) => one?.[urgency] === other[urgency]);
}

export function missingReminders(kind: Kind, draft: RemindersDraft): Missing | undefined {
  const wrong = order.find((urgency) => numberOf(draft[urgency], kind) === undefined);
  return wrong === undefined ? undefined : { field: fieldOf(kind, wrong), text: kinds[kind].wrong };
}

function fieldOf(kind: Kind, urgency: keyof Reminders): string {
  return `${kind}-${urgency}`;
}

export function lifeWords(hours: Reminders): string {
  const words = (urgency: keyof Reminders) =>
    t('{urgency}: {time}', { urgency: urgencyWords[urgency], time: t('{n} h', { n: hours[urgency] }) });
  return order.map(words).join(', ');
}

export function reminderWords(reminders: Reminders): string {
  const words = (urgency: keyof Reminders) => {
    const n = reminders[urgency];
    const time = n === 0 ? t('never') : t('{n} min', { n });
    return t('{urgency}: {time}', { urgency: urgencyWords[urgency], time });
  };
  return order.map(words).join(', ');
}

interface Editing {
  readonly disabled: boolean;
  readonly edit: (draft: RemindersDraft) => void;
}

/** One field for each urgency. */
export function timeFields(
  page: FormPage,
  kind: Kind,
  draft: RemindersDraft,
  { disabled, edit }: Editing,
): TemplateResult {
  const { legend, hint, unit } = kinds[kind];
  const hintId = `${kind}-hint`;
  return html`<fieldset class="reminders" ?disabled=${disabled}>
    <legend class="field-label">${legend}</legend>
    ${order.map((urgency) => {
      const name = fieldOf(kind, urgency);
      const value = draft[urgency];
      return html`<div class="reminder">
          <label for=${name}>${urgencyWords[urgency]}</label>
          ${numberInput(page, {
            ...{ name, value, disabled, hint: hintId },
            edit: (entered) => edit({ ...draft, [urgency]: entered }),
          })}
          <span id="${name}-unit">${unit(numberOf(value, kind) ?? 0)}</span>
        </div>
        ${hintFor(page, name)}`;
    })}
    <p class="quiet small" id=${hintId}>${hint}</p>
  </fieldset>`;
}
