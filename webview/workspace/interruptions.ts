/** When questions notify a human: by urgency and agent, with a digest and a limit. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { urgencyWords } from '../shared/elements.ts';
import { hintFor, linesOf, numberInput } from '../shared/fields.ts';
import type { FormPage, Missing } from '../shared/signing.ts';
import { t, tn } from '../shared/strings.ts';
import { linesField } from './linesField.ts';

const howWords = {
  now: t('immediately'),
  digest: t('in a digest'),
  silent: t('only in the list'),
};

type Interruptions = PolicyView['interruptions'];
type Urgency = keyof Interruptions['urgencies'];
type How = Interruptions['urgencies'][Urgency];

/** As entered. */
export interface InterruptionsDraft {
  readonly urgencies: Interruptions['urgencies'];
  readonly digest: string;
  /** Empty: no limit. */
  readonly perHour: string;
  /** One per line. */
  readonly agents: string;
}

const order = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Urgency[];
const ways = ['now', 'digest', 'silent'] as const satisfies readonly How[];
const mostMinutes = 1_440;
const mostPerHour = 1_000;
const mostAgents = 50;

export function interruptionsShown({ urgencies, digestMinutes, perHour, agents }: Interruptions): InterruptionsDraft {
  return {
    urgencies,
    digest: String(digestMinutes),
    perHour: perHour === 0 ? '' : String(perHour),
    agents: agents.join('\n'),
  };
}

/** Undefined if a number is not whole or not in range. */
export function interruptionsOf(draft: InterruptionsDraft): Interruptions | undefined {
  const digestMinutes = minutesOf(draft);
  const perHour = perHourOf(draft);
  if (digestMinutes === undefined || perHour === undefined) return undefined;
  return { urgencies: draft.urgencies, digestMinutes, perHour, agents: linesOf(draft.agents) };
}

function minutesOf({ digest }: InterruptionsDraft): number | undefined {
  const value = wholeNumber(digest);
  return value >= 1 && value <= mostMinutes ? value : undefined;
}

function perHourOf({ perHour }: InterruptionsDraft): number | undefined {
  const value = perHour.trim() === '' ? 0 : wholeNumber(perHour);
  return value <= mostPerHour ? value : undefined;
}

function wholeNumber(text: string): number {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : NaN;
}

export function missingInterruptions(draft: InterruptionsDraft): Missing | undefined {
  if (minutesOf(draft) === undefined)
    return { field: 'digest', text: t('Enter a whole number of minutes from 1 to 1,440 (a day).') };
  if (perHourOf(draft) === undefined)
    return { field: 'perHour', text: t('Enter a whole number up to 1,000, or leave it empty.') };
  const n = linesOf(draft.agents).length;
  return n > mostAgents
    ? { field: 'agents', text: t('{n} lines; the limit is {max}.', { n, max: mostAgents }) }
    : undefined;
}

type Change = 'interruptions' | 'digest' | 'perHour' | 'agents';

/** What differs from the form as it was shown. */
export function interruptionsChanges(draft: InterruptionsDraft, shown: Interruptions): Change[] {
  const [was, becomes] = [interruptionsWords(shown), interruptionsWords(interruptionsOf(draft))];
  return (['interruptions', 'digest', 'perHour', 'agents'] as const).filter((one) => was[one] !== becomes[one]);
}

export function interruptionsWords(all: Interruptions | undefined): Readonly<Record<Change, string>> {
  if (!all) return { interruptions: '', digest: '', perHour: '', agents: '' };
  const { urgencies, digestMinutes, perHour, agents } = all;
  const words = order.map((urgency) =>
    t('{urgency}: {time}', { urgency: urgencyWords[urgency], time: howWords[urgencies[urgency]] }),
  );
  return {
    interruptions: words.join(', '),
    digest: t('{n} min', { n: digestMinutes }),
    perHour: perHour === 0 ? t('no limit') : String(perHour),
    agents: agents.length === 0 ? t('none') : agents.join('; '),
  };
}

interface Editing {
  readonly disabled: boolean;
  readonly edit: (draft: InterruptionsDraft) => void;
}

export function interruptionFields(page: FormPage, draft: InterruptionsDraft, editing: Editing): TemplateResult {
  const { disabled, edit } = editing;
  return html`<fieldset class="reminders ways" ?disabled=${disabled}>
      <legend class="field-label">${t('New questions notify me')}</legend>
      ${order.map((urgency) => howField(urgency, draft, editing))}
      <p class="quiet small" id="interruptions-hint">
        ${t('A digest is one notification for everything since the last digest. This changes notifications and reminders only: whatever you choose, questions hold their work, and the list shows them.')}
      </p>
    </fieldset>
    <div class="policy-field">
      <label class="field-label" for="digest">${t('A digest comes at most every')}</label>
      <p class="hours">
        ${numberInput(page, { name: 'digest', value: draft.digest, disabled, hint: 'interruptions-hint', edit: (digest) => edit({ ...draft, digest }) })}
        <span id="digest-unit">${tn(minutesOf(draft) ?? 0, 'minute', 'minutes')}</span>
      </p>
      ${hintFor(page, 'digest')}
    </div>
    <div class="policy-field">
      <label class="field-label" for="perHour">${t('Maximum notifications per agent per hour')}</label>
      <p class="hours">
        ${numberInput(page, { name: 'perHour', value: draft.perHour, disabled, edit: (perHour) => edit({ ...draft, perHour }) })}
        <span id="perHour-unit"></span>
      </p>
      ${hintFor(page, 'perHour')}
      <p class="quiet small" id="perHour-hint">
        ${t('Any further questions wait for the digest, except critical ones. Leave empty for no limit.')}
      </p>
    </div>
    ${agentsField(page, draft, editing)}`;
}

function howField(urgency: Urgency, draft: InterruptionsDraft, { disabled, edit }: Editing): TemplateResult {
  const name = `how-${urgency}`;
  const picked = draft.urgencies[urgency];
  return html`<div class="reminder">
    <label for=${name}>${urgencyWords[urgency]}</label>
    <select
      id=${name}
      class="text heir"
      data-focus=${name}
      ?disabled=${disabled}
      @change=${(event: Event) => {
        const { value } = event.target as HTMLSelectElement;
        const how = ways.find((one) => one === value) ?? 'now';
        edit({ ...draft, urgencies: { ...draft.urgencies, [urgency]: how } });
      }}
    >
      ${ways.map((one) => html`<option value=${one} .selected=${live(one === picked)}>${howWords[one]}</option>`)}
    </select>
  </div>`;
}

function agentsField(page: FormPage, draft: InterruptionsDraft, { disabled, edit }: Editing): TemplateResult {
  return linesField(page, {
    name: 'agents',
    label: t('Exceptions for agents'),
    example: t('for example build-bot low: silent'),
    hint: t(
      'One per line: the agent’s ID (or its type, for all agents of that type), urgencies if not for all, then now, digest or silent. Critical questions only follow a line that names “critical”. The first line that matches is used.',
    ),
    value: draft.agents,
    disabled,
    edit: (agents) => {
      edit({ ...draft, agents });
    },
  });
}
