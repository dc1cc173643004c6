/** The complete review: contents on the left, the document in the middle, threads next to it, the bar below. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { RfcStatus } from '../../src/core/records/rfc.ts';
import type { Reviewing, RfcView } from '../../src/ui/rfc/model.ts';
import { peopleLines, formEnd } from '../shared/deciding.ts';
import {
  icon,
  importedMark,
  link,
  notice,
  visible,
  visibleText,
  type IconName,
  bdi,
  bullets,
  picker,
} from '../shared/elements.ts';
import { markdown } from '../shared/markdown.ts';
import { heldChanges, part, history } from '../shared/parts.ts';
import { t, th } from '../shared/strings.ts';
import { ago, agoTag } from '../shared/time.ts';
import { bar } from './bar.ts';
import { contents, section } from './section.ts';
import type { Page } from './page.ts';
import { changesPlace, hashOf, inForce } from './draft.ts';

// Held files that have changed, below the header of a review.

function changes(page: Page, view: RfcView): TemplateResult | typeof nothing {
  const signer = view.changes?.here === true ? view.answersAs : undefined;
  return heldChanges(page, view, formEnd(page.at(changesPlace), signer, nothing));
}

// The RFC's title, status and displayed revision.

const statusWords = {
  draft: t('draft'),
  under_review: t('under review'),
  approved: t('approved'),
  rejected: t('rejected'),
  withdrawn: t('withdrawn'),
  implemented: t('implemented'),
};

const verdictWords = {
  approve: t('recommends approval; the decision is yours'),
  revise: t('asks for changes'),
};

const stageWords = {
  reviewing: t('In AI review'),
  questions_pending: t('The AI reviewer is still answering open questions'),
  awaiting_human: t('Ready for your review'),
};

/** Never by colour alone: each status has its own shape and word. */
const statusIcon: Record<RfcStatus, IconName> = {
  draft: 'edit',
  under_review: 'watch',
  approved: 'pass',
  rejected: 'circle-slash',
  withdrawn: 'close',
  implemented: 'check',
};

function header(page: Page, view: RfcView): TemplateResult {
  return html`<header class="rfc-head stack">
    <p class="facts rfc-facts">
      <span>${visible(view.id)}</span>
      <span class="rfc-status rfc-status-${view.status}"
        >${icon(statusIcon[view.status], 'inline')}${statusWords[view.status]}</span
      >
      <span><bdi class="cut ellipsis">${visible(view.agent)}</bdi></span>
      ${view.for === undefined ? nothing : html`<span>${th('for {who}', { who: bdi(view.for) })}</span>`}
      <span>${th('proposed {time}', { time: agoTag(view.proposedAt) })}</span>
      ${view.imported ? importedMark(view.imported) : nothing}
      ${view.folder === undefined ? nothing : html`<span><bdi class="cut ellipsis">${visible(view.folder)}</bdi></span>`}
      ${link(page.copied() ? t('copied') : t('copy link'), () => page.copyLink(), { kind: 'quiet-link', act: 'copy-link' })}
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
    ${view.unlisted === undefined ? nothing : notice('info', 'lock', visible(view.unlisted))} ${amendment(view)}
    ${view.reviewing ? reviewing(page, view, view.reviewing) : html`<p>${askLink(page, view)}</p>`}
    ${pickers(page, view)}
  </header>`;
}

function amendment(view: RfcView): TemplateResult | typeof nothing {
  const approval = inForce(view);
  if (!approval) return nothing;
  const values = { n: approval.revision, hash: hashOf(view, approval.revision) };
  const words =
    view.decided?.action === 'rejected'
      ? t('The amendment was rejected: revision {n} ({hash}) is approved and stays in force.', values)
      : t(
          'An amendment: revision {n} ({hash}) is approved and stays in force. The new revision is not approved.',
          values,
        );
  return notice('info', 'history', words);
}

