/** Forms about several questions: one answer to all of the same shape, and yes to the assumptions of agents. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Alike, Assumed, AssumptionsView, Choice, TogetherView } from '../../src/ui/answer/together.ts';
import type { FormView } from '../../src/ui/kit/view.ts';
import { enter, enteredIn, ifStale, isStale, type Drawn, type OneFormPage } from '../forms/kit.ts';
import {
  browserFirst,
  decideButton,
  doneNote,
  formOf,
  isFrozen,
  leave,
  lockedNote,
  readFirst,
  refusal,
  secondStep,
  waitingNote,
  wideTitle,
  signsAs,
} from '../shared/deciding.ts';
import { byHuman, link, urgencyMark, visible, visibleText, codeOf, bdi } from '../shared/elements.ts';
import { hintFor, overBy, textBox, type Values, choices } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import { clampedContent, limitItems, fileChips } from '../shared/parts.ts';
import type { Missing } from '../shared/signing.ts';
import { t, th, tn } from '../shared/strings.ts';
import { choiceField, kindWords } from './acts.ts';
import { choiceWords } from './answerForm.ts';
import { sinceTag } from '../shared/time.ts';

// What both have in common: a row with a tick for each question.

type Listed = Pick<Alike, 'key' | 'id' | 'shown' | 'agent' | 'raisedAt'>;

interface Batch<One extends Listed> {
  readonly page: OneFormPage;
  readonly view: FormView & { readonly questions: readonly One[]; readonly more: number };
  readonly frozen: boolean;
  /** Whether it is ticked until the human changes it. A tick applies to the question as it is displayed. */
  readonly atFirst: (one: One) => boolean;
}

function isTicked<One extends Listed>({ page, view, atFirst }: Batch<One>, one: One): boolean {
  return (enteredIn(page, view)[one.shown] ?? (atFirst(one) ? 'yes' : 'no')) === 'yes';
}

const tickedIn = <One extends Listed>(batch: Batch<One>): One[] =>
  batch.view.questions.filter((one) => isTicked(batch, one));

/** Keeps every tick as it is displayed. */
function keep<One extends Listed>(batch: Batch<One>, change: Values): void {
  const ticks = batch.view.questions.map((one): [string, string] => [one.shown, isTicked(batch, one) ? 'yes' : 'no']);
  enter(batch.page, batch.view, { ...Object.fromEntries(ticks), ...change });
}

interface RowLooks {
  readonly id: string;
  readonly decides?: string;
  readonly described?: string;
  readonly content: unknown;
}

function row<One extends Listed>(
  batch: Batch<One>,
  one: One,
  { id, decides, described, content }: RowLooks,
): TemplateResult {
  const ticked = isTicked(batch, one);
  return html`<div class="choice assumed ${ticked ? 'picked' : ''}" data-decides=${decides ?? nothing}>
    <input
      type="checkbox"
      id=${id}
      ?disabled=${batch.frozen}
      .checked=${live(ticked)}
      aria-labelledby="${id}-text"
      aria-describedby=${described ?? nothing}
      @click=${byHuman(() => keep(batch, { [one.shown]: ticked ? 'no' : 'yes' }))}
    />
    <div class="choice-body">${content}</div>
  </div>`;
}

/** Who asks, since when, and a link to its own form. */
function rowFacts({ page }: Pick<Batch<never>, 'page'>, { key, id, raisedAt }: Listed, first: unknown): TemplateResult {
  return html`<p class="facts quiet small">
    ${first}<span>${sinceTag(raisedAt)}</span>
    ${link(visible(id), () => page.dispatch({ type: 'select', key }), { act: `open-${id}`, label: t('Open {id} to answer it by itself', { id }) })}
  </p>`;
}

const agentOf = (agent: string) => html`<span><bdi class="cut ellipsis">${visible(agent)}</bdi></span>`;

