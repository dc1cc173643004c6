/** One question, top to bottom: headline, the question, why and what, the form or how it ended, the small print. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link, notice } from '../shared/buttons.ts';
import type { QuestionForm } from '../../src/protocol/question/question.ts';
import { t, th } from '../shared/strings.ts';
import { timeTag, until } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import { answerForm } from './answerForm.ts';
import { choices } from './choices.ts';
import { context, history } from './context.ts';
import { headline } from './headline.ts';
import { markdown } from '../shared/markdownSlot.ts';
import type { Page } from './page.ts';
import { result } from './result.ts';

export function questionForm(page: Page, view: QuestionForm): TemplateResult {
  return html`<article class="question">
    ${headline(view)}
    <div class="question-text ${view.text.length > 240 ? 'question-long' : ''}">
      ${markdown(page, view.key, 'text', view.text)}
    </div>
    ${context(page, view)} ${end(page, view)} ${history(page, view)} ${foot(page, view)}
  </article>`;
}

function end(page: Page, view: QuestionForm): TemplateResult {
  const { resolution, locked } = view;
  if (resolution.type !== 'pending') return html`${result(page, view, resolution)} ${readOnly(view)}`;
  if (locked === undefined) return answerForm(page, view);
  return html`${choices(page, view, page.draftOf(view), true)} ${readOnly(view)}`;
}

function readOnly({ locked }: QuestionForm): TemplateResult | typeof nothing {
  if (locked === undefined) return nothing;
  return notice('info', 'lock', html`<strong>${t('answer.locked')}.</strong> ${visible(locked)}`);
}

/** Q-12 · expires in 22 h · answering as Ada · copy link */
function foot(page: Page, view: QuestionForm): TemplateResult {
  const pending = view.resolution.type === 'pending';
  const rest = view.expiresAt === undefined ? undefined : until(view.expiresAt);
  return html`<footer class="foot">
    <span>${visible(view.id)}</span>
    ${
      pending && view.expiresAt !== undefined
        ? html`<span
            >${
              rest === undefined ? t('foot.expiring') : th('foot.expires', { time: timeTag(view.expiresAt, rest) })
            }</span
          >`
        : nothing
    }
    ${
      pending && !view.answersAs.editable && view.locked === undefined
        ? html`<span>${th('foot.as', { name: html`<bdi>${visible(view.answersAs.name)}</bdi>` })}</span>`
        : nothing
    }
    ${link(page.copied() === 'link' ? t('foot.copied') : t('foot.copyLink'), () => page.copyLink(), { kind: 'quiet-link', act: 'copy-link' })}
  </footer>`;
}
