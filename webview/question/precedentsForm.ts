/** Precedents: the draft from an answer with what it would have answered, and the list of all with their uses. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, link, notice } from '../shared/buttons.ts';
import type { ListedPrecedent, PrecedentDraft, PrecedentsView } from '../../src/protocol/question/precedents.ts';
import { browserFirst } from '../shared/inBrowser.ts';
import { decideButton, formOf, refusal, secondStep, waiting } from '../shared/deciding.ts';
import { inputField, nameField, textBox } from '../shared/fields.ts';
import { icon } from '../shared/icons.ts';
import { said } from '../shared/said.ts';
import { t, th, tn } from '../shared/strings.ts';
import type { Key } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { done, leave, locked, wideTitle } from '../shared/wide.ts';
import type { PrecedentsPage as Page } from './precedentActs.ts';

const longest = 20_000;

export function precedentsForm(page: Page, view: PrecedentsView): TemplateResult {
  const busy = page.flight() !== undefined;
  const confirming = page.step() === 'confirm' && !busy;
  const frozen = busy || confirming || view.locked !== undefined;
  return html`<article class="plain precedents">
    ${wideTitle('law', t(view.draft ? 'precedents.draftTitle' : 'precedents.title'), view.folder)}
    <p class="quiet">${t(view.draft ? 'precedents.about' : 'precedents.aboutAll')}</p>
    ${formOf(
      page,
      html`${done(page)} ${view.draft ? drafted(page, view, view.draft, frozen) : nothing} ${refusal(page)}
      ${view.answersAs.editable && (view.draft || view.list.length > 0) ? nameField(page, view.answersAs.name, frozen) : nothing}
      ${
        view.locked !== undefined
          ? html`${locked(view.locked)} ${leave(page)}`
          : busy
            ? waiting(page)
            : confirming && view.draft
              ? confirmation(page, view.draft)
              : actions(page, view)
      }
      ${confirming ? nothing : list(page, view, frozen)}`,
      view.draft ? { act: page.signPrecedent } : {},
    )}
  </article>`;
}

function drafted(page: Page, view: PrecedentsView, draft: PrecedentDraft, frozen: boolean): TemplateResult {
  const { fields } = draft;
  const box = (name: string, label: string) =>
    textBox(page, {
      ...{ name, label, value: page.precedentFields(view)[name] ?? fields[name] ?? '' },
      ...{ max: longest, disabled: frozen },
      edit: (text) => page.setPrecedentField(name, text),
    });
  const line = (name: string, label: string, hint: string) =>
    inputField(page, {
      ...{ name, label, hint, value: page.precedentFields(view)[name] ?? fields[name] ?? '' },
      ...{ disabled: frozen, isCode: true, kind: 'policy-field' as const, maxLength: 2_000 },
      edit: (text) => page.setPrecedentField(name, text),
    });
  const more = Object.keys(fields).filter((name) => name.startsWith('more.'));
  return html`
    <p class="field-label">${t('precedents.answer')}</p>
    ${said(draft.answer.choices, draft.answer.text)}
    <p class="quiet small">${t(effectWords[draft.answer.effect])}</p>
    ${
      draft.choices.length === 0
        ? nothing
        : html`<p class="quiet small">${t('precedents.choices')} <bdi>${visible(draft.choices.join(' · '))}</bdi></p>`
    }
    ${box('text', t('precedents.text'))}
    <p class="quiet small">${t('precedents.placeholders')}</p>
    ${more.map((name) => box(name, t(moreWords[name] ?? 'precedents.more.other')))}
    ${more.length === 0 ? nothing : html`<p class="quiet small">${t('precedents.moreHint')}</p>`}
    ${line('work', t('precedents.work'), t('precedents.workHint'))} ${box('globs', t('precedents.globs'))}
    <p class="quiet small">${t('precedents.globsHint')}</p>
    ${line('days', t('precedents.days'), t('precedents.daysHint'))}
    ${line('uses', t('precedents.uses'), t('precedents.usesHint'))}
    ${
      draft.problem === undefined
        ? earlier(page, draft)
        : notice('warning', 'warning', html`<span data-part="problem">${visible(draft.problem)}</span>`)
    }
  `;
}

const effectWords: Record<PrecedentDraft['answer']['effect'], Key> = {
  proceed: 'precedents.proceed',
  do_not: 'precedents.doNot',
  stop: 'precedents.stop',
};

const moreWords: Readonly<Record<string, Key>> = {
  'more.background': 'precedents.more.background',
  'more.context': 'precedents.more.context',
  'more.impact': 'precedents.more.impact',
  'more.ifDelayed': 'precedents.more.ifDelayed',
  'more.assumption': 'precedents.more.assumption',
  'more.for': 'precedents.more.for',
  'more.alternatives': 'precedents.more.alternatives',
  'more.payload': 'precedents.more.payload',
};

/** What it would have answered; questions that were answered otherwise stand out. */
function earlier(page: Page, draft: PrecedentDraft): TemplateResult {
  const others = draft.earlier.filter(({ answer, same }) => answer !== undefined && !same).length;
  return html`<h2 class="plain-head">${tn('precedents.earlier', draft.earlier.length)}</h2>
    ${others === 0 ? nothing : notice('warning', 'warning', tn('precedents.otherwise', others))}
    <ul class="agents" data-part="earlier">
      ${draft.earlier.map(
        (one) =>
          html`<li class=${one.same || one.answer === undefined ? '' : 'precedent-other'} data-same=${one.same}>
            ${link(html`<bdi>${visible(one.text)}</bdi>`, () => page.dispatch({ type: 'select', key: one.key }), { title: visibleText(one.text) })}
            <span class="quiet"
              >${visible(one.id)} · ${timeTag(one.raisedAt, ago(one.raisedAt))} ·
              ${
                one.answer === undefined
                  ? t('precedents.noAnswer')
                  : html`${one.same ? nothing : html`${icon('warning', 'warning')} `}<bdi>${visible(one.answer)}</bdi>`
              }</span
            >
          </li>`,
      )}
    </ul>`;
}