interface BatchLooks {
  readonly title: string;
  readonly kind: string;
  readonly about: unknown;
  readonly rows: unknown;
  readonly rest: unknown;
  readonly act: () => void;
  readonly end: unknown;
}

function batchForm<One extends Listed>({ page, view }: Batch<One>, looks: BatchLooks): TemplateResult {
  const { title, kind, about, rows, rest, act, end } = looks;
  const stale = t('The list has changed since you started. Read it again before you continue.');
  return html`<article class="plain ${kind}">
    ${wideTitle('checklist', title, view.folder)} ${doneNote(page)} ${about}
    ${formOf(
      page,
      html`${ifStale(page, view, stale)}
        <fieldset class="choices" data-focus="ticks" tabindex="-1">
          <legend class="sr-only">${title}</legend>
          ${rows}
        </fieldset>
        ${hintFor(page, 'ticks')}
        ${view.more === 0 ? nothing : html`<p class="quiet">${tn(view.more, '{n} more follows after these.', '{n} more follow after these.')}</p>`}
        ${rest}
        <div class="acts">${refusal(page)} ${page.flight() === undefined ? end : waitingNote(page)}</div>`,
      { act },
    )}
  </article>`;
}

const tickOne = (): Missing => ({ field: 'ticks', text: t('Select at least one.') });

// Confirms the assumptions with which agents continue: one act for all ticked ones.

export function assumptionsForm(page: OneFormPage, view: AssumptionsView): TemplateResult {
  const batch: Batch<Assumed> = { page, view, frozen: isFrozen(page, view), atFirst: ({ ticked }) => ticked };
  const ticked = tickedIn(batch);
  const critical = ticked.filter(({ urgency }) => urgency === 'critical');
  const twice = critical.length > 0;
  const act = () => {
    if (view.locked !== undefined) return;
    page.attempt({
      ...{ target: view, twice, lacking: ticked.length === 0 ? tickOne() : undefined },
      make: (marks) => ({
        ...{ type: 'confirmAssumptions', ...marks, ticked: ticked.map(({ id }) => id), confirmed: twice },
      }),
    });
  };
  const { agent } = view;
  return batchForm(batch, {
    ...{ title: t('Confirm assumptions'), kind: 'assumptions', act, rest: signsAs(view.answersAs) },
    about: html`<p class="quiet">
      ${
        agent === undefined
          ? t('Agents continue on these assumptions. One signature answers “yes” to each assumption you select.')
          : th('{agent} continues on these assumptions. One signature answers “yes” to each assumption you select.', {
              agent: bdi(agent),
            })
      }
    </p>`,
    rows: view.questions.map((one, index) => {
      const id = `assumption-${index}`;
      const first = html`${urgencyMark(one.urgency)} ${agent === undefined ? agentOf(one.agent) : nothing}`;
      return row(batch, one, {
        ...{ id, described: `${id}-answer` },
        // The assumption is plain text, not Markdown, because it is the text to confirm.
        content: html`${rowFacts(batch, one, first)}
          <div id="${id}-text">${markdown(page, one.key, 'assumed', one.text)}</div>
          <label class="assumed-answer" for=${id} id="${id}-answer" dir="auto"
            ><span class="quiet">${t('Assumes:')}</span> ${visible(one.assumption)}</label
          >`,
      });
    }),
    end:
      view.locked !== undefined
        ? html`${lockedNote(view.locked)} ${leave(page)}`
        : page.step() === 'confirm'
          ? confirmation(page, critical, { n: ticked.length, act })
          : html`<div class="actions">
              ${decideButton(tn(ticked.length, 'Confirm {n} assumption', 'Confirm {n} assumptions'), act, twice)}
              ${leave(page)}
            </div>`,
  });
}

