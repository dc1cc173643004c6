/** A new request: a human, or a steward in a human's hands, asks any responsibility to consider something. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, notice } from '../shared/buttons.ts';
import type { AskView } from '../../src/ui/answer/requests.ts';
import { decideButton, formOf, refusal, waiting } from '../shared/deciding.ts';
import { inputField, nameField, selectField, textBox } from '../shared/fields.ts';
import { part } from '../shared/folding.ts';
import { radios } from '../shared/radios.ts';
import { t } from '../shared/strings.ts';
import { visibleText } from '../shared/visible.ts';
import { askKinds, isPriority, linesOf, pickedKind } from './askActs.ts';
import type { AskDraft, askPriorities } from './askActs.ts';
import type { RequestPage as Page } from './page.ts';
import { done, leave, locked, wideTitle } from '../shared/wide.ts';
import { isWords } from './appointForm.ts';

const kindWords = {
  request_for_action: t('A request'),
  ingest_new_context: t('New context to take in'),
  new_context_available: t('New context is available'),
};

const kindMore = {
  request_for_action: t('Asks for an action.'),
  ingest_new_context: t('The steward reviews it and notifies everyone whom it concerns.'),
  new_context_available: t('It was reviewed and concerns the recipient.'),
};

const priorityWords = {
  sooner: t('Before others'),
  normal: t('In turn'),
  later: t('After others'),
};

const fieldWords = {
  origin: t('From'),
  target: t('To'),
  ingestion: t('Passes on'),
  priority: t('When'),
  subject: t('Subject'),
  available: t('Not before'),
  due: t('Expires unless accepted by'),
  respond: t('Hours to respond (you are notified when overdue)'),
  finish: t('Hours to complete, once accepted'),
  suggested: t('Suggested actions, one per line'),
  links: t('Links: workspace files or URLs, one per line'),
  tags: t('Tags, one per line'),
  bundles: t('Bundles, one per line'),
  objectives: t('Why they matter, one reason per line'),
};

/** What the fields need: the form's place, their values, and whether they are editable. */
interface Asking {
  readonly page: Page;
  readonly view: AskView;
  readonly draft: AskDraft;
  readonly frozen: boolean;
}

export function askForm(page: Page, view: AskView): TemplateResult {
  const busy = page.flight() !== undefined;
  const asking: Asking = { page, view, draft: page.askDraft(view), frozen: busy || view.locked !== undefined };
  return html`<article class="plain">
    ${wideTitle('comment', t('New request'), view.folder)}
    <p class="quiet">
      ${t('Asks someone to consider something. It stops no work and grants no authority: the recipient accepts, defers or rejects it.')}
    </p>
    ${view.origins.length === 0 ? noOrigin(page, view) : form(asking, busy)}
  </article>`;
}

/** Agents send their own requests; without a human or steward there is no sender yet. */
function noOrigin(page: Page, view: AskView): TemplateResult {
  return html`${notice('info', 'shield', t('A request needs a human or a steward as its sender, and none is appointed yet.'))}
    <div class="actions" data-focus="form" tabindex="-1">
      ${button(t('Appoint someone…'), () => page.dispatch({ type: 'select', key: view.appoint }), { wide: true, primary: true, act: 'appoint' })}
      ${leave(page)}
    </div>`;
}

function form(asking: Asking, busy: boolean): TemplateResult {
  const { page, view, draft, frozen } = asking;
  const kind = pickedKind(view, draft);
  return formOf(
    page,
    html`${view.origins.length === 1 ? nothing : parties(asking, 'origin', view.origins)}
    ${parties(
      asking,
      'target',
      view.targets.filter(({ id }) => id !== draft.origin),
    )}
    ${kinds(asking)} ${input(asking, 'subject')}
    ${textBox(page, {
      name: 'summary',
      label: t('Details (Markdown)'),
      value: draft.summary,
      max: page.reasonLimit(),
      disabled: frozen,
      edit: (summary) => page.editAsk(view, { summary }),
    })}
    ${kind === 'request_for_action' ? nothing : context(asking, kind === 'new_context_available')}
    ${part(page, 'more', t('Suggestions, links, times'), more(asking))}
    ${view.answersAs.editable ? nameField(page, view.answersAs, frozen) : nothing} ${refusal(page)} ${done(page)}
    ${view.locked !== undefined ? locked(view.locked) : busy ? waiting(page) : buttons(page)}`,
    { act: page.ask },
  );
}

