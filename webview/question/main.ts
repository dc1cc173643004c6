/** The "Answer" view: connects host, state and rendering. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { QuestionMessage } from '../../src/ui/answer/messages.ts';
import type { NothingView } from '../../src/ui/answer/nothing.ts';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import type { UnavailableView } from '../../src/ui/kit/view.ts';
import { enrol, keysForm } from '../keys/keys.ts';
import { recovery } from '../recovery/recovery.ts';
import { appointForm } from '../request/appoint.ts';
import { askForm } from '../request/ask.ts';
import { requestForm } from '../request/request.ts';
import {
  answerKeys,
  decideButton,
  done,
  formOf,
  leave,
  locked,
  refusal,
  secondStep,
  waiting,
  wideTitle,
} from '../shared/deciding.ts';
import { button, byHuman, icon, link, visible, visibleText, notice, urgencyMark } from '../shared/elements.ts';
import { t, tn, th } from '../shared/strings.ts';
import { startSurface, unavailable } from '../shared/surface.ts';
import { since, timeTag } from '../shared/time.ts';
import { leaveForm, shareForm } from '../team/team.ts';
import { policyForm } from '../workspace/policy.ts';
import { releaseAllForm, workForm } from '../workspace/workspace.ts';
import { offered, type AssumptionsPage } from './acts.ts';
import { onNumberKey, onQueueKey } from './answerForm.ts';
import { twoColumns } from './context.ts';
import { createPage, type Page } from './page.ts';
import { onEarlierKey, questionForm } from './questionForm.ts';
import { undoOffer } from './result.ts';
import { parseSaved, type Saved } from './saved.ts';
import { createSeen } from './seen.ts';
import { togetherForm } from './together.ts';
import '../shared/form.css';
import '../keys/keys.css';
import '../team/team.css';
import '../recovery/recovery.css';
import '../request/request.css';
import '../workspace/workspace.css';
import './question.css';
import './queue.css';
import { live } from 'lit/directives/live.js';
import type { Assumed, AssumptionsView } from '../../src/ui/answer/assumptions.ts';
import { hintFor, signsAs } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';

// Confirms the assumptions with which agents continue: each with its question, and one act for all ticked ones.

function assumptionsForm(page: AssumptionsPage, view: AssumptionsView): TemplateResult {
  const draft = page.assumptionsDraft(view);
  const busy = page.flight() !== undefined;
  const confirming = page.step() === 'confirm' && !busy;
  const frozen = busy || confirming || view.locked !== undefined;
  const stale = draft !== undefined && draft.shown !== view.shown;
  return html`<article class="plain assumptions">
    ${wideTitle('checklist', t('Confirm assumptions'), view.folder)} ${done(page)}
    <p class="quiet">${about(view)}</p>
    ${formOf(
      page,
      html`${stale ? notice('info', 'history', t('The list has changed since you started. Read it again before you continue.')) : nothing}
        <fieldset class="choices" ?disabled=${frozen} data-focus="ticks" tabindex="-1">
          <legend class="sr-only">${t('Confirm assumptions')}</legend>
          ${view.questions.map((one, index) => row({ page, view, one, index, frozen }))}
        </fieldset>
        ${hintFor(page, 'ticks')}
        ${view.more === 0 ? nothing : html`<p class="quiet">${tn(view.more, '{n} more follows after these.', '{n} more follow after these.')}</p>`}
        ${signsAs(view.answersAs)}
        <div class="acts">
          ${refusal(page)} ${busy ? waiting(page) : confirming ? confirmation(page, view) : actions(page, view)}
        </div>`,
      { act: page.confirmAssumptions },
    )}
  </article>`;
}

function about({ agent }: AssumptionsView): unknown {
  return agent === undefined
    ? t('Agents continue on these assumptions. One signature answers “yes” to each assumption you select.')
    : th('{agent} continues on these assumptions. One signature answers “yes” to each assumption you select.', {
        agent: html`<bdi>${visible(agent)}</bdi>`,
      });
}

interface Row {
  readonly page: AssumptionsPage;
  readonly view: AssumptionsView;
  readonly one: Assumed;
  readonly index: number;
  readonly frozen: boolean;
}

/** Shows the assumption as plain text, not as Markdown, because it is the text to confirm. */
function row({ page, view, one, index, frozen }: Row): TemplateResult {
  const ticked = page.tickedOf(view).includes(one);
  const id = `assumption-${index}`;
  return html`<div class="choice assumed ${ticked ? 'picked' : ''}">
    <input
      type="checkbox"
      id=${id}
      .checked=${live(ticked)}
      aria-labelledby="${id}-text"
      aria-describedby="${id}-answer"
      @click=${byHuman(() => page.tick(one))}
    />
    <div class="choice-body">
      <p class="facts quiet small">
        ${urgencyMark(one.urgency)}
        ${view.agent === undefined ? html`<span><bdi class="ellipsis">${visible(one.agent)}</bdi></span>` : nothing}
        <span>${timeTag(one.raisedAt, since(one.raisedAt))}</span>
        ${link(html`${visible(one.id)}`, () => page.dispatch({ type: 'select', key: one.key }), { act: `open-${one.id}`, label: t('Open {id} to answer it by itself', { id: one.id }), disabled: frozen })}
      </p>
      <div id="${id}-text">${markdown(page, one.key, 'assumed', one.text)}</div>
      <label class="assumed-answer" for=${id} id="${id}-answer" dir="auto"
        ><span class="quiet">${t('Assumes:')}</span> ${visible(one.assumption)}</label
      >
    </div>
  </div>`;
}

