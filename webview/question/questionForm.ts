/**
 * One question, in reading order: urgency and agent, the question, what decides it (impact, what waiting costs, background),
 * the choices, the reason, the button, which stays in sight, and then the rest.
 */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, link, notice } from '../shared/buttons.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { browserFirst } from '../shared/inBrowser.ts';
import { markdown } from '../shared/markdownSlot.ts';
import { t, th, tn } from '../shared/strings.ts';
import { timeTag, until } from '../shared/time.ts';
import { peopleLines } from '../shared/people.ts';
import { visible } from '../shared/visible.ts';
import { answerForm } from './answerForm.ts';
import { canAskBack } from './acts.ts';
import { choices } from './choices.ts';
import { background, backgroundAside, context, facts, history } from './context.ts';
import { earlierAnswers } from './earlier.ts';
import { changesLine, heldChanges } from '../shared/heldChanges.ts';
import { headline, kindWords } from './headline.ts';
import { offered } from './offered.ts';
import type { Page } from './page.ts';
import { parked } from './parked.ts';
import { leftOver, result } from './result.ts';
import { thread } from './thread.ts';

export function questionForm(page: Page, view: QuestionForm): TemplateResult {
  const isPending = view.resolution.type === 'pending' || view.resolution.type === 'expired';
  return html`<article class="question">
    ${headline(view)}
    <div class="question-text ${view.text.length > 240 ? 'question-long' : ''}" data-decides="question">
      ${heading(page, view)}
    </div>
    ${changesLine(view)}
    ${isPending ? html`${facts(page, view)} ${backgroundAside(page) ? nothing : background(page, view)}` : nothing}
    ${togetherLink(page, view)} ${thread(page, view)}
    ${peopleLines(
      view.people,
      view.locked === undefined && view.inBrowser === undefined
        ? (what) => {
            if ('choices' in what) page.fillWith(what);
          }
        : undefined,
    )}
    ${earlierAnswers(page, view)} ${end(page, view)} ${heldChanges(page, view)}
    <section class="details" aria-label=${t('Details')}>
      ${isPending ? nothing : facts(page, view)}
      ${isPending && !backgroundAside(page) ? nothing : background(page, view)} ${parked(page, view)}
      ${assumptionsLink(page, view)} ${context(page, view)} ${history(page, view)} ${foot(page, view)}
    </section>
  </article>`;
}

/** Opens the form of all assumptions, if several are pending. */
function assumptionsLink(page: Page, { assumptions }: QuestionForm): TemplateResult | typeof nothing {
  if (!assumptions) return nothing;
  const { key, count } = assumptions;
  return link(
    tn(count, 'Confirm {n} assumption…', 'Confirm all {n} assumptions…'),
    () => page.dispatch({ type: 'select', key }),
    {
      act: 'assumptions',
      kind: 'assumptions-link',
    },
  );
}

/** Opens the form of all questions of this shape, before this one is answered alone. */
function togetherLink(page: Page, { together, resolution }: QuestionForm): TemplateResult | typeof nothing {
  if (!together || resolution.type !== 'pending') return nothing;
  const { key, count } = together;
  return link(
    tn(count, '{n} more like this: answer both…', '{n} more like this: answer together…'),
    () => page.dispatch({ type: 'select', key }),
    {
      act: 'together',
      kind: 'assumptions-link',
    },
  );
}

/** Also the label of the choices. */
function heading(page: Page, view: QuestionForm): HTMLElement {
  const text = markdown(page, view.key, 'text', view.text);
  text.id = 'question';
  text.role = 'heading';
  text.ariaLevel = '1';
  if (page.queue() && offered(view).length > 0) {
    // Initial focus for each new question; one without choices has its text box.
    text.tabIndex = -1;
    text.dataset['focus'] = 'question';
  }
  return text;
}

function end(page: Page, view: QuestionForm): TemplateResult {
  const { resolution, locked } = view;
  if (resolution.type !== 'pending') return html`${result(page, view, resolution)} ${readOnly(view)}`;
  if (view.inBrowser !== undefined && page.draftOf(view).panel !== 'askBack')
    return html`${choices(page, view, page.draftOf(view), true)} ${notHere(page, view, view.inBrowser)}`;
  if (locked === undefined) return answerForm(page, view);
  return html`${choices(page, view, page.draftOf(view), true)}
  ${view.enrol === undefined ? readOnly(view) : enrolFirst(page, locked, view.enrol)}`;
}

/** The browser decides it; here the agent can be asked back. What was written before stays, to copy. */
function notHere(page: Page, view: QuestionForm, why: string): TemplateResult {
  const ask = canAskBack(view)
    ? button(t('Ask the agent…'), () => page.openPanel('askBack'), { act: 'ask-back' })
    : nothing;
  return html`${leftOver(page, view)} ${browserFirst(page, view.key, why, ask)}`;
}

/** This editor cannot sign yet: the question is readable, and a button starts the setup. */
function enrolFirst(page: Page, why: string, key: string): TemplateResult {
  return html`<div class="acts" data-focus="form" tabindex="-1">
    <p class="quiet">${visible(why)}</p>
    <div class="actions">
      ${button(t('Add this editor’s key…'), () => page.dispatch({ type: 'select', key }), { wide: true, primary: true, act: 'use-editor' })}
    </div>
  </div>`;
}

function readOnly({ locked }: QuestionForm): TemplateResult | typeof nothing {
  if (locked === undefined) return nothing;
  return notice('info', 'lock', html`<strong>${t('Read-only')}.</strong> ${visible(locked)}`);
}

/** Q-12 · decision · expires in 22 h · answering as Ada · copy link */
function foot(page: Page, view: QuestionForm): TemplateResult {
  const pending = view.resolution.type === 'pending';
  const signsHere = view.locked === undefined && view.inBrowser === undefined;
  const rest = view.expiresAt === undefined ? undefined : until(view.expiresAt);
  return html`<footer class="foot">
    <span>${visible(view.id)}</span>
    <span>${kindWords[view.kind]}</span>
    ${
      pending && view.expiresAt !== undefined
        ? html`<span
            >${
              rest === undefined
                ? t('about to expire')
                : th('expires in {time}', { time: timeTag(view.expiresAt, rest) })
            }</span
          >`
        : nothing
    }
    ${
      pending && !view.answersAs.editable && signsHere
        ? html`<span>${th('answering as {name}', { name: html`<bdi>${visible(view.answersAs.name)}</bdi>` })}</span>`
        : nothing
    }
    ${
      page.inTab()
        ? nothing
        : link(t('open in editor'), () => page.dispatch({ type: 'openTab', key: view.key }), {
            kind: 'quiet-link',
            act: 'open-tab',
          })
    }
    ${
      pending && !page.inTab() && signsHere
        ? link(t('Answer in the Browser…'), () => page.dispatch({ type: 'openInBrowser', key: view.key }), {
            kind: 'quiet-link',
            act: 'open-in-browser',
          })
        : nothing
    }
    ${link(page.copied() === 'link' ? t('copied') : t('copy link'), () => page.copyLink(), { kind: 'quiet-link', act: 'copy-link' })}
  </footer>`;
}
