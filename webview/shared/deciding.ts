/** Parts of forms that decide: heading, keys, buttons, confirmation, outcome, and who else must sign. */
import { html, nothing, type TemplateResult } from 'lit';
import type { People, Signer } from '../../src/ui/kit/view.ts';
import { button, byHuman, icon, link, notice, visible, visibleText, type IconName, bdi, line } from './elements.ts';
import type { FormPage } from './signing.ts';
import { t, th } from './strings.ts';

/** The name of the shortcut that sends, on this system. */
export const answerKeys = isMac() ? '⌘⏎' : 'Ctrl+Enter';
export const undoKeys = isMac() ? '⌘Z' : 'Ctrl+Z';

function isMac(): boolean {
  return navigator.platform.startsWith('Mac');
}

/** Ctrl/Cmd+Enter acts; Escape goes one step back. */
function onFormKey(page: FormPage, act: () => void): (event: KeyboardEvent) => void {
  return byHuman<KeyboardEvent>((event) => {
    if (event.isComposing || event.repeat) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      // The confirmation requires its own button.
      if (page.step() === 'form') act();
    } else if (event.key === 'Escape' && page.back()) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

interface FormLooks {
  /** Called by the keys that send. */
  readonly act?: () => void;
  /** An additional class. */
  readonly kind?: string;
  /** Its name, if the page has several. */
  readonly focus?: string;
  readonly labelledBy?: string;
}

/** The form element: never submits by itself, and can take focus if no field does. */
export function formOf(
  page: FormPage,
  content: TemplateResult,
  { act, kind = '', focus = 'form', labelledBy }: FormLooks = {},
): TemplateResult {
  return html`<form
    class="form ${kind}"
    aria-labelledby=${labelledBy ?? nothing}
    data-focus=${focus}
    tabindex="-1"
    aria-busy=${page.flight() === undefined ? 'false' : 'true'}
    @submit=${(event: Event) => {
      event.preventDefault();
    }}
    @keydown=${act === undefined ? nothing : onFormKey(page, act)}
  >
    ${content}
  </form>`;
}

/**
 * The button that decides, and the keys that do the same.
 * @param asksFirst whether a confirmation follows
 */
export function decideButton(label: string, act: () => void, asksFirst = false): TemplateResult {
  return button(asksFirst ? t('{label}…', { label }) : label, () => act(), {
    wide: true,
    primary: true,
    title: `${label} (${answerKeys})`,
    act: 'decide',
  });
}

/** In its place, until all that decides has been on the screen. */
export function readFirst(inTab: boolean, act: () => void): TemplateResult {
  return button(inTab ? t('Read on to answer') : t('Open to answer'), () => act(), {
    ...{ wide: true, primary: true },
    title: inTab
      ? t('Not everything that matters has been on the screen yet.')
      : t('Its tab shows everything that matters.'),
    act: inTab ? 'read-on' : 'open-to-answer',
  });
}

export function backButton(page: FormPage, back: () => void = page.back): TemplateResult {
  return button(t('Back'), back, { act: 'back' });
}

interface SecondStep {
  readonly ask: string;
  readonly content: unknown;
  readonly yes: string;
  readonly act: () => void;
}

/** The confirmation inside the form, with its own button. Nothing in it gets focus automatically. */
export function secondStep(page: FormPage, { ask, content, yes, act }: SecondStep): TemplateResult {
  return html`<section class="second-step" tabindex="-1" data-focus="confirm" aria-labelledby="second-step">
    <p class="iconed" id="second-step">${icon('warning', 'warning')}<strong>${ask}</strong></p>
    ${content}
    <div class="actions">
      ${button(yes, () => act(), { wide: true, primary: true, act: 'confirm', once: true })} ${backButton(page)}
    </div>
  </section>`;
}

/** At the first signature: its name, which git or the system has. */
export function signsAs({ name, editable }: Signer): TemplateResult | typeof nothing {
  if (!editable || name === '') return nothing;
  return html`<p class="quiet small" data-part="signs-as">
    ${th('Signed as {name}. You can change your name in “You and your devices”.', { name: bdi(name) })}
  </p>`;
}

/** Why the last act was refused. */
export function refusal(page: FormPage): TemplateResult | typeof nothing {
  const text = page.refusal();
  if (text === undefined) return nothing;
  return html`<div data-focus="refusal" tabindex="-1">${notice('error', 'error', text, { role: 'alert' })}</div>`;
}

/** What ends a form: who signs, why the last act was refused, and its buttons, unless the act is being sent. */
export function formEnd(page: FormPage, signer: Signer | undefined, buttons: unknown): TemplateResult {
  return html`${signer ? signsAs(signer) : nothing} ${refusal(page)} ${page.flight() ? waitingNote(page) : buttons}`;
}

/** While the host works. */
export function waitingNote(page: FormPage): TemplateResult {
  if (page.flight()?.slow === true) {
    return html`${notice('info', 'watch', t('This is taking longer than usual. Nothing is lost.'))}
      <div class="actions">${button(t('Try again'), () => page.again(), { wide: true, act: 'again' })}</div>`;
  }
  return html`<div class="sending">
    <span class="ring" aria-hidden="true"><vscode-progress-ring></vscode-progress-ring></span>${t('Sending…')}
  </div>`;
}

// Shared by all forms except a question's: the heading, the result, and the link back to the questions.

interface Leaves {
  readonly inTab: () => boolean;
  readonly dispatch: (message: { readonly type: 'back' }) => void;
}

export function wideTitle(name: IconName, title: unknown, folder: string | undefined): TemplateResult {
  return html`<h1 class="iconed plain-title">
    ${icon(name)}<span
      >${title}${folder === undefined ? nothing : html` <span class="quiet wide-folder">${bdi(folder)}</span>`}</span
    >
  </h1>`;
}

/** Leaves the form as it is; a tab is closed like any other. */
export function leave(page: Leaves): TemplateResult | typeof nothing {
  if (page.inTab()) return nothing;
  return button(t('Back'), () => page.dispatch({ type: 'back' }), { act: 'leave' });
}

/** The result of the last act of a form that stays open. */
export function doneNote(page: { readonly done: () => string | undefined }): TemplateResult | typeof nothing {
  const text = page.done();
  return text === undefined ? nothing : notice('info', 'pass', visible(text), { focus: 'result' });
}

/** Whether its fields cannot be edited now. */
export function isFrozen(page: FormPage, view: { readonly locked?: string | undefined }): boolean {
  return view.locked !== undefined || page.flight() !== undefined || page.step() === 'confirm';
}

/** Why nothing can be decided here now. */
export function lockedNote(why: string, more: unknown = nothing): TemplateResult {
  return notice('info', 'lock', html`<strong>${t('Read-only')}.</strong> ${visible(why)} ${more}`);
}

/** Leads to the form that adds this editor's key, where only that is missing. */
export function addKeyLink(
  page: { readonly dispatch: (message: { readonly type: 'openForm'; readonly key: string }) => void },
  key: string | undefined,
): TemplateResult | typeof nothing {
  if (key === undefined) return nothing;
  return link(t('Add this editor’s key…'), () => page.dispatch({ type: 'openForm', key }), { act: 'enrol' });
}

// Decisions that only a passkey signs: why, and the button that opens the page of the browser.

interface Page {
  readonly dispatch: (message: { readonly type: 'openInBrowser'; readonly key: string }) => void;
}

function browserButton(page: Page, key: string, wide: boolean): TemplateResult {
  return button(t('Answer in the Browser…'), () => page.dispatch({ type: 'openInBrowser', key }), {
    ...{ wide, primary: true, act: 'open-in-browser' },
  });
}

/** In place of the button that decides. */
export function browserFirst(page: Page, key: string, why: string, more?: unknown): TemplateResult {
  return html`<div class="acts" data-focus="form" tabindex="-1" data-part="browser">
    ${whyThere(why)}
    <div class="actions">${browserButton(page, key, true)}${more ?? nothing}</div>
  </div>`;
}

export function browserInBar(page: Page, key: string, why: string): TemplateResult {
  return html`<div data-part="browser">
    ${whyThere(why)}
    <div class="actions">${browserButton(page, key, false)}</div>
  </div>`;
}

function whyThere(why: string): TemplateResult {
  return line(icon('shield'), visible(why), { kind: 'delivery' });
}

/** Where only some acts need the browser. */
export function browserNote(page: Page, key: string, why: string): TemplateResult {
  const open = () => {
    page.dispatch({ type: 'openInBrowser', key });
  };
  return notice(
    'info',
    'shield',
    html`${visible(why)} ${link(t('Open in the browser'), open, { act: 'open-in-browser' })}`,
  );
}

/** Under a decision: which passkey signed it. */
export function passkeyLine(passkey: string | undefined): TemplateResult | typeof nothing {
  if (passkey === undefined) return nothing;
  const label = visibleText(passkey);
  const words = t('Signed in a browser with the passkey “{label}”, verified by PIN or fingerprint', { label });
  return line(icon('shield'), words, { kind: 'delivery', part: 'passkey' });
}

// Decisions that need several people: who is needed, and who has signed so far.

type Fill = NonNullable<People['proposals'][number]['fill']>;

/** @param fill fills the form with what the others signed; undefined where nothing can be decided now */
export function peopleLines(
  people: People | undefined,
  fill: ((what: Fill) => void) | undefined,
): TemplateResult | typeof nothing {
  if (!people) return nothing;
  return html`<section class="people" data-part="people" aria-label=${t('People who must decide')}>
    ${line(icon('organization'), bdi(people.needs))}
    ${
      people.proposals.length === 0
        ? nothing
        : html`<ul class="people-signed">
            ${people.proposals.map(
              ({ text, mine, fill: what }) =>
                html`<li>
                  ${bdi(text)} ${mine ? html`<span class="quiet">${t('(you)')}</span>` : nothing}
                  ${
                    mine || what === undefined || fill === undefined
                      ? nothing
                      : link(t('Use this answer'), () => fill(what), { act: 'sign-same' })
                  }
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}