function actions(page: AssumptionsPage, view: AssumptionsView): TemplateResult {
  if (view.locked !== undefined) return html`${locked(view.locked)} ${leave(page)}`;
  const ticked = page.tickedOf(view);
  const critical = ticked.some(({ urgency }) => urgency === 'critical');
  return html`<div class="actions">
    ${decideButton(tn(ticked.length, 'Confirm {n} assumption', 'Confirm {n} assumptions'), page.confirmAssumptions, critical)}
    ${leave(page)}
  </div>`;
}

/** Only critical ones need a confirmation; the others are ticked by default. */
function confirmation(page: AssumptionsPage, view: AssumptionsView): TemplateResult {
  const ticked = page.tickedOf(view);
  const critical = ticked.filter(({ urgency }) => urgency === 'critical');
  return secondStep(page, {
    ask: tn(
      critical.length,
      'This is critical. Confirm the assumption?',
      'These are critical. Confirm the assumptions?',
    ),
    content: html`${critical.map(
      (one) =>
        html`${markdown(page, one.key, 'confirm', one.text)}
          <blockquote class="said assumed-answer" dir="auto">${visible(one.answer)}</blockquote>`,
    )}`,
    yes: tn(ticked.length, 'Yes, confirm {n}', 'Yes, confirm all {n}'),
    act: page.confirmAssumptions,
  });
}

// Moves focus to a place or a field, never to a button that decides.

/** Initial focus: the first choice, the text box, or the next control of the form. */
const starts = [
  '[data-focus="wait-critical"]:not(:disabled)',
  'fieldset[data-focus="choices"]:not(:disabled) input:checked',
  'fieldset[data-focus="choices"]:not(:disabled) input',
  'textarea[data-focus="text"]:not(:disabled)',
  'select[data-focus="origin"]:not(:disabled)',
  'select[data-focus="target"]:not(:disabled)',
  '[data-focus="name"]:not([disabled])',
  '[data-focus="confirm"]',
  '[data-focus="result"]',
  '[data-focus="form"][tabindex]',
];

function grantFocus(root: HTMLElement, place: string): void {
  const target = place === 'form' ? first(root, starts) : first(root, [...selectorsOf(place), ...starts]);
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

function first(root: HTMLElement, selectors: readonly string[]): HTMLElement | undefined {
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
    <h1 class="plain-title">
      ${
        left.length > 0
          ? tn(left.length + rfcs.length, '{n} item is still waiting', '{n} items are still waiting')
          : html`${icon('pass', 'calm')}${rfcs.length + proposals.length === 0 ? t('Nothing is waiting for you') : t('No question is waiting for you')}`
      }
    </h1>
    ${left.length === 0 ? nothing : html`${others(page, left, (id) => t('Show {id}', { id }))} ${again(page)}`}
    ${rfcs.length === 0 ? nothing : others(page, rfcs, (id) => t('Review {id}', { id }))}
    ${proposals.length === 0 ? nothing : others(page, proposals, (id) => t('Show {id}', { id }))}
    ${
      view.agents.length === 0
        ? html`<p class="quiet">${t('No agent is working. When one stops to ask, its question appears here.')}</p>`
        : html`<h2 class="plain-head">${t('Working now')}</h2>
            <ul class="agents">
              ${view.agents.map(
                (one) =>
                  html`<li>
                    <bdi class="agent-what">${visible(one.what)}</bdi>
                    <span class="quiet"
                      ><bdi>${visible(one.agent)}</bdi> · ${timeTag(one.since, since(one.since))}</span
                    >
                  </li>`,
              )}
            </ul>`
    }
  </article>`;
}

/** From the first one that is left. */
function again(page: Page): TemplateResult {
  return html`<div class="actions">
    ${button(t('Go through them'), () => page.dispatch({ type: 'go', to: 'next' }), { primary: true, act: 'again' })}
  </div>`;
}

/** Pending items: a click opens the form that decides them. */
function others(page: Page, waiting: NothingView['rfcs'], open: (id: string) => string): TemplateResult {
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
      ${latest ? undoOffer(page, latest) : html`<span class="quiet">${keysOf(page)}</span>`}
    </div>
  </section>`;
}

function keysOf(page: Page): string {
  const view = page.snapshot()?.view;
  if (view?.type === 'nothing') return '';
  const picks = view?.type === 'question' && offered(view).length > 0;
  return picks
    ? t('1–9 pick · {key} sends · J skips · K goes back', { key: answerKeys })
    : t('{key} sends · Tab reaches “Skip” and “Back”', { key: answerKeys });
}

function viewOf(page: Page, { view }: Snapshot): TemplateResult {
  switch (view.type) {
    case 'question':
      return questionForm(page, view);
    case 'nothing':
      return nothingWaits(page, view);
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
function ignored(page: Page, { ignored: count }: Snapshot): TemplateResult | typeof nothing {
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
    ${ignored(opened, snapshot)}`,
  drawn: (opened) => {
    opened.drawn();
  },
  lost: 'form',
  focus: grantFocus,
});
document.addEventListener('keydown', (event) => {
  onQueueKey(page, event);
  onNumberKey(page, event);
  onEarlierKey(page, event);
});
page.dispatch({ type: 'ready' });