/** The result of the AI review: marked as such, and never a decision. */
function reviewing(page: Page, view: RfcView, { stage, model, verdict, at, round, rounds, note, summary }: Reviewing) {
  const open = view.may.approve || view.may.requestChanges;
  const facts = [
    model === undefined || at === undefined
      ? nothing
      : html`<span>${th('{model} read it {time}', { model: bdi(model), time: agoTag(at) })}</span>`,
    verdict === undefined ? nothing : html`<span>${verdictWords[verdict]}</span>`,
    round === undefined || rounds === undefined
      ? nothing
      : html`<span>${t('round {n} of {of}', { n: round, of: rounds })}</span>`,
    note === undefined ? nothing : html`<span>${visible(note)}</span>`,
  ];
  return html`<div class="reviewing stack">
    <p class="facts" role="status">
      <span class="reviewing-stage"
        >${icon('sparkle', 'inline')}<strong>${open ? stageWords[stage] : t('AI review')}</strong></span
      >${facts} ${askLink(page, view)}
    </p>
    ${
      summary === undefined
        ? nothing
        : part(page, 'reviewing', t('AI review'), markdown(page, view.key, 'reviewing', summary))
    }
  </div>`;
}

/** A model reviews only on request. */
function askLink(page: Page, { key, may }: RfcView): TemplateResult | typeof nothing {
  if (!may.askReviewer) return nothing;
  return link(t('Ask the AI reviewer'), () => page.dispatch({ type: 'askReviewer', key }), { act: 'ask-reviewer' });
}

function pickers(page: Page, view: RfcView): TemplateResult {
  const { key, revisions, revision, compared, reviewed } = view;
  const others = revisions.filter(({ number }) => number < revision);
  const compare = (from: string) => {
    page.dispatch({ type: 'showDiff', key, ...(from === '0' ? {} : { from: Number(from) }) });
  };
  return html`<div class="pickers flow">
    ${picker({
      ...{ name: 'revision', label: t('Revision'), guarded: true, value: String(revision) },
      options: revisions.toReversed().map((one) => [String(one.number), revisionWords(view, one)]),
      pick: (number) => page.dispatch({ type: 'selectRevision', key, revision: Number(number) }),
    })}
    ${
      others.length === 0
        ? nothing
        : picker({
            ...{
              name: 'compare',
              label: t('Compare with'),
              guarded: true,
              value: String(compared ?? 0),
              pick: compare,
            },
            options: [
              ['0', t('nothing')],
              ...others
                .toReversed()
                .map(
                  ({ number: n }) =>
                    [String(n), n === reviewed ? t('{n}, your last review', { n }) : t('revision {n}', { n })] as const,
                ),
            ],
          })
    }
    ${
      reviewed === undefined || reviewed >= revision || compared === reviewed
        ? nothing
        : link(t('Changes since your last review'), () => page.dispatch({ type: 'showDiff', key, from: reviewed }), {
            act: 'since-review',
          })
    }
  </div>`;
}

function revisionWords(view: RfcView, { number, author, at }: RfcView['revisions'][number]): string {
  const option = t('{n} · {hash} · {by} · {when}', {
    ...{ n: number, hash: hashOf(view, number), by: visibleText(author), when: ago(at) },
  });
  return view.approval?.revision === number ? t('{option} · approved', { option }) : option;
}

export function review(page: Page, view: RfcView, narrow: boolean): TemplateResult {
  return html`<article class="rfc">
    ${link(t('To the decision'), () => document.querySelector<HTMLElement>('[data-focus="bar"]')?.focus(), { kind: 'skip' })}
    <div class="rfc-layout">
      ${contents(page, view, narrow)}
      <div class="rfc-document">
        ${header(page, view)} ${changes(page, view)}
        ${repeat(
          view.sections,
          ({ id }) => id,
          (one) => section(page, view, one),
        )}
        ${references(view)} ${history(page, t('History'), view.history)}
      </div>
    </div>
    ${bar(page, view)}
  </article>`;
}

const roleWords = { context: t('context'), reasoning: t('reasoning') };

function references({ references: all }: RfcView): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<div class="rfc-references">
    <h2>${t('Refers to')}</h2>
    ${bullets(all.map(({ id, role }) => html`<span class="quiet">${visible(id)}</span> ${roleWords[role]}`))}
  </div>`;
}
