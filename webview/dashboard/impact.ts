/** How much is held and by what: figures, the list, the graph, and the graph as a table. */
import { shownAgent } from '../../src/core/kit/persons.ts';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { ImpactView } from '../../src/protocol/dashboard/dashboard.ts';
import { t, tn } from '../shared/strings.ts';
import { since, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import { graph } from './graph.ts';
import { asTable, emptyState, firstOf, opens, part, table } from './parts.ts';
import type { Page } from './page.ts';

export function impact(page: Page, view: ImpactView): TemplateResult {
  if (view.holders.length === 0) return emptyState(t('impact.empty'), t('impact.emptyMore'));
  const { shown, more } = firstOf(page, 'impact.holders', view.holders, firstHolders);
  return html`
    <p class="headline">
      ${tn('impact.workflows', view.held_workflows)}<span class="quiet"> · </span>${tn('impact.tasks', view.held_tasks)}
    </p>
    ${part(
      t('impact.holders'),
      table(
        t('impact.holders'),
        [
          { head: t('impact.what') },
          { head: t('humans.urgency') },
          { head: t('impact.who') },
          { head: t('impact.waits') },
          { head: t('impact.workflowsHead'), numeric: true },
          { head: t('impact.tasksHead'), numeric: true },
        ],
        shown.map((holder) => [
          opens(page, holder),
          holder.urgency === null ? t('impact.rfc') : t(`urgency.${holder.urgency}`),
          html`<bdi>${visible(shownAgent(holder.agent_id, view.own ?? null))}</bdi>`,
          timeTag(holder.since, since(holder.since)),
          holder.workflows,
          holder.tasks,
        ]),
      ),
      more,
    )}
    ${part(t('impact.graph'), html`${graph(page, view)} ${asTable(page, 'impact.edges', () => edges(view))}`)}
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
    t('impact.graph'),
    [{ head: t('impact.from') }, { head: t('impact.how') }, { head: t('impact.to') }],
    view.edges.map(({ from, to, kind }) => [named(from), t(`impact.${kind}`), named(to)]),
  );
}
