/** The fixed bar: what the RFC blocks, what is missing, and the decisions. */
import { html, nothing, type TemplateResult } from 'lit';
import type { WorkRef } from '../../src/ui/kit/view.ts';
import type { Decided, RfcView } from '../../src/ui/rfc/model.ts';
import {
  addKeyLink,
  backButton,
  browserInBar,
  lockedNote,
  passkeyLine,
  refusal,
  waitingNote,
  formOf,
  signsAs,
} from '../shared/deciding.ts';
import {
  button,
  icon,
  link,
  menu,
  notice,
  type IconName,
  visible,
  visibleText,
  bdi,
  codeOf,
  line,
  bullets,
} from '../shared/elements.ts';
import { hintFor, radios, textBox } from '../shared/fields.ts';
import { allFilesLine, holdEffect, holdPanels, holdWords } from '../shared/parts.ts';
import type { FormPage } from '../shared/signing.ts';
import { fill, t, th, tn } from '../shared/strings.ts';
import { timeBetween, timeTag, agoTag } from '../shared/time.ts';
import {
  hashOf,
  inForce,
  notLatest,
  whyNotApproved,
  bar as barPlace,
  questionPlace,
  replyTo,
  type Panel,
  type TextField,
} from './draft.ts';
import type { Page } from './page.ts';
import { authorName, personName } from './threads.ts';

// Lists what prevents an approval; each entry is a link to its place.

interface Entry {
  readonly sign: IconName;
  readonly words: string;
  /** The target: a place of the page. */
  readonly place: string;
}

const mostShown = 3;

function missingNote(page: Page, view: RfcView): TemplateResult | typeof nothing {
  if (!view.may.approve || view.locked) return nothing;
  if (whyNotApproved(view).length === 0)
    return line(icon('check'), t('Ready to approve'), { kind: 'quiet', id: 'missing' });
  const all = entries(view);
  const [first] = all;
  // Only a later revision prevents it, and the notice above says so.
  if (first === undefined) return nothing;
  const hidden = page.isUnfolded('missing') ? 0 : Math.max(0, all.length - mostShown - 1);
  return html`<div class="missing" id="missing" data-focus="missing" tabindex="-1">
    ${jump({ sign: 'warning', words: t('To resolve before approving: {n}', { n: all.length }), place: first.place })}
    <ul class="list missing-list">
      ${all.slice(0, hidden === 0 ? all.length : mostShown).map((one) => html`<li>${jump(one)}</li>`)}
      ${
        all.length <= mostShown + 1
          ? nothing
          : html`<li>
              ${link(hidden === 0 ? t('Show less') : t('{n} more', { n: all.length - mostShown }), () => page.unfold('missing', hidden > 0), { expanded: hidden === 0, act: 'all-missing' })}
            </li>`
      }
    </ul>
  </div>`;
}

function entries(view: RfcView): Entry[] {
  const { sections } = view;
  const threads = sections.flatMap((section) => section.threads.filter((one) => one.blocking && !one.resolved));
  const questions = sections.flatMap((section) => section.questions);
  return [
    ...threads.map((one) => ({
      sign: 'warning' as const,
      words: t('{who}: {text}', { who: authorName(view, one), text: oneLine(one.text) }),
      place: replyTo(one.number),
    })),
    ...questions
      .filter(({ state }) => state === 'human_required' || state === 'unanswered')
      .map(({ number, text }) => ({ sign: 'question' as const, words: oneLine(text), place: questionPlace(number) })),
  ];
}

