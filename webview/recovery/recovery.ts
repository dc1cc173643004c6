/** The form for a store whose holds are unknown: the fault and three recovery options, each with what it loses. */
import { html, nothing, type TemplateResult } from 'lit';
import type { RecoverMessage } from '../../src/ui/answer/messages.ts';
import type { Confirmation, RecoveryView, RecoveryWay } from '../../src/ui/answer/recovery.ts';
import { backButton, refusal, waiting } from '../shared/deciding.ts';
import { button, icon, visible } from '../shared/elements.ts';
import { hintFor, signsAs } from '../shared/fields.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';
import { part } from '../shared/parts.ts';
import type { Missing } from '../shared/signing.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';

/** The chosen option and its confirmation so far. */
export interface RecoveryDraft {
  readonly way: RecoveryWay;
  readonly ticked: boolean;
  readonly word: string;
}

interface RecoveryActsOptions {
  readonly acts: FormActs<RecoverMessage>;
  readonly view: () => RecoveryView | undefined;
}

type RecoveryPage = OneFormPage & ReturnType<typeof createRecoveryActs>['acts'];

export function createRecoveryActs({ acts, view }: RecoveryActsOptions) {
  let draft: RecoveryDraft | undefined;
  return {
    reset: (): void => {
      draft = undefined;
    },

    acts: {
      recovery: (): RecoveryDraft | undefined => draft,

      /** Expands or collapses a recovery option. */
      chooseWay: (way: RecoveryWay | undefined): void => {
        draft = way && { way, ticked: false, word: '' };
        acts.turn(way ? 'confirm' : 'form');
      },

      editRecovery: (change: Partial<Omit<RecoveryDraft, 'way'>>): void => {
        if (!draft) return;
        draft = { ...draft, ...change };
        acts.edited();
      },

      recover: (): void => {
        const target = view();
        if (!target || !draft) return;
        const { way } = draft;
        const chosen = target[way];
        if (chosen.type !== 'available') return;
        const given = confirmationOf(chosen.confirm, draft);
        const [confirmation, lacking] = typeof given === 'string' ? [given, undefined] : ['', given];
        acts.attempt({ target, lacking, make: (marks) => ({ type: 'recover', ...marks, way, confirmation }) });
      },
    },
  };
}

function confirmationOf(confirm: Confirmation, draft: RecoveryDraft): string | Missing {
  if (confirm.type === 'tick') {
    return draft.ticked
      ? confirm.text
      : { field: 'confirm', text: t('Select the checkbox first: it lists what will be lost.') };
  }
  if (draft.word.trim() === confirm.word) return confirm.word;
  return { field: 'confirm', text: t('Type “{word}” exactly as shown.', { word: confirm.word }) };
}

const titles: Record<RecoveryWay, { title: string; act: string }> = {
  restore: { title: t('Restore the copy this editor keeps'), act: t('Restore the copy') },
  setAside: { title: t('Continue without the damaged part'), act: t('Continue without it') },
  startAnew: { title: t('Start over'), act: t('Start over') },
};

export function recovery(page: RecoveryPage, view: RecoveryView): TemplateResult {
  const { detail } = view;
  return html`<article class="plain recovery">
    <h1 class="plain-title">${icon('error', 'error')}${t('Holdpoint cannot tell which work is held')}</h1>
    <p><bdi>${visible(view.problem)}</bdi></p>
    <p class="quiet">
      ${t('All agents are paused until you choose a recovery option, because a damaged journal is never treated as an empty one.')}
    </p>
    ${
      detail === undefined
        ? nothing
        : part(page, 'detail', t('Details'), html`<pre class="snippet" dir="ltr" tabindex="0">${visible(detail)}</pre>`)
    }
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

function way(page: RecoveryPage, view: RecoveryView, name: RecoveryWay, about: unknown): TemplateResult {
  const open = page.recovery()?.way === name;
  const available = view[name].type === 'available';
  const busy = page.flight() !== undefined;
  return html`<li class="way ${available ? '' : 'way-closed'}">
    <div class="way-head">
      <div class="way-about">
        <h3 class="way-title">${titles[name].title}</h3>
        ${about === nothing ? nothing : html`<p class="quiet">${typeof about === 'string' ? visible(about) : about}</p>`}
      </div>
      ${
        available && !open && !busy
          ? button(t('Choose…'), () => page.chooseWay(name), {
              act: `choose-${name}`,
              label: `${t('Choose…')} ${titles[name].title}`,
            })
          : nothing
      }
    </div>
    ${open ? confirm(page, view, name, busy) : nothing}
  </li>`;
}

/** The confirmation: what will be lost, and a checkbox or a word to type. */
function confirm(
  page: RecoveryPage,
  view: RecoveryView,
  name: RecoveryWay,
  busy: boolean,
): TemplateResult | typeof nothing {
  const chosen = view[name];
  const draft = page.recovery();
  if (chosen.type !== 'available' || !draft) return nothing;
  const sign =
    chosen.confirm.type === 'tick'
      ? html`<vscode-checkbox
          data-focus="confirm"
          ?disabled=${busy}
          .checked=${draft.ticked}
          @change=${(event: Event) => {
            page.editRecovery({ ticked: (event.currentTarget as HTMLInputElement).checked });
          }}
          >${chosen.confirm.text}</vscode-checkbox
        >`
      : html`<vscode-text-field
          class="wide"
          data-focus="confirm"
          ?disabled=${busy}
          .value=${draft.word}
          @input=${(event: Event) => {
            page.editRecovery({ word: (event.currentTarget as HTMLInputElement).value });
          }}
          >${t('Type “{word}” to continue', { word: chosen.confirm.word })}</vscode-text-field
        >`;
  return html`<form
    class="way-confirm"
    @submit=${(event: Event) => {
      event.preventDefault();
    }}
  >
    <p class="way-loses">
      ${icon('warning', 'warning')}<span><strong>${t('Permanently lost:')}</strong> ${visible(chosen.loses)}</span>
    </p>
    ${sign} ${hintFor(page, 'confirm')} ${signsAs(view.answersAs)} ${refusal(page)}
    ${
      busy
        ? waiting(page)
        : html`<div class="actions">
            ${button(titles[name].act, () => page.recover(), { wide: true, primary: true, act: 'recover', once: true })}
            ${backButton(page, () => page.chooseWay(undefined))}
          </div>`
    }
  </form>`;
}
