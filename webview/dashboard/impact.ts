/** How much is held and by what: figures, the list, the graph, and the graph as a table. */
import { shownAgent } from '../../src/core/kit/persons.ts';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { ImpactView } from '../../src/ui/dashboard/view.ts';
import { t, tn } from '../shared/strings.ts';
import { since, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import { graph } from './graph.ts';
import { asTable, emptyState, firstOf, opens, part, table } from './parts.ts';
import type { Page } from './page.ts';
import { urgencyWords } from '../shared/urgency.ts';

const edgeWords = {
  holds: t('holds'),
  part_of: t('has the step'),
  depends_on: t('is needed by'),
};

export function impact(page: Page, view: ImpactView): TemplateResult {
  if (view.holders.length === 0)
    return emptyState(
      t('Nothing is held.'),
      t('When an agent stops to ask, the work it holds and everything that depends on it appears here.'),
    );
  const { shown, more } = firstOf(page, 'impact.holders', view.holders, firstHolders);
  return html`
    <p class="headline">
      ${tn(view.held_workflows, '{n} workflow held', '{n} workflows held')}<span class="quiet"> · </span
      >${tn(view.held_tasks, '{n} task held', '{n} tasks held')}
    </p>
    ${part(
      t('Biggest blockers'),
      table(
        t('Biggest blockers'),
        [
          { head: t('What') },
          { head: t('Urgency') },
          { head: t('Agent') },
          { head: t('Waits') },
          { head: t('Workflows'), numeric: true },
          { head: t('Tasks'), numeric: true },
        ],
        shown.map((holder) => [
          opens(page, holder),
          holder.urgency === null ? t('RFC') : urgencyWords[holder.urgency],
          html`<bdi>${visible(shownAgent(holder.agent_id, view.own ?? null))}</bdi>`,
          timeTag(holder.since, since(holder.since)),
          holder.workflows,
          holder.tasks,
        ]),
      ),
      more,
    )}
    ${part(t('Dependency graph'), html`${graph(page, view)} ${asTable(page, 'impact.edges', () => edges(view))}`)}
  `;
}

/** Long lists are collapsed so that the graph below stays in view. */
const firstHolders = 10;

/** The graph's edges as a table. */
function edges(view: ImpactView): TemplateResult {
  const names = new Map(view.nodes.map(({ id, name }) => [id, name]));
  const named = (id: string) =>
    html`<bdi>${visible(names.get(id) ?? id)}</bdi> <span class="quiet">${visible(id)}</span>`;
  return table(
    t('Dependency graph'),
    [{ head: t('Stops') }, { head: t('How') }, { head: t('Stopped') }],
    view.edges.map(({ from, to, kind }) => [named(from), edgeWords[kind], named(to)]),
  );
}