function oneLine(text: string): string {
  // The style sheet truncates it at the end of the line.
  return text
    .replace(/[*_`#>]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500);
}

function jump({ sign, words, place }: Entry): TemplateResult {
  const go = () => {
    const found = document.querySelector<HTMLElement>(`[data-focus="${CSS.escape(place)}"]`);
    found?.scrollIntoView({ block: 'center' });
    found?.focus({ preventScroll: true });
  };
  return link(html`${icon(sign)}<bdi class="cut">${visibleText(words)}</bdi>`, go, {
    act: 'jump',
    kind: 'missing-entry',
  });
}

// Rare acts, behind one button of the bar.

function moreMenu(page: Page, view: RfcView): TemplateResult | typeof nothing {
  const { may, locked } = view;
  const decides = !locked && notLatest(view).length === 0;
  const hold = decides ? holdPanels.find((one) => may[one]) : undefined;
  const opener = (panel: Panel, words: string) => ({
    words,
    act: `open-${panel}`,
    run: () => {
      page.openPanel(panel);
    },
  });
  const items = [
    ...(hold === undefined ? [] : [opener(hold, holdWords[hold].open)]),
    ...(may.withdraw && decides ? [opener('withdraw', t('{label}…', { label: t('Withdraw') }))] : []),
  ];
  if (items.length === 0) return nothing;
  return menu({ label: t('More actions'), words: icon('ellipsis'), kind: 'icon-button' }, items);
}

// The forms of the decisions, which open in the bar. Only text fields get focus automatically.

function panel(page: Page, view: RfcView, name: Panel): TemplateResult {
  const at = page.at(barPlace);
  const busy = at.flight() !== undefined;
  // The notice above mentions a later revision.
  const stale = page.draft().shown !== view.shown && view.revision === view.latest;
  // The other decisions weigh more: they need a click on their button.
  const byKeys = name === 'requestChanges' ? page.decide : () => undefined;
  const content = html`<div class="panel-body stack">
      ${stale ? notice('info', 'history', t('This RFC has changed since you started. Read it again before you decide.')) : nothing}
      ${fields({ page, view, name, at, busy })} ${signsAs(view.answersAs)} ${refusal(at)} ${hintFor(at, 'decide')}
    </div>
    ${busy ? waitingNote(at) : actions(page, view, name, at)}`;
  return formOf(at, content, { act: byKeys, kind: 'panel', labelledBy: 'panel-title' });
}

interface Fields {
  readonly page: Page;
  readonly view: RfcView;
  readonly name: Panel;
  readonly at: FormPage;
  readonly busy: boolean;
}

function fields(panelFields: Fields): TemplateResult {
  const { page, view, name, busy } = panelFields;
  const agent = bdi(view.agent);
  const approved = inForce(view);
  const box = (field: TextField, label: string) => textField(panelFields, field, label);
  const title = (words: string) => html`<h2 id="panel-title">${words}</h2>`;
  switch (name) {
    case 'approve': {
      const { revision: n } = view;
      return html`${title(t('Approve revision {n} ({hash})', { n, hash: hashOf(view, n) }))}
      ${box('conditions', t('Agents must… (one condition per line)'))}`;
    }
    case 'requestChanges':
      return html`${title(t('Request changes'))}
        <p class="quiet">
          ${th('{agent} gets this as feedback and writes a new revision. Everything stays held until then.', { agent })}
        </p>
        ${box('requestChanges', t('What needs to change'))}`;
    case 'reject':
      return html`${title(t('Reject'))} ${box('reject', t('Reason'))}
      ${approved ? html`<p class="quiet">${t('Rejects the amendment: revision {n} stays in force.', { n: approved.revision })}</p>` : rejectionChoices(page, busy)}`;
    case 'withdraw':
      return html`${title(t('Withdraw'))}
        <p class="quiet">
          ${th('Withdraws the RFC and releases the work it holds. {agent} gets your reason.', { agent })}
        </p>
        ${box('withdraw', t('Reason'))}`;
    case 'holdAll':
    case 'holdNamed':
      return html`<h2 id="panel-title" data-focus=${name} tabindex="-1">${holdWords[name].title}</h2>
        ${holdEffect(name, view.blocks.files)}`;
  }
}

function textField({ page, at, busy }: Fields, field: TextField, label: string): TemplateResult {
  const isList = field === 'conditions';
  return html`<div class="panel-text">
    ${textBox(at, {
      name: field,
      label,
      ...(isList ? { placeholder: label } : {}),
      value: page.draft().text[field],
      // A list has a limit for each line, and says which line exceeds it.
      max: isList ? Infinity : (page.snapshot()?.limits.text ?? 0),
      disabled: busy,
      edit: (text) => page.setText(field, text),
    })}
  </div>`;
}

/** What happens to the work: it stops unless the human selects otherwise. */
function rejectionChoices(page: Page, disabled: boolean): TemplateResult {
  return radios({
    name: 'way',
    legend: t('The work it holds'),
    options: [
      { value: 'stop', label: t('Stop this work'), more: t('The work items in it are cancelled.') },
      {
        value: 'otherWay',
        label: t('Continue another way'),
        more: t('The work is released, with your reason as a constraint.'),
      },
    ],
    picked: page.draft().way,
    disabled,
    pick: page.setWay,
  });
}

function actions(page: Page, view: RfcView, name: Panel, at: FormPage): TemplateResult {
  const off = (name === 'approve' ? whyNotApproved(view) : notLatest(view)).length > 0;
  const sends: Record<Panel, string> = {
    approve: t('Approve revision {n}', { n: view.revision }),
    requestChanges: t('Request changes'),
    reject: t('Reject'),
    withdraw: t('Withdraw'),
    holdAll: t('Hold all files'),
    holdNamed: t('Hold only the named files'),
  };
  return html`<div class="actions">
    ${button(sends[name], page.decide, { primary: true, off, act: 'decide', once: true })}
    ${backButton(at, () => at.back())}
  </div>`;
}

// The decision, in the bar: by whom, when, and with which conditions.

type How = Decided['action'] | 'amendmentRejected';

const looks: Record<How, IconName> = {
  approved: 'pass',
  changes_requested: 'edit',
  rejected: 'circle-slash',
  amendmentRejected: 'circle-slash',
  withdrawn: 'close',
};

const lines: Record<How, string> = {
  approved: t('{who} approved revision {n} ({hash}) {time}'),
  changes_requested: t('{who} requested changes {time}'),
  rejected: t('{who} rejected it {time}'),
  amendmentRejected: t('{who} rejected the amendment {time}'),
  withdrawn: t('{who} withdrew it {time}'),
};

function decisionView(view: RfcView, one: Decided): TemplateResult {
  const how = one.action === 'rejected' && view.approval ? 'amendmentRejected' : one.action;
  const words = fill(lines[how], {
    ...{ who: personName(view, one.by), time: agoTag(one.at) },
    ...{ n: one.revision, hash: html`<code>${hashOf(view, one.revision ?? 0)}</code>` },
  });
  return html`<div class="stack decided-${how}" data-focus="decided" tabindex="-1">
    ${line(icon(looks[how]), html`${words}${received(view, one)}`)} ${passkeyLine(one.passkey)}
    ${one.reason === null ? nothing : html`<blockquote class="said" dir="auto">${visible(one.reason)}</blockquote>`}
    ${how === 'rejected' ? html`<p class="quiet">${one.then === 'stop' ? t('Its work was stopped.') : t('The work may continue with a different approach.')}</p>` : nothing}
    ${how === 'amendmentRejected' ? staysInForce(view) : how === 'approved' ? termsOf(one) : nothing}
  </div>`;
}

function received({ received: now }: RfcView, { at }: Decided): unknown {
  if (!now) return nothing;
  const agent = bdi(now.agent);
  const words =
    now.at === undefined
      ? th('Waiting for {agent} to pick it up', { agent })
      : th('{agent} received it {time} later', { agent, time: timeTag(now.at, timeBetween(at, now.at)) });
  return html` · <span class="quiet" role="status">${words}</span>`;
}

function staysInForce(view: RfcView): TemplateResult | typeof nothing {
  const { approval } = view;
  if (!approval) return nothing;
  const { revision: n } = approval;
  return html`<p>${th('Revision {n} ({hash}) stays in force.', { n, hash: html`<code>${hashOf(view, n)}</code>` })}</p>
    ${termsOf(approval)}`;
}

interface Terms {
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
}

/** To a person, conditions and constraints are one: what agents must do. */
function termsOf({ conditions, constraints }: Terms): TemplateResult | typeof nothing {
  const all = [...conditions, ...constraints];
  if (all.length === 0) return nothing;
  return html`<div class="flow">
    <span class="quiet">${t('Agents must…')}</span>
    ${bullets(all.map(visible))}
  </div>`;
}

export function bar(page: Page, view: RfcView): TemplateResult {
  const { panel: open } = page.draft();
  const shownPanel = open !== 'none' && view.may[open] && !view.locked ? open : undefined;
  return html`<footer class="bar stack" data-focus=${barPlace} tabindex="-1" aria-label=${t('Decision')}>
    ${arrivedNote(page, view)} ${view.decided ? decisionView(view, view.decided) : nothing}
    ${view.inBrowser === undefined ? readOnly(page, view) : browserInBar(page, view.key, view.inBrowser)}
    <div class="bar-row flow">
      ${shownPanel === undefined ? buttons(page, view) : nothing} ${missingNote(page, view)}
      <div class="bar-facts stack">${blocks(page, view)} ${heldFiles(view)}</div>
    </div>
    ${shownPanel === undefined ? nothing : panel(page, view, shownPanel)}
  </footer>`;
}

function readOnly(page: Page, { locked }: RfcView): TemplateResult | typeof nothing {
  return locked ? lockedNote(locked.why, addKeyLink(page, locked.enrol)) : nothing;
}

/** A later revision than the displayed one. */
function arrivedNote(page: Page, view: RfcView): TemplateResult | typeof nothing {
  const { key, revision, latest, may } = view;
  if (revision === latest) return nothing;
  return notice(
    'info',
    'history',
    html`${may.approve ? t('Revision {n} is ready. Read it before approving.', { n: latest }) : t('You are reading revision {n}. The latest is {latest}.', { n: revision, latest })}
    ${link(t('Read revision {n}', { n: latest }), () => page.dispatch({ type: 'selectRevision', key, revision: latest }), { act: 'latest' })}`,
    { role: 'status' },
  );
}

/** "Blocks API tokens and 2 dependent items", which expands to names and file patterns. */
function blocks(page: Page, view: RfcView): TemplateResult {
  const { work, cascade, files, all } = view.blocks;
  if (work.length === 0 && cascade.count === 0 && (all !== undefined || files.length === 0))
    return html`<p class="quiet">${t('Holds no work')}</p>`;
  const open = page.isUnfolded('blocks');
  const named = work.slice(0, few).map(({ title }) => visibleText(title));
  const hidden = work.length - named.length;
  const words = [
    ...(named.length === 0 ? [] : [named.join(', ')]),
    ...(hidden > 0 ? [t('and {n} more', { n: hidden })] : []),
    ...(cascade.count > 0 ? [tn(cascade.count, '{n} dependent item', '{n} dependent items')] : []),
    ...(files.length > 0 && !all ? [tn(files.length, '{n} file pattern', '{n} file patterns')] : []),
  ];
  const holding = view.may.approve || view.may.requestChanges || view.may.reject;
  return html`<p class="flow">
      <span class="quiet">${holding ? t('Holds') : t('Held')}</span>
      ${link(html`<bdi>${words.join(' · ')}</bdi>`, () => page.unfold('blocks', !open), { kind: 'bar-blocks', expanded: open })}
    </p>
    ${open ? blockedText(view, cascade.count - cascade.named.length) : nothing}`;
}

/** Shown while a human holds every file. */
function heldFiles({ blocks: { all } }: RfcView): TemplateResult | typeof nothing {
  return all ? html`<p class="iconed" data-part="held-files">${allFilesLine(all)}</p>` : nothing;
}

const few = 2;

function blockedText({ blocks: { work, cascade, files, all } }: RfcView, unnamed: number): TemplateResult {
  const dependants = [...cascade.named.map(workLink), ...(unnamed > 0 ? [t('and {n} more', { n: unnamed })] : [])];
  const lines = [
    ...work.map(workLink),
    ...dependants.map((one) => html`<span class="quiet">${one}</span>`),
    ...(all ? [] : files.map(codeOf)),
  ];
  return bullets(lines, 'bar-list');
}

function workLink({ id, title }: WorkRef): TemplateResult {
  return html`<bdi title=${visibleText(id)}>${visible(title)}</bdi>`;
}

const labels = { approve: t('Approve'), requestChanges: t('Request changes'), reject: t('Reject') } as const;

/** First in the bar: the editor's notifications appear at the other end. */
function buttons(page: Page, view: RfcView): TemplateResult {
  const { may, locked } = view;
  const [why] = whyNotApproved(view);
  const [old] = notLatest(view);
  return html`<div class="actions">
    ${may.approve && !locked ? opener(page, 'approve', true, why) : nothing}
    ${may.requestChanges && !locked ? opener(page, 'requestChanges', false, old) : nothing}
    ${may.reject && !locked ? opener(page, 'reject', false, old) : nothing} ${moreMenu(page, view)}
  </div>`;
}

function opener(page: Page, panelName: keyof typeof labels, primary: boolean, why?: string): TemplateResult {
  const click = () => {
    if (why === undefined) page.openPanel(panelName);
    else
      page.explain(
        panelName === 'approve' ? t('You cannot approve yet: {why}', { why: visibleText(why) }) : visibleText(why),
      );
  };
  return button(t('{label}…', { label: labels[panelName] }), click, {
    ...{ primary, off: why !== undefined, act: `open-${panelName}`, focus: `open.${panelName}` },
    title: why === undefined ? undefined : visibleText(why),
  });
}
