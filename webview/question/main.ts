/** The "Answer" view: connects host, state and rendering. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { QuestionMessage } from '../../src/ui/answer/messages.ts';
import type { NothingView, ReviewView } from '../../src/ui/answer/nothing.ts';
import type { Snapshot } from '../../src/ui/answer/form.ts';
import type { UnavailableView } from '../../src/ui/kit/view.ts';
import { appointForm, askForm } from '../forms/ask.ts';
import { enrol, keysForm } from '../forms/keys.ts';
import { bdi } from '../forms/kit.ts';
import { parseSaved, type Saved } from '../forms/page.ts';
import { policyForm } from '../forms/policy.ts';
import { recovery } from '../forms/recovery.ts';
import { requestForm } from '../forms/request.ts';
import { leaveForm, shareForm } from '../forms/team.ts';
import { releaseAllForm, workForm } from '../forms/workspace.ts';
import { answerKeys } from '../shared/deciding.ts';
import { button, byHuman, icon, link, visible, visibleText } from '../shared/elements.ts';
import { t, tn } from '../shared/strings.ts';
import { startSurface, unavailable } from '../shared/surface.ts';
import { timeSince, timeTag } from '../shared/time.ts';
import { offeredOptions } from './acts.ts';
import { onKey } from './answerForm.ts';
import { twoColumns } from './context.ts';
import { createPage, type Page } from './page.ts';
import { questionForm } from './questionForm.ts';
import { nextButton, undoOffer } from './result.ts';
import { createSeen } from './seen.ts';
import { assumptionsForm, togetherForm } from './together.ts';
import '../shared/form.css';
import '../forms/forms.css';
import './question.css';
import './queue.css';

// Moves focus to a place or a field, never to a button that decides.

/** Initial focus: what leads to the tab, the first choice, the text box, or the next control of the form. */
const starts = [
  '[data-act="open-to-answer"]',
  '[data-focus="wait-critical"]:not(:disabled)',
  'fieldset[data-focus="choices"]:not(:disabled) input:checked',
  'fieldset[data-focus="choices"]:not(:disabled) input',
  'textarea[data-focus="text"]:not(:disabled)',
  'select[data-focus="origin"]:not(:disabled)',
  'select[data-focus="target"]:not(:disabled)',
  '[data-focus="confirm"]',
  '[data-focus="result"]',
  '[data-focus="form"][tabindex]',
];

function grantFocus(root: HTMLElement, place: string): void {
  const target = place === 'form' ? firstMatch(root, starts) : firstMatch(root, [...selectorsOf(place), ...starts]);
  if (!target) return;
  // A newly opened form is read from the top, so it is not scrolled to the focused field.
  target.focus({ preventScroll: place === 'form' || place === 'question' });
  // Shows the error together with the focused field.
  if (place !== 'form') root.querySelector('.hint, .notice-error')?.scrollIntoView({ block: 'nearest' });
}

function selectorsOf(place: string): string[] {
  // Opening the next item decides nothing, so focus may go to its button.
  if (place === 'result') return ['[data-act="next"]', '[data-focus="result"]'];
  if (place === 'choices') return ['[data-focus="choices"] input'];
  return [`[data-focus="${place}"]`];
}

function firstMatch(root: HTMLElement, selectors: readonly string[]): HTMLElement | undefined {
  for (const selector of selectors) {
    const found = root.querySelector<HTMLElement>(selector);
    if (found) return found;
  }
  return undefined;
}

// The sections of the 'Holdpoint settings' tab.

const titles = {
  policy: t('Rules'),
  keys: t('You and your devices'),
  appoint: t('Stewards and humans'),
  ask: t('New request'),
} as const satisfies Record<NonNullable<Snapshot['sections']>[number]['name'], string>;

function sections(page: Page, { sections: all }: Snapshot): TemplateResult | typeof nothing {
  if (!all) return nothing;
  return html`<nav class="sections" aria-label=${t('Settings')}>
    ${all.map(
      ({ name, key, current }) =>
        html`<button
          type="button"
          class="link"
          data-act="section-${name}"
          aria-current=${current ? 'page' : nothing}
          @click=${byHuman(() => page.dispatch({ type: 'select', key }))}
        >
          ${titles[name]}
        </button>`,
    )}
  </nav>`;
}

