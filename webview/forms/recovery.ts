/** The form for a store whose holds are unknown: the fault and three recovery options, each with what it loses. */
import { html, nothing, type TemplateResult } from 'lit';
import type { RecoveryView, RecoveryWay } from '../../src/ui/answer/editorForms.ts';
import { backButton, refusal, waitingNote } from '../shared/deciding.ts';
import { button, icon, visible } from '../shared/elements.ts';
import { field, hintFor, signsAs } from '../shared/fields.ts';
import { part } from '../shared/parts.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import type { OneFormPage } from './page.ts';

type Available = Extract<RecoveryView[RecoveryWay], { type: 'available' }>;

/** The chosen option and its confirmation so far. */
let draft:
  { readonly shown: string; readonly way: RecoveryWay; readonly ticked: boolean; readonly word: string } | undefined;

/** Expands or collapses a recovery option. */
function choose(page: OneFormPage, { shown }: RecoveryView, way: RecoveryWay | undefined): void {
  draft = way && { shown, way, ticked: false, word: '' };
  page.turn(way ? 'confirm' : 'form');
}

function edit(page: OneFormPage, change: Partial<Pick<NonNullable<typeof draft>, 'ticked' | 'word'>>): void {
  if (draft) draft = { ...draft, ...change };
  page.edited();
}

function recover(page: OneFormPage, target: RecoveryView, way: RecoveryWay, { confirm }: Available): void {
  const isTick = confirm.type === 'tick';
  const given = isTick ? draft?.ticked : draft?.word.trim() === confirm.word;
  const text = isTick
    ? t('Select the checkbox first: it lists what will be lost.')
    : t('Type “{word}” exactly as shown.', { word: confirm.word });
  page.attempt({
    ...{ target, lacking: given ? undefined : { field: 'confirm', text } },
    make: (marks) => ({ type: 'recover', ...marks, way, confirmation: isTick ? confirm.text : confirm.word }),
  });
}

const titles: Record<RecoveryWay, { title: string; act: string }> = {
  restore: { title: t('Restore the copy this editor keeps'), act: t('Restore the copy') },
  setAside: { title: t('Continue without the damaged part'), act: t('Continue without it') },
  startAnew: { title: t('Start over'), act: t('Start over') },
};

export function recovery(page: OneFormPage, view: RecoveryView): TemplateResult {
  const { detail } = view;
  return html`<article class="plain recovery">
    <h1 class="iconed plain-title">${icon('error', 'error')}${t('Holdpoint cannot tell which work is held')}</h1>
    <p><bdi>${visible(view.problem)}</bdi></p>
    <p class="quiet">
      ${t('All agents are paused until you choose a recovery option, because a damaged journal is never treated as an empty one.')}
    </p>
    ${part(page, 'detail', t('Details'), html`<pre class="snippet" dir="ltr" tabindex="0">${visible(detail)}</pre>`)}
    <h2 class="plain-head">${t('Recovery options')}</h2>
    <ul class="ways" data-focus="form" tabindex="-1">
      ${way(
        page,
        view,
        'restore',
        view.restore.type === 'available'
          ? th('Copied {time}', { time: timeTag(view.restore.copyFrom, ago(view.restore.copyFrom)) })
          : view.restore.why,
      )}
      ${way(page, view, 'setAside', view.setAside.type === 'available' ? view.setAside.line : view.setAside.why)}
      ${way(page, view, 'startAnew', view.startAnew.type === 'available' ? nothing : view.startAnew.why)}
    </ul>
  </article>`;
}

function way(page: OneFormPage, view: RecoveryView, name: RecoveryWay, about: unknown): TemplateResult {
  const chosen = view[name];
  const available = chosen.type === 'available';
  const open = draft?.way === name && draft.shown === view.shown;
  const busy = page.flight() !== undefined;
  return html`<li class="way ${available ? '' : 'way-closed'}">
    <div class="flow way-head">
      <div class="way-about">
        <h3 class="way-title">${titles[name].title}</h3>
        ${about === nothing ? nothing : html`<p class="quiet">${typeof about === 'string' ? visible(about) : about}</p>`}
      </div>
      ${
        available && !open && !busy
          ? button(t('Choose…'), () => choose(page, view, name), {
              act: `choose-${name}`,
              label: `${t('Choose…')} ${titles[name].title}`,
            })
          : nothing
      }
    </div>
    ${open && available ? confirm(page, view, name, chosen) : nothing}
  </li>`;
}

/** The confirmation: what will be lost, and a checkbox or a word to type. */
function confirm(page: OneFormPage, view: RecoveryView, name: RecoveryWay, chosen: Available): TemplateResult {
  const busy = page.flight() !== undefined;
  const sign =
    chosen.confirm.type === 'tick'
      ? html`<label class="tick">
          <input
            type="checkbox"
            data-focus="confirm"
            ?disabled=${busy}
            .checked=${draft?.ticked ?? false}
            @change=${() => {
              edit(page, { ticked: draft?.ticked !== true });
            }}
          />
          <span>${chosen.confirm.text}</span>
        </label>`
      : field(
          page,
          { type: 'line', name: 'confirm', label: t('Type “{word}” to continue', { word: chosen.confirm.word }) },
          {
            ...{ values: { confirm: draft?.word ?? '' }, disabled: busy },
            edit: ({ confirm: word = '' }) => edit(page, { word }),
          },
        );
  return html`<form
    class="way-confirm"
    @submit=${(event: Event) => {
      event.preventDefault();
    }}
  >
    <p class="iconed">
      ${icon('warning', 'warning')}<span><strong>${t('Permanently lost:')}</strong> ${visible(chosen.loses)}</span>
    </p>
    ${sign} ${chosen.confirm.type === 'tick' ? hintFor(page, 'confirm') : nothing} ${signsAs(view.answersAs)}
    ${refusal(page)}
    ${
      busy
        ? waitingNote(page)
        : html`<div class="actions">
            ${button(titles[name].act, () => recover(page, view, name, chosen), { wide: true, primary: true, act: 'recover', once: true })}
            ${backButton(page, () => choose(page, view, undefined))}
          </div>`
    }
  </form>`;
}
