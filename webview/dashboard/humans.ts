/** How quickly humans answer agents. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { HumansView, SpansView } from '../../src/protocol/dashboard/dashboard.ts';
import { shownNumber, t, tn } from '../shared/strings.ts';
import { chart, longDay } from './chart.ts';
import { asTable, emptyState, figure, part, table, time } from './parts.ts';
import type { Page } from './page.ts';

const urgencies = ['critical', 'high', 'medium', 'low'] as const;

export function humans(page: Page, view: HumansView): TemplateResult {
  const { waiting, answered, cancelled, released, withdrawn, expired, days } = view;
  const { time_to_answer: took, time_to_answer_by_urgency: tookByUrgency } = view;
  if (waiting + answered + cancelled + released + withdrawn + expired === 0)
    return emptyState(t('humans.empty'), t('humans.emptyMore'));
  const columns = urgencies.map((one) => ({
    name: t(`urgency.${one}`),
    look: one,
    values: days.map(({ raised }) => raised[one]),
  }));
  return html`
    <p class="headline">${tn('humans.waiting', waiting)}</p>
    <dl class="figures">
      ${figure(t('humans.answered'), answered)} ${figure(t('humans.cancelled'), cancelled)}
      ${figure(t('humans.released'), released)} ${figure(t('humans.withdrawn'), withdrawn)}
      ${figure(t('humans.expired'), expired)}
    </dl>
    ${part(
      t('humans.took'),
      table(
        t('humans.took'),
        [
          { head: t('humans.urgency') },
          { head: t('humans.count'), numeric: true },
          { head: t('humans.mean'), numeric: true },
          { head: t('humans.median'), numeric: true },
          { head: t('humans.p90'), numeric: true },
        ],
        [
          [t('humans.all'), ...spanCells(took)],
          ...urgencies
            .filter((one) => tookByUrgency[one].count > 0)
            .map((one) => [t(`urgency.${one}`), ...spanCells(tookByUrgency[one])]),
        ],
      ),
    )}
    ${part(
      t('humans.perDay'),
      html`${chart({
        label: t('humans.chart'),
        days: days.map(({ day }) => day),
        columns,
        over: { name: t('humans.decided'), look: 'decided', values: days.map(({ decided }) => decided) },
      })}
      ${asTable(page, 'humans.days', () =>
        table(
          t('humans.chart'),
          [
            { head: t('dash.day') },
            ...urgencies.map((one) => ({ head: t(`urgency.${one}`), numeric: true })),
            { head: t('humans.decided'), numeric: true },
          ],
          days.map(({ day, raised, decided }) => [longDay(day), ...urgencies.map((one) => raised[one]), decided]),
        ),
      )}`,
    )}
    ${part(
      t('humans.other'),
      html`<dl class="figures">
        ${figure(t('humans.reused'), view.reused)} ${figure(t('humans.revoked'), view.revoked)}
        ${figure(
          t('humans.aiAnswers'),
          view.ai_answers,
          view.ai_answers === 0 ? nothing : html`${shownNumber(view.ai_overruled)} ${t('humans.aiOverruled')}`,
        )}
        ${figure(t('humans.loops'), view.reviewer_loops)}
      </dl>`,
    )}
  `;
}

export function spanCells({ count, mean_ms, median_ms, p90_ms }: SpansView): unknown[] {
  return [count, time(mean_ms), time(median_ms), time(p90_ms)];
}
