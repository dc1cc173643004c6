/** The form for a new event, above what is there. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button } from '../shared/buttons.ts';
import type { BriefingView } from '../../src/protocol/memory/briefing.ts';
import { answerKeys, onFormKey, refusal, waiting } from '../shared/deciding.ts';
import { nameField, textBox } from '../shared/fields.ts';
import { t } from '../shared/strings.ts';
import { postPlace } from './page.ts';
import type { Page } from './page.ts';
import { priorities, types } from './saved.ts';
import type { PostDraft } from './saved.ts';

export function postForm(page: Page, view: BriefingView, draft: PostDraft): TemplateResult {
  const form = page.at(view.key);
  const busy = form.flight() !== undefined;
  const max = page.snapshot()?.limits.text ?? 0;
  return html`<form
    class="form post"
    aria-busy=${busy ? 'true' : 'false'}
    data-focus=${postPlace}
    tabindex="-1"
    @submit=${(submit: Event) => {
      submit.preventDefault();
    }}
    @keydown=${onFormKey(form, page.sendPost)}
  >
    <h2>${t('post.title')}</h2>
    <div class="post-kinds">
      <div class="post-field">
        <label class="field-label" for="post.type">${t('post.type')}</label>
        <select
          id="post.type"
          class="select"
          ?disabled=${busy}
          @change=${(change: Event) => {
            const { value } = change.currentTarget as HTMLSelectElement;
            const type = types.find((one) => one === value);
            if (type) page.editPost({ type });
          }}
        >
          ${types.map((type) => html`<option value=${type} ?selected=${draft.type === type}>${t(`event.type.${type}`)}</option>`)}
        </select>
      </div>
      <div class="post-field">
        <label class="field-label" for="post.priority">${t('post.priority')}</label>
        <select
          id="post.priority"
          class="select"
          ?disabled=${busy}
          @change=${(change: Event) => {
            const { value } = change.currentTarget as HTMLSelectElement;
            const priority = priorities.find((one) => one === value);
            if (priority) page.editPost({ priority });
          }}
        >
          ${priorities.map(
            (priority) =>
              html`<option value=${priority} ?selected=${draft.priority === priority}>
                ${t(`event.priority.${priority}`)}
              </option>`,
          )}
        </select>
      </div>
    </div>
    <div class="post-field">
      ${textBox(form, {
        name: `${postPlace}.text`,
        label: t('post.text'),
        value: draft.text,
        max,
        disabled: busy,
        edit: (text) => page.editPost({ text }),
      })}
    </div>
    <div class="post-field">
      ${textBox(form, {
        name: `${postPlace}.scopes`,
        label: t('post.scopes'),
        value: draft.scopes,
        max: Infinity,
        disabled: busy,
        edit: (scopes) => page.editPost({ scopes }),
      })}
      <p class="quiet small">${t('post.scopesHint')}</p>
    </div>
    ${view.answersAs.editable ? nameField(form, view.answersAs.name, busy) : nothing} ${refusal(form)}
    ${
      busy
        ? waiting(form)
        : html`<div class="actions">
            ${button(t('post.send'), page.sendPost, { wide: true, primary: true, title: `${t('post.send')} (${answerKeys})`, act: 'post' })}
            ${button(t('post.cancel'), () => form.back(), { act: 'back' })}
          </div>`
    }
  </form>`;
}
