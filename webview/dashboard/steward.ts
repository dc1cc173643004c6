/** How healthy the queue of requests is. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { StewardView } from '../../src/ui/dashboard/view.ts';
import { t, tn } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import { chart, longDay } from './chart.ts';
import { spanCells } from './humans.ts';
import { asTable, emptyState, part, table } from './parts.ts';
import type { Page } from './page.ts';

export function steward(page: Page, view: StewardView): TemplateResult {
  if (Object.keys(view.by_status).length === 0)
    return emptyState(
      t('No requests yet.'),
      t('When one responsibility asks another to act, the queue and its response times appear here.'),
    );
  const { days, by_target: targets } = view;
  const numeric = (head: string) => ({ head, numeric: true });
  return html`
    <p class="headline">${tn(view.depth, '{n} request in the queue', '{n} requests in the queue')}</p>
    ${table(
      t('Requests'),
      [
        { head: t('Step') },
        numeric(t('Requests')),
        numeric(t('Mean')),
        numeric(t('Median')),
        numeric(t('90% within')),
        numeric(t('Breaches')),
      ],
      [
        [t('Response'), ...spanCells(view.response), view.response_breaches],
        [t('Completion'), ...spanCells(view.completion), view.completion_breaches],
      ],
    )}
    ${part(
      t('By responsibility'),
      table(
        t('By responsibility'),
        [{ head: t('Responsibility') }, numeric(t('Queue')), numeric(t('Breaches'))],
        targets.map(({ target, depth, breaches }) => [html`<bdi>${visible(target)}</bdi>`, depth, breaches]),
      ),
    )}
    ${part(
      t('Over the last days'),
      html`${chart({
        label: t('Requests created and closed per day, and how many were open at the end of it'),
        days: days.map(({ day }) => day),
        columns: [
          { name: t('Created'), look: 'created', values: days.map(({ created }) => created) },
          { name: t('Closed'), look: 'closed', values: days.map(({ closed }) => closed) },
        ],
        over: { name: t('Open'), look: 'decided', values: days.map(({ depth }) => depth) },
      })}
      ${asTable(page, 'steward.days', () =>
        table(
          t('Requests created and closed per day, and how many were open at the end of it'),
          [{ head: t('Day') }, numeric(t('Created')), numeric(t('Closed')), numeric(t('Open')), numeric(t('Breaches'))],
          days.map(({ day, created, closed, depth, breaches }) => [longDay(day), created, closed, depth, breaches]),
        ),
      )}`,
    )}
  `;
}
