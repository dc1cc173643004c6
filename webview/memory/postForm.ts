/** The form for a new event, above the existing ones. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button } from '../shared/buttons.ts';
import type { BriefingView } from '../../src/ui/briefing/model.ts';
import { answerKeys, onFormKey, refusal, waiting } from '../shared/deciding.ts';
import { nameField, textBox } from '../shared/fields.ts';
import { t } from '../shared/strings.ts';
import { postIn, postPlace } from './page.ts';
import type { Page } from './page.ts';
import { types, priorityWords, typeWords } from './eventTypes.ts';
import { priorities } from './saved.ts';
import type { PostDraft } from './saved.ts';

export function postForm(page: Page, view: BriefingView, draft: PostDraft): TemplateResult {
  const form = page.at(view.key);
  const busy = form.flight() !== undefined;
  const max = page.snapshot()?.limits.text ?? 0;
  return html`<form
    class="form post"
    aria-busy=${busy ? 'true' : 'false'}
    data-focus=${postIn(view.key)}
    tabindex="-1"
    @submit=${(submit: Event) => {
      submit.preventDefault();
    }}
    @keydown=${onFormKey(form, page.sendPost)}
  >
    <h2>${t('Post to project memory')}</h2>
    ${kinds(page, draft, busy)}
    <div class="post-field">
      ${textBox(form, {
        name: `${postPlace}.text`,
        label: t('What should others know?'),
        value: draft.text,
        max,
        disabled: busy,
        edit: (text) => page.editPost({ text }),
      })}
    </div>
    <div class="post-field">
      ${textBox(form, {
        name: `${postPlace}.scopes`,
        label: t('About'),
        value: draft.scopes,
        max: Infinity,
        disabled: busy,
        edit: (scopes) => page.editPost({ scopes }),
      })}
      <p class="quiet small">${t('Files or folders, one per line. Empty: the whole project.')}</p>
    </div>
    ${view.answersAs.editable ? nameField(form, view.answersAs, busy) : nothing} ${refusal(form)}
    ${
      busy
        ? waiting(form)
        : html`<div class="actions">
            ${button(t('Record'), page.sendPost, { wide: true, primary: true, title: `${t('Record')} (${answerKeys})`, act: 'post' })}
            ${button(t('Close'), () => form.back(), { act: 'back' })}
          </div>`
    }
  </form>`;
}

/** The event's type and priority. */
function kinds(page: Page, draft: PostDraft, busy: boolean): TemplateResult {
  return html`<div class="post-kinds">
    ${oneOf({
      ...{ name: 'post.type', label: t('Type'), picked: draft.type, disabled: busy },
      options: types.map((value) => ({ value, text: typeWords[value] })),
      pick: (type) => page.editPost({ type }),
    })}
    ${oneOf({
      ...{ name: 'post.priority', label: t('Priority'), picked: draft.priority, disabled: busy },
      options: priorities.map((value) => ({ value, text: priorityWords[value] })),
      pick: (priority) => page.editPost({ priority }),
    })}
  </div>`;
}

interface OneOf<Value extends string> {
  readonly name: string;
  readonly label: string;
  readonly picked: Value;
  readonly disabled: boolean;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly pick: (value: Value) => void;
}

function oneOf<Value extends string>({ name, label, picked, disabled, options, pick }: OneOf<Value>): TemplateResult {
  return html`<div class="post-field">
    <label class="field-label" for=${name}>${label}</label>
    <select
      id=${name}
      class="select"
      ?disabled=${disabled}
      @change=${(change: Event) => {
        const one = options.find(({ value }) => value === (change.currentTarget as HTMLSelectElement).value);
        if (one) pick(one.value);
      }}
    >
      ${options.map(({ value, text }) => html`<option value=${value} ?selected=${picked === value}>${text}</option>`)}
    </select>
  </div>`;
}