function actions(page: Page, view: PrecedentsView): TemplateResult {
  const { draft, inBrowser } = view;
  if (draft && inBrowser !== undefined) return browserFirst(page, view.key, inBrowser, leave(page));
  const canSign = draft !== undefined && draft.problem === undefined && !page.isPrecedentBehind(view);
  return html`<div class="actions ${draft ? 'acts' : ''}">
    ${canSign ? decideButton(t('precedents.sign'), page.signPrecedent, true) : nothing} ${leave(page)}
  </div>`;
}

/** Repeats what is signed, in words. */
function confirmation(page: Page, draft: PrecedentDraft): TemplateResult {
  return secondStep(page, {
    ask: t('precedents.confirm'),
    content: html`${said([], draft.fields['text'] ?? '')}
      <p>${t('precedents.answer')}</p>
      ${said(draft.answer.choices, draft.answer.text)}
      <p>
        <span
          >${th('precedents.limits', {
            uses: draft.fields['uses'] ?? '',
            time: timeTag(draft.until, visibleText(draft.until.slice(0, 10))),
          })}</span
        >
      </p>`,
    yes: t('precedents.yes'),
    act: page.signPrecedent,
  });
}

function list(page: Page, view: PrecedentsView, frozen: boolean): TemplateResult {
  return html`<h2 class="plain-head">${t('precedents.list')}</h2>
    ${
      view.list.length === 0
        ? html`<p class="quiet">${t('precedents.none')}</p>`
        : html`<ul class="agents precedent-list">
            ${view.list.map((one) => item({ page, view, one, frozen }))}
          </ul>`
    }`;
}

interface Item {
  readonly page: Page;
  readonly view: PrecedentsView;
  readonly one: ListedPrecedent;
  readonly frozen: boolean;
}

function item({ page, view, one, frozen }: Item): TemplateResult {
  const part = `uses.${one.id}`;
  const isOpen = page.isUnfolded(part);
  return html`<li data-id=${one.id}>
    <bdi class="agent-what">${visible(one.text)}</bdi>
    ${said([], one.answer)}
    <span class="quiet"
      >${visible(one.id)} · ${t(statusWords[one.status])} ·
      ${th('precedents.used', { used: String(one.used), most: String(one.atMost) })} ·
      ${th('precedents.by', { name: html`<bdi>${visible(one.by)}</bdi>`, time: timeTag(one.until, visibleText(one.until.slice(0, 10))) })}</span
    >
    ${
      one.uses.length === 0
        ? nothing
        : link(tn('precedents.showUses', one.uses.length), () => page.unfold(part, !isOpen), { act: `uses-${one.id}` })
    }
    ${
      isOpen
        ? html`<ul>
            ${one.uses.map(
              (use) =>
                html`<li>
                  ${link(html`${visible(use.id)}`, () => page.dispatch({ type: 'select', key: use.key }))}
                  <span class="quiet"
                    >${timeTag(use.at, ago(use.at))}${use.takenBack ? ` · ${t('precedents.takenBack')}` : nothing}</span
                  >
                </li>`,
            )}
          </ul>`
        : nothing
    }
    ${one.status === 'in_force' && view.locked === undefined ? ending(page, view, one.id, frozen) : nothing}
  </li>`;
}

function ending(page: Page, view: PrecedentsView, id: string, frozen: boolean): TemplateResult {
  const part = `end.${id}`;
  if (!page.isUnfolded(part))
    return html`<div class="actions">
      ${button(t('precedents.end'), () => page.unfold(part, true), { act: `end-${id}` })}
    </div>`;
  return html`${textBox(page, {
      ...{ name: part, label: t('precedents.endReason'), value: page.endReason(view, id) },
      ...{ max: page.reasonLimit(), disabled: frozen },
      edit: (text) => page.setEndReason(id, text),
    })}
    <div class="actions">
      ${frozen ? nothing : button(t('precedents.endSend'), () => page.endPrecedent(id), { wide: true, primary: true, act: `end-now-${id}` })}
    </div>`;
}

const statusWords: Record<ListedPrecedent['status'], Key> = {
  in_force: 'precedents.inForce',
  used_up: 'precedents.usedUp',
  expired: 'precedents.expired',
  ended: 'precedents.ended',
};
