/** How quickly humans answer agents. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { HumansView, SpansView } from '../../src/ui/dashboard/view.ts';
import { shownNumber, t, tn } from '../shared/strings.ts';
import { chart, longDay } from './chart.ts';
import { asTable, emptyState, figure, part, table, time } from './parts.ts';
import type { Page } from './page.ts';
import { urgencyWords } from '../shared/urgency.ts';

const urgencies = ['critical', 'high', 'medium', 'low'] as const;

export function humans(page: Page, view: HumansView): TemplateResult {
  const { waiting, answered, cancelled, released, withdrawn, expired, days } = view;
  const { time_to_answer: took, time_to_answer_by_urgency: tookByUrgency } = view;
  if (waiting + answered + cancelled + released + withdrawn + expired === 0)
    return emptyState(t('No questions yet.'), t('The number of questions and the time answers take appear here.'));
  const columns = urgencies.map((one) => ({
    name: urgencyWords[one],
    look: one,
    values: days.map(({ raised }) => raised[one]),
  }));
  return html`
    <p class="headline">${tn(waiting, '{n} question waiting', '{n} questions waiting')}</p>
    <dl class="figures">
      ${figure(t('Answered'), answered)} ${figure(t('Dismissed as no longer needed'), cancelled)}
      ${figure(t('Dismissed without an answer'), released)} ${figure(t('Withdrawn by agents'), withdrawn)}
      ${figure(t('Expired before a decision'), expired)}
    </dl>
    ${part(
      t('Time to answer'),
      table(
        t('Time to answer'),
        [
          { head: t('Urgency') },
          { head: t('Answers'), numeric: true },
          { head: t('Mean'), numeric: true },
          { head: t('Median'), numeric: true },
          { head: t('90% within'), numeric: true },
        ],
        [
          [t('all'), ...spanCells(took)],
          ...urgencies
            .filter((one) => tookByUrgency[one].count > 0)
            .map((one) => [urgencyWords[one], ...spanCells(tookByUrgency[one])]),
        ],
      ),
    )}
    ${part(
      t('Questions per day'),
      html`${chart({
        label: t('Questions asked per day by urgency, and how many were decided'),
        days: days.map(({ day }) => day),
        columns,
        over: { name: t('Decided'), look: 'decided', values: days.map(({ decided }) => decided) },
      })}
      ${asTable(page, 'humans.days', () =>
        table(
          t('Questions asked per day by urgency, and how many were decided'),
          [
            { head: t('Day') },
            ...urgencies.map((one) => ({ head: urgencyWords[one], numeric: true })),
            { head: t('Decided'), numeric: true },
          ],
          days.map(({ day, raised, decided }) => [longDay(day), ...urgencies.map((one) => raised[one]), decided]),
        ),
      )}`,
    )}
    ${part(
      t('Other figures'),
      html`<dl class="figures">
        ${figure(t('Reused answers'), view.reused)} ${figure(t('Answers revoked'), view.revoked)}
        ${figure(
          t('Answers from the AI reviewer'),
          view.ai_answers,
          view.ai_answers === 0 ? nothing : html`${shownNumber(view.ai_overruled)} ${t('rejected by a human')}`,
        )}
        ${figure(t('Follow-up calls to the AI reviewer'), view.reviewer_loops)}
      </dl>`,
    )}
  `;
}

export function spanCells({ count, mean_ms, median_ms, p90_ms }: SpansView): unknown[] {
  return [count, time(mean_ms), time(median_ms), time(p90_ms)];
}
