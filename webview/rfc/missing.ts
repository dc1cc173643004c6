/** Lists what prevents an approval; each entry is a link to its place. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import { link } from '../shared/buttons.ts';
import { icon } from '../shared/icons.ts';
import type { IconName } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { openQuestions, whyNotApproved } from './acts.ts';
import type { Page } from './page.ts';
import { questionPlace, replyTo } from './places.ts';
import { typeIcon } from './threads.ts';
import { typeWords } from './commentBox.ts';

interface Entry {
  readonly sign: IconName;
  readonly words: string;
  /** The target: a place of the page. */
  readonly place: string;
}

/** Longer lists start collapsed. */
const few = 3;

export function missing(page: Page, view: RfcView): TemplateResult | typeof nothing {
  if (!view.may.approve || view.locked) return nothing;
  const open = openQuestions(view).filter(({ key }) => !page.draft().waived.includes(key));
  if (whyNotApproved(view, page.draft().pending).length + open.length === 0)
    return html`<p class="bar-fact quiet" id="missing">${icon('check')}${t('Ready to approve')}</p>`;
  const all = entries(view, new Set(open.map(({ key }) => key)));
  const hidden = page.isUnfolded('missing') ? 0 : Math.max(0, all.length - few - 1);
  // Only a later revision prevents it, and the notice above says so.
  if (all.length + view.notYet.length === 0) return nothing;
  return html`<div class="missing" id="missing" data-focus="missing" tabindex="-1">
    <p class="bar-fact">${icon('warning', 'warning')}<span class="quiet">${t('To resolve before approving')}</span></p>
    <ul class="list missing-list">
      ${all.slice(0, hidden === 0 ? all.length : few).map((one) => html`<li>${jump(one)}</li>`)}
      ${view.notYet.map((text) => html`<li>${visible(text)}</li>`)}
      ${
        all.length <= few + 1
          ? nothing
          : html`<li>
              ${link(hidden === 0 ? t('Show less') : t('{n} more', { n: all.length - few }), () => page.unfold('missing', hidden > 0), { expanded: hidden === 0, act: 'all-missing' })}
            </li>`
      }
    </ul>
  </div>`;
}

function entries({ sections }: RfcView, open: ReadonlySet<string>): Entry[] {
  const threads = sections.flatMap((section) => section.threads.filter((one) => one.blocking && !one.resolved));
  const questions = sections.flatMap((section) => section.questions);
  return [
    ...threads.map(({ key, type, by, text }) => ({
      sign: typeIcon[type],
      words: t('{type} by {who}: {text}', { type: typeWords[type], who: by.name, text: oneLine(text) }),
      place: replyTo(key),
    })),
    ...questions
      .filter(({ key, standing }) => standing.type === 'waitsForHuman' || open.has(key))
      .map(({ key, text }) => ({ sign: 'question' as const, words: oneLine(text), place: questionPlace(key) })),
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
  return link(html`${icon(sign)}<bdi>${visibleText(words)}</bdi>`, go, { act: 'jump', kind: 'missing-entry' });
}
