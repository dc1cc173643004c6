/** Minutes by urgency: how often an open question notifies again, and when agents stop waiting. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { PolicyView } from '../../src/protocol/workspace/forms.ts';
import { hintFor, numberInput } from '../shared/fields.ts';
import type { FormPage, Missing } from '../shared/formPage.ts';
import { t, tn } from '../shared/strings.ts';

type Reminders = PolicyView['reminders'];
/** Minutes as entered; empty: no reminders. */
export type RemindersDraft = Readonly<Record<keyof Reminders, string>>;

const order = ['critical', 'high', 'medium', 'low'] as const satisfies readonly (keyof Reminders)[];
const mostMinutes = 1_440;

function each<T>(of: (urgency: keyof Reminders) => T): Record<keyof Reminders, T> {
  return { critical: of('critical'), high: of('high'), medium: of('medium'), low: of('low') };
}

export function remindersShown(reminders: Reminders): RemindersDraft {
  return each((urgency) => (reminders[urgency] === 0 ? '' : String(reminders[urgency])));
}

/** Undefined if one of them is not a whole number in range. */
export function remindersOf(draft: RemindersDraft): Reminders | undefined {
  const { critical, high, medium, low } = each((urgency) => minutesOf(draft[urgency]));
  if (critical === undefined || high === undefined || medium === undefined || low === undefined) return undefined;
  return { critical, high, medium, low };
}

function minutesOf(written: string): number | undefined {
  const text = written.trim();
  if (text === '') return 0;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  return value <= mostMinutes ? value : undefined;
}

export function sameReminders(one: Reminders | undefined, other: Reminders): boolean {
  return order.every((urgency) => one?.[urgency] === other[urgency]);
}

export function missingReminders(kind: Kind, draft: RemindersDraft): Missing | undefined {
  const wrong = order.find((urgency) => minutesOf(draft[urgency]) === undefined);
  return wrong === undefined ? undefined : { field: fieldOf(kind, wrong), text: t('policy.remindersWrong') };
}

type Kind = 'remind' | 'park';

function fieldOf(kind: Kind, urgency: keyof Reminders): string {
  return `${kind}-${urgency}`;
}

export function reminderWords(reminders: Reminders): string {
  const words = (urgency: keyof Reminders) => {
    const n = reminders[urgency];
    const time = n === 0 ? t('policy.never') : t('time.minutes', { n });
    return t('policy.reminder', { urgency: t(`urgency.${urgency}`), time });
  };
  return order.map(words).join(', ');
}

interface Editing {
  readonly disabled: boolean;
  readonly edit: (draft: RemindersDraft) => void;
}

export function reminderFields(page: FormPage, draft: RemindersDraft, editing: Editing): TemplateResult {
  return minuteFields(page, draft, {
    ...editing,
    ...{ kind: 'remind', hintId: 'reminders-hint', legend: t('policy.reminders'), hint: t('policy.remindersHint') },
  });
}

export function parkingFields(page: FormPage, draft: RemindersDraft, editing: Editing): TemplateResult {
  return minuteFields(page, draft, {
    ...editing,
    ...{ kind: 'park', hintId: 'parking-hint', legend: t('policy.parking'), hint: t('policy.parkingHint') },
  });
}

interface Minutes extends Editing {
  readonly kind: Kind;
  readonly hintId: string;
  readonly legend: string;
  readonly hint: string;
}

function minuteFields(page: FormPage, draft: RemindersDraft, options: Minutes): TemplateResult {
  const { kind, hintId, legend, hint, disabled, edit } = options;
  return html`<fieldset class="reminders" ?disabled=${disabled}>
    <legend class="field-label">${legend}</legend>
    ${order.map((urgency) => {
      const name = fieldOf(kind, urgency);
      const value = draft[urgency];
      return html`<div class="reminder">
          <label for=${name}>${t(`urgency.${urgency}`)}</label>
          ${numberInput(page, {
            ...{ name, value, disabled, hint: hintId },
            edit: (minutes) => edit({ ...draft, [urgency]: minutes }),
          })}
          <span id="${name}-unit">${tn('policy.minutes', minutesOf(value) ?? 0)}</span>
        </div>
        ${hintFor(page, name)}`;
    })}
    <p class="quiet small" id=${hintId}>${hint}</p>
  </fieldset>`;
}