function buttons(page: Page): TemplateResult {
  return html`<div class="actions">${decideButton(t('Send request'), page.ask)} ${leave(page)}</div>`;
}

function parties(asking: Asking, field: 'origin' | 'target', all: AskView['targets']): TemplateResult {
  const options = all.map(({ id, name, kind }) => {
    const called = name === id ? visibleText(id) : `${visibleText(name)} (${visibleText(id)})`;
    return { value: id, text: `${called} · ${isWords[kind]}` };
  });
  return choose(asking, field, [{ value: '', text: t('Choose…') }, ...options]);
}

function kinds({ page, view, draft, frozen }: Asking): TemplateResult | typeof nothing {
  const all = askKinds(view, draft);
  if (all.length === 1) return nothing;
  return radios({
    name: 'kind',
    legend: t('Type'),
    options: all.map((kind) => ({ value: kind, label: kindWords[kind], more: kindMore[kind] })),
    picked: pickedKind(view, draft),
    disabled: frozen,
    pick: (kind) => page.editAsk(view, { kind }),
  });
}

function context(asking: Asking, passesOn: boolean): TemplateResult {
  const { page, view, draft } = asking;
  const ingestions = view.ingestions.filter(({ steward }) => steward === draft.origin);
  const options = ingestions.map(({ id, subject }) => ({ value: id, text: `${id}: ${visibleText(subject)}` }));
  return html`${
    passesOn && ingestions.length > 0
      ? choose(asking, 'ingestion', [{ value: '', text: t('No earlier context') }, ...options], (ingestion) => {
          const bundles = ingestions.find(({ id }) => id === ingestion)?.bundles.join('\n');
          const empty = linesOf(draft.bundles).length === 0;
          page.editAsk(view, { ingestion, ...(empty && bundles !== undefined ? { bundles } : {}) });
        })
      : nothing
  }
  ${lines(asking, 'bundles')} ${lines(asking, 'objectives')}`;
}

function more(asking: Asking): TemplateResult {
  const { draft } = asking;
  const priorities = (['sooner', 'normal', 'later'] as const satisfies (keyof typeof askPriorities)[]).map((value) => ({
    value,
    text: priorityWords[value],
  }));
  const picked = isPriority(draft.priority) ? draft.priority : 'normal';
  return html`<div class="ask-more">
    ${lines(asking, 'suggested')} ${lines(asking, 'links')} ${lines(asking, 'tags')}
    ${choose({ ...asking, draft: { ...draft, priority: picked } }, 'priority', priorities)}
    ${input(asking, 'available')} ${input(asking, 'due')} ${input(asking, 'respond')} ${input(asking, 'finish')}
  </div>`;
}

function choose(
  { page, view, draft, frozen }: Asking,
  field: 'origin' | 'target' | 'ingestion' | 'priority',
  options: Parameters<typeof selectField>[2],
  edit = (value: string) => {
    page.editAsk(view, { [field]: value });
  },
): TemplateResult {
  const label = fieldWords[field];
  return selectField(
    page,
    { name: field, label, value: draft[field], disabled: frozen, edit, kind: 'appoint-field' },
    options,
  );
}

function input(
  { page, view, draft, frozen }: Asking,
  field: 'subject' | 'respond' | 'finish' | 'available' | 'due',
): TemplateResult {
  return inputField(page, {
    ...{ name: field, label: fieldWords[field], value: draft[field], disabled: frozen },
    edit: (value) => page.editAsk(view, { [field]: value }),
    kind: field === 'available' || field === 'due' ? 'until' : 'appoint-field',
  });
}

/** One entry per line. */
function lines(
  { page, view, draft, frozen }: Asking,
  field: 'suggested' | 'links' | 'tags' | 'bundles' | 'objectives',
): TemplateResult {
  return html`<div class="appoint-field">
    ${textBox(page, {
      name: field,
      label: fieldWords[field],
      value: draft[field],
      max: Number.MAX_SAFE_INTEGER,
      disabled: frozen,
      edit: (text) => page.editAsk(view, { [field]: text }),
    })}
  </div>`;
}