// The view without a question to answer.

function nothingWaits(page: Page, view: NothingView): TemplateResult {
  const { left, rfcs, proposals } = view;
  return html`<article class="plain" data-focus="form" tabindex="-1">
    <h1 class="iconed plain-title">
      ${
        left.length > 0
          ? tn(left.length + rfcs.length + proposals.length, '{n} item is still waiting', '{n} items are still waiting')
          : html`${icon('pass', 'calm')}${rfcs.length + proposals.length === 0 ? t('Nothing is waiting for you') : t('No question is waiting for you')}`
      }
    </h1>
    ${left.length === 0 ? nothing : html`${otherItems(page, left, (id) => t('Show {id}', { id }))} ${againButton(page)}`}
    ${rfcs.length === 0 ? nothing : otherItems(page, rfcs, (id) => t('Review {id}', { id }))}
    ${proposals.length === 0 ? nothing : otherItems(page, proposals, (id) => t('Show {id}', { id }))}
    ${
      view.agents.length === 0
        ? html`<p class="quiet">${t('No agent is working. When one stops to ask, its question appears here.')}</p>`
        : html`<h2 class="plain-head">${t('Working now')}</h2>
            <ul class="agents">
              ${view.agents.map(
                (one) =>
                  html`<li>
                    <bdi class="agent-what">${visible(one.what)}</bdi>
                    <span class="quiet">${bdi(one.agent)} · ${timeTag(one.since, timeSince(one.since))}</span>
                  </li>`,
              )}
            </ul>`
    }
  </article>`;
}

/** An RFC has a tab of its own. */
function reviewed(page: Page, { key, id, title, next }: ReviewView): TemplateResult {
  const open = () => {
    page.dispatch({ type: 'select', key });
  };
  return html`<article class="plain" data-focus="form" tabindex="-1">
    <h1 class="iconed plain-title">${icon('comment-discussion')}<bdi>${visible(title)}</bdi></h1>
    <p class="quiet">${t('An RFC is reviewed in its own tab.')}</p>
    <div class="actions">
      ${button(t('Review {id}', { id: visibleText(id) }), open, { wide: true, primary: true, act: 'review' })}
    </div>
    ${next ? nextButton(page, next, true) : nothing}
  </article>`;
}

/** From the first one that is left. */
function againButton(page: Page): TemplateResult {
  return html`<div class="actions">
    ${button(t('Go through them'), () => page.dispatch({ type: 'go', to: 'next' }), { primary: true, act: 'again' })}
  </div>`;
}

/** Pending items: a click opens the form that decides them. */
function otherItems(page: Page, waiting: NothingView['rfcs'], open: (id: string) => string): TemplateResult {
  return html`<ul class="agents">
    ${waiting.map(
      ({ key, id, title }) =>
        html`<li>
          <bdi class="agent-what">${visible(title)}</bdi>
          ${link(open(visibleText(id)), () => page.dispatch({ type: 'select', key }), { act: 'review' })}
        </li>`,
    )}
  </ul>`;
}

// The bar above each item of the queue: its progress, and the last decision while it can be undone.

function queueBar(page: Page): TemplateResult | typeof nothing {
  const [run, latest] = [page.run(), page.held().at(-1)];
  if (!run) {
    // Below a decision that is displayed, its form says so.
    if (!latest || page.heldHere()) return nothing;
    return html`<section class="queue-bar" aria-label=${t('Undo')}>
      <div class="queue-line queue-held">${undoOffer(page, latest)}</div>
    </section>`;
  }
  const { index, of, done } = run;
  const progress = t('{n} of {of} done', { n: done, of });
  return html`<section class="queue-bar" aria-label=${t('Answer one after another')}>
    <div class="queue-line">
      <strong>${index === undefined ? progress : t('{index} of {of}', { index, of })}</strong>
      <progress max=${of} .value=${done} aria-label=${progress}></progress>
      ${link(t('Back (K)'), () => page.dispatch({ type: 'go', to: 'back' }), { act: 'queue-back' })}
      ${index === undefined ? nothing : link(t('Skip (J)'), () => page.dispatch({ type: 'go', to: 'next' }), { act: 'queue-next' })}
    </div>
    <div class="queue-line queue-held">
      ${latest ? undoOffer(page, latest) : html`<span class="cut quiet">${keysOf(page)}</span>`}
    </div>
  </section>`;
}