/** Only critical ones need a confirmation; the others are ticked by default. */
function confirmation(
  page: OneFormPage,
  critical: readonly Assumed[],
  { n, act }: { readonly n: number; readonly act: () => void },
): TemplateResult {
  return secondStep(page, {
    ask: tn(
      critical.length,
      'This is critical. Confirm the assumption?',
      'These are critical. Confirm the assumptions?',
    ),
    content: critical.map(
      (one) =>
        html`${markdown(page, one.key, 'confirm', one.text)}
          <blockquote class="said assumed-answer" dir="auto">${visible(one.answer)}</blockquote>`,
    ),
    yes: tn(n, 'Yes, confirm {n}', 'Yes, confirm all {n}'),
    act,
  });
}

// Answers questions of the same shape: each with what differs in it, and one answer to all that are ticked.

interface Reading {
  /** Whether not all of it has been on the screen. */
  readonly mustRead: () => boolean;
  /** Reads on instead of the act, as long as that is so. */
  readonly onceRead: (act: () => void) => () => void;
}

export function togetherForm(page: OneFormPage & Reading, view: TogetherView): TemplateResult {
  const frozen = page.flight() !== undefined || view.locked !== undefined || view.inBrowser !== undefined;
  // All are ticked at first. One that comes or changes while the reader writes is ticked only by a click.
  const batch: Batch<Alike> = { page, view, frozen, atFirst: () => !isStale(page, view) };
  const ticked = tickedIn(batch);
  const values = enteredIn(page, view);
  const picked = view.choices.filter(({ label }) => values[choiceField(label)] === 'yes');
  const text = (values['text'] ?? '').trim();
  const max = page.limits().answer;
  const lacking =
    ticked.length === 0
      ? tickOne()
      : picked.length === 0
        ? { field: 'choices', text: t('Choose one first.') }
        : text.length > max
          ? { field: 'text', text: overBy(text.length, max) }
          : undefined;
  const act = page.onceRead(() => {
    if (view.locked !== undefined || view.inBrowser !== undefined) return;
    page.attempt({
      ...{ target: view, lacking },
      make: (marks) => ({
        ...{ type: 'answerTogether', ...marks, ticked: ticked.map(({ id }) => id), text },
        choices: picked.map(({ label }) => label),
      }),
    });
  });
  return batchForm(batch, {
    ...{ title: t('Answer together'), kind: 'together', act },
    about: html`<p class="quiet">
        ${t('These questions differ only where the text is bold. One signature gives your answer to each selected question. The others stay open.')}
      </p>
      <p class="facts quiet small" data-decides="facts">
        ${urgencyMark(view.urgency)}<span>${kindWords[view.kind]}</span>
        ${view.for === undefined ? nothing : html`<span>${t('For')} ${bdi(view.for)}</span>`}
      </p>`,
    // The text is shown as it is, not as Markdown: what differs stands out.
    rows: view.questions.map((one, index) => {
      const id = `alike-${index}`;
      return row(batch, one, {
        ...{ id, decides: one.id },
        content: html`<label class="alike-text" for=${id} id="${id}-text" dir="auto"
            >${one.text.map((part) =>
              part.differs
                ? html`<strong class="alike-part">${visible(part.text)}</strong>`
                : html`<span>${visible(part.text)}</span>`,
            )}</label
          >
          ${rowFacts(batch, one, agentOf(one.agent))} ${details(page, one)}`,
      });
    }),
    rest: answer(batch, view, { picked, max }),
    end: actions(page, view, { act, n: ticked.length, picked }),
  });
}

