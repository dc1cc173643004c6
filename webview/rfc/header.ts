/** The RFC's title, status and displayed revision. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link, notice } from '../shared/buttons.ts';
import type { Reviewing, Revision, RfcStatus, RfcView } from '../../src/protocol/rfc/rfc.ts';
import { part } from '../shared/folding.ts';
import { icon } from '../shared/icons.ts';
import type { IconName } from '../shared/icons.ts';
import { importedMark } from '../shared/imported.ts';
import { markdown } from '../shared/markdownSlot.ts';
import { peopleLines } from '../shared/people.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { byHuman } from '../shared/trusted.ts';
import { visible, visibleText } from '../shared/visible.ts';
import type { Page } from './page.ts';

/** Never by colour alone: each status has its own shape and word. */
const statusIcon: Record<RfcStatus, IconName> = {
  draft: 'edit',
  under_review: 'watch',
  approved: 'pass',
  rejected: 'circle-slash',
  withdrawn: 'close',
  implemented: 'check',
};

export function header(page: Page, view: RfcView): TemplateResult {
  return html`<header class="rfc-head">
    <p class="facts rfc-facts">
      <span>${visible(view.id)}</span>
      <span class="rfc-status rfc-status-${view.status}"
        >${icon(statusIcon[view.status])}${t(`rfc.status.${view.status}`)}</span
      >
      <span><bdi class="ellipsis">${visible(view.agent)}</bdi></span>
      ${view.for === undefined ? nothing : html`<span>${th('rfc.for', { who: html`<bdi>${visible(view.for)}</bdi>` })}</span>`}
      <span>${th('rfc.proposed', { time: timeTag(view.proposedAt, ago(view.proposedAt)) })}</span>
      ${view.imported ? importedMark(view.imported) : nothing}
      ${view.folder === undefined ? nothing : html`<span><bdi class="ellipsis">${visible(view.folder)}</bdi></span>`}
      ${link(page.copied() ? t('foot.copied') : t('foot.copyLink'), () => page.copyLink(), { kind: 'quiet-link', act: 'copy-link' })}
    </p>
    <h1 class="rfc-title" data-focus="top" tabindex="-1" dir="auto">${visible(view.title)}</h1>
    ${peopleLines(
      view.people,
      view.locked === undefined
        ? (what) => {
            if ('conditions' in what) page.fillWith(what);
          }
        : undefined,
    )}
    ${view.unlisted === undefined ? nothing : notice('info', 'lock', visible(view.unlisted))}
    ${view.inForce ? amendment(view, view.inForce) : nothing}
    ${view.reviewing ? reviewing(page, view, view.reviewing) : html`<p>${askLink(page, view)}</p>`}
    ${pickers(page, view)}
  </header>`;
}

function amendment({ decided }: RfcView, { revision, hash }: NonNullable<RfcView['inForce']>): TemplateResult {
  const words = decided?.type === 'amendmentRejected' ? 'rfc.amendmentRejected' : 'rfc.amendment';
  return notice('info', 'history', t(words, { n: revision, hash: visibleText(hash) }));
}

/** The result of the AI review: marked as such, and never a decision. */
function reviewing(page: Page, view: RfcView, { stage, model, verdict, at, round, rounds, note, summary }: Reviewing) {
  const open = view.may.approve || view.may.requestChanges;
  const facts = [
    model === undefined || at === undefined
      ? nothing
      : html`<span
          >${th('rfc.review.by', { model: html`<bdi>${visible(model)}</bdi>`, time: timeTag(at, ago(at)) })}</span
        >`,
    verdict === undefined ? nothing : html`<span>${t(`rfc.review.${verdict}`)}</span>`,
    round === undefined || rounds === undefined
      ? nothing
      : html`<span>${t('rfc.review.round', { n: round, of: rounds })}</span>`,
    note === undefined ? nothing : html`<span>${visible(note)}</span>`,
  ];
  return html`<div class="reviewing">
    <p class="facts" role="status">
      <span class="reviewing-stage"
        >${icon('sparkle')}<strong>${t(open ? `rfc.review.${stage}` : 'rfc.review.over')}</strong></span
      >${facts} ${askLink(page, view)}
    </p>
    ${
      summary === undefined
        ? nothing
        : part(page, 'reviewing', t('rfc.review.said'), markdown(page, view.key, 'reviewing', summary))
    }
  </div>`;
}

/** A model reviews only on request. */
function askLink(page: Page, { key, may }: RfcView): TemplateResult | typeof nothing {
  if (!may.askReviewer) return nothing;
  return link(t('rfc.review.ask'), () => page.dispatch({ type: 'askReviewer', key }), { act: 'ask-reviewer' });
}

/** Selects the displayed revision and the one to compare it with. */
function pickers(page: Page, view: RfcView): TemplateResult {
  const { key, revisions, revision, compared, reviewed } = view;
  const others = revisions.filter(({ number }) => number < revision);
  return html`<div class="pickers">
    <span class="picker">
      <label for="revision">${t('rfc.revision')}</label>
      <select
        id="revision"
        @change=${byHuman((event) => page.dispatch({ type: 'selectRevision', key, revision: Number((event.currentTarget as HTMLSelectElement).value) }))}
      >
        ${revisions
          .toReversed()
          .map(
            (one) =>
              html`<option value=${one.number} .selected=${one.number === revision}>${revisionWords(one)}</option>`,
          )}
      </select>
    </span>
    ${
      others.length === 0
        ? nothing
        : html`<span class="picker">
            <label for="compare">${t('rfc.compare')}</label>
            <select
              id="compare"
              @change=${byHuman((event) => {
                const from = Number((event.currentTarget as HTMLSelectElement).value);
                page.dispatch({ type: 'showDiff', key, ...(from === 0 ? {} : { from }) });
              })}
            >
              <option value="0" .selected=${compared === undefined}>${t('rfc.compareOff')}</option>
              ${others
                .toReversed()
                .map(
                  ({ number }) =>
                    html`<option value=${number} .selected=${number === compared}>
                      ${t(number === reviewed ? 'rfc.compareReviewed' : 'rfc.compareOther', { n: number })}
                    </option>`,
                )}
            </select></span
          >`
    }
    ${
      reviewed === undefined || reviewed >= revision || compared === reviewed
        ? nothing
        : link(t('rfc.sinceReview'), () => page.dispatch({ type: 'showDiff', key, from: reviewed }), {
            act: 'since-review',
          })
    }
  </div>`;
}

function revisionWords({ number, hash, by, at, approved }: Revision): string {
  const option = t('rfc.revisionOption', { n: number, hash: visibleText(hash), by: visibleText(by), when: ago(at) });
  return approved ? t('rfc.revisionApproved', { option }) : option;
}