function keysOf(page: Page): string {
  const view = page.snapshot()?.view;
  if (view?.type === 'nothing') return '';
  const picks = view?.type === 'question' && offeredOptions(view).length > 0;
  return picks
    ? t('1–9 pick · {key} sends', { key: answerKeys })
    : t('{key} sends · Tab reaches “Skip” and “Back”', { key: answerKeys });
}

function viewOf(page: Page, { view }: Snapshot): TemplateResult {
  switch (view.type) {
    case 'question':
      return questionForm(page, view);
    case 'nothing':
      return nothingWaits(page, view);
    case 'review':
      return reviewed(page, view);
    case 'policy':
      return policyForm(page, view);
    case 'assumptions':
      return assumptionsForm(page, view);
    case 'together':
      return togetherForm(page, view);
    case 'releaseAll':
      return releaseAllForm(page, view);
    case 'work':
      return workForm(page, view);
    case 'request':
      return requestForm(page, view);
    case 'ask':
      return askForm(page, view);
    case 'appoint':
      return appointForm(page, view);
    case 'recovery':
      return recovery(page, view);
    case 'keys':
      return keysForm(page, view);
    case 'share':
      return shareForm(page, view);
    case 'leave':
      return leaveForm(page, view);
    case 'enrol':
      return enrol(page, view);
    case 'unavailable':
      return unavailable(page, view, recoveryOptions(page, view));
  }
}

/** For a store that a newer version wrote, or a program that poses as one. */
function recoveryOptions(page: Page, { recovery: key }: UnavailableView): TemplateResult | typeof nothing {
  if (key === undefined) return nothing;
  return html`<p class="quiet">
      ${t('No newer version to install? Then another program has written this, and you can go back to what this editor knows.')}
    </p>
    ${link(t('Show recovery options'), () => page.dispatch({ type: 'select', key }), { act: 'recovery-options' })}`;
}

/** Below everything, so that no agent pushes the form away. */
function ignoredNote(page: Page, { ignored: count }: Snapshot): TemplateResult | typeof nothing {
  if (count === undefined) return nothing;
  return html`<p class="ignored quiet small">
    ${tn(count, '{n} record was ignored: no key that is trusted here signed it.', '{n} records were ignored: no key that is trusted here signed them.')}
    ${link(t('Open the audit'), () => page.dispatch({ type: 'openAudit' }), { act: 'open-audit' })}
  </p>`;
}

function keyOf({ view }: Snapshot): string {
  return 'key' in view ? view.key : view.type;
}

/** The item rendered last: a different one starts scrolled to its top. */
let shownKey = '';

const page = startSurface<Snapshot, QuestionMessage, Saved, Page>({
  label: t('Answer'),
  parse: parseSaved,
  create: (options) => {
    twoColumns().addEventListener('change', options.changed);
    return createPage({ ...options, watch: createSeen });
  },
  before: (snapshot) => {
    document.body.classList.toggle('tab', snapshot.tab === true);
    document.body.classList.toggle('queue', snapshot.queue?.run !== undefined);
    if (keyOf(snapshot) !== shownKey) window.scrollTo(0, 0);
    shownKey = keyOf(snapshot);
  },
  content: (opened, snapshot) =>
    html`${sections(opened, snapshot)} ${queueBar(opened)} ${keyed(keyOf(snapshot), viewOf(opened, snapshot))}
    ${ignoredNote(opened, snapshot)}`,
  drawn: (opened) => {
    opened.drawn();
  },
  lost: 'form',
  focus: grantFocus,
});
document.addEventListener('keydown', (event) => {
  onKey(page, event);
});
page.dispatch({ type: 'ready' });