/** All else that is signed with the question. */
function details(page: OneFormPage, one: Alike): unknown {
  const { id, key, background, impact, ifDelayed, blocks, files } = one;
  const { work, cascade } = blocks;
  const globs = limitItems(page, `globs-${id}`, blocks.files);
  return html`${
    background === undefined
      ? nothing
      : clampedContent(page, `background-${id}`, markdown(page, key, 'background', background))
  }
  ${ifDelayed === undefined ? nothing : fact(t('If this waits'), bdi(ifDelayed))}
  ${impact === undefined ? nothing : fact(t('Impact'), bdi(impact))}
  ${
    work.length === 0
      ? nothing
      : fact(
          t('Holds'),
          html`${work.map((item, index) => html`${index > 0 ? ', ' : ''}${bdi(item.title)}`)}${cascade.count === 0 ? nothing : html` · ${tn(cascade.count, '{n} dependent item', '{n} dependent items')}`}`,
        )
  }
  ${
    blocks.files.length === 0
      ? nothing
      : html`${work.length === 0 ? fact(t('Holds'), nothing) : nothing}
          <p class="globs">${globs.items.map(codeOf)} ${globs.more}</p>`
  }
  ${files.length === 0 ? nothing : fileChips(page, key, `files-${id}`, files)}`;
}

function fact(name: string, content: unknown): TemplateResult {
  return html`<p class="small alike-fact"><span class="quiet">${name}</span> ${content}</p>`;
}

function answer(
  batch: Batch<Alike>,
  view: TogetherView,
  { picked, max }: { readonly picked: readonly Choice[]; readonly max: number },
): TemplateResult {
  const { page, frozen } = batch;
  const pick = (choice: Choice) => {
    const others = view.multiple ? [] : view.choices.map(({ label }): [string, string] => [choiceField(label), 'no']);
    const next = picked.includes(choice) ? 'no' : 'yes';
    keep(batch, { ...Object.fromEntries(others), [choiceField(choice.label)]: next });
  };
  return html`${choices({
    ...{ name: 'together', multiple: view.multiple, focus: 'choices', decides: true, disabled: frozen },
    legend: html`<legend class="field-label">${t('Your answer')}</legend>`,
    rows: view.choices.map((choice) => ({
      ...choiceWords(choice),
      picked: picked.includes(choice),
      pick: () => pick(choice),
    })),
  })}
  ${hintFor(page, 'choices')}
  ${
    view.freeText
      ? textBox(page, {
          ...{ label: t('Add a reason'), placeholder: t('Add a reason'), max, disabled: frozen },
          value: enteredIn(page, view)['text'] ?? '',
          edit: (text) => keep(batch, { text }),
        })
      : nothing
  }
  ${frozen ? nothing : signsAs(view.answersAs)}`;
}

/** A longer one would make the button hard to read. */
const shortLabel = 30;

function actions(
  page: OneFormPage & Reading,
  view: TogetherView,
  { act, n, picked }: { readonly act: () => void; readonly n: number; readonly picked: readonly Choice[] },
): Drawn {
  if (view.locked !== undefined) return html`${lockedNote(view.locked)} ${leave(page)}`;
  if (view.inBrowser !== undefined) return browserFirst(page, view.key, view.inBrowser, leave(page));
  if (page.mustRead()) return html`<div class="actions">${readFirst(page.inTab(), act)} ${leave(page)}</div>`;
  const [choice, ...others] = picked;
  const label =
    choice === undefined || others.length > 0 || choice.label.length > shortLabel
      ? tn(n, 'Answer {n} question', 'Answer {n} questions')
      : tn(n, 'Answer {n} question “{choice}”', 'Answer {n} questions “{choice}”', {
          choice: visibleText(choice.label),
        });
  return html`<div class="actions">${decideButton(label, act)} ${leave(page)}</div>`;
}

/** Under a decided question: the others of the same act. */
export function answeredWith(
  page: { readonly dispatch: (message: { readonly type: 'select'; readonly key: string }) => void },
  others: readonly { readonly key: string; readonly id: string }[] | undefined,
): Drawn {
  if (!others) return nothing;
  const links = others.map(
    ({ key, id }, index) =>
      html`${index > 0 ? ', ' : ''}${link(html`${visible(id)}`, () => page.dispatch({ type: 'select', key }), { act: `with-${id}` })}`,
  );
  return html`<p class="iconed delivery" data-part="with">
    <span>${th('The same signature answered {ids}.', { ids: html`${links}` })}</span>
  </p>`;
}
