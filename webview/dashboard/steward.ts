/** How healthy the queue of requests is. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { StewardView } from '../../src/protocol/dashboard/dashboard.ts';
import { t, tn } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import { chart, longDay } from './chart.ts';
import { spanCells } from './humans.ts';
import { asTable, emptyState, part, table } from './parts.ts';
import type { Page } from './page.ts';

export function steward(page: Page, view: StewardView): TemplateResult {
  if (Object.keys(view.by_status).length === 0) return emptyState(t('queue.empty'), t('queue.emptyMore'));
  const { days, by_target: targets } = view;
  const numeric = (head: string) => ({ head, numeric: true });
  return html`
    <p class="headline">${tn('queue.depth', view.depth)}</p>
    ${table(
      t('dash.steward'),
      [
        { head: t('queue.step') },
        numeric(t('queue.count')),
        numeric(t('humans.mean')),
        numeric(t('humans.median')),
        numeric(t('humans.p90')),
        numeric(t('queue.breachesHead')),
      ],
      [
        [t('queue.response'), ...spanCells(view.response), view.response_breaches],
        [t('queue.completion'), ...spanCells(view.completion), view.completion_breaches],
      ],
    )}
    ${part(
      t('queue.targets'),
      table(
        t('queue.targets'),
        [{ head: t('queue.target') }, numeric(t('queue.depthHead')), numeric(t('queue.breachesHead'))],
        targets.map(({ target, depth, breaches }) => [html`<bdi>${visible(target)}</bdi>`, depth, breaches]),
      ),
    )}
    ${part(
      t('queue.overTime'),
      html`${chart({
        label: t('queue.chart'),
        days: days.map(({ day }) => day),
        columns: [
          { name: t('queue.created'), look: 'created', values: days.map(({ created }) => created) },
          { name: t('queue.closed'), look: 'closed', values: days.map(({ closed }) => closed) },
        ],
        over: { name: t('queue.open'), look: 'decided', values: days.map(({ depth }) => depth) },
      })}
      ${asTable(page, 'steward.days', () =>
        table(
          t('queue.chart'),
          [
            { head: t('dash.day') },
            numeric(t('queue.created')),
            numeric(t('queue.closed')),
            numeric(t('queue.open')),
            numeric(t('queue.breachesHead')),
          ],
          days.map(({ day, created, closed, depth, breaches }) => [longDay(day), created, closed, depth, breaches]),
        ),
      )}`,
    )}
  `;
}
