/** The graph of holders, held work and dependents, as large as its words: it scrolls, and arrow keys move. */
import { curveBasis, line } from 'd3-shape';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { shownAgent } from '../../src/core/kit/persons.ts';
import type { ImpactView } from '../../src/ui/dashboard/view.ts';
import { emptyState, urgencyWords, visible, visibleText } from '../shared/elements.ts';
import { t, tn } from '../shared/strings.ts';
import { timeSince, timeTag } from '../shared/time.ts';
import { asTable, firstOf, opens, part, table, type Page } from './page.ts';
import { Graph, layout as place } from '@dagrejs/dagre';

// Positions of the graph’s nodes, by dagre: holders on the left, dependents on the right. Pure.

type Node = ImpactView['nodes'][number];

interface PlacedNode extends Node {
  readonly x: number;
  readonly y: number;
}

interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: ImpactView['edges'][number]['kind'];
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  /** The total, which exceeds `nodes` when only the first are drawn. */
  readonly all: number;
}

const box = { width: 184, height: 40 };
/** More would be unreadable and slow to lay out; the table lists all of them. */
const drawnAtMost = 250;

export function layout(view: Pick<ImpactView, 'nodes' | 'edges'>): Layout {
  const nodes = view.nodes.slice(0, drawnAtMost);
  // Agents choose ids, and the layout keeps its nodes in plain objects: a key such as `constructor` already exists there.
  const names = new Map(nodes.map(({ id }, index) => [id, String(index)]));
  const name = (id: string) => names.get(id) ?? '';
  const edges = view.edges.filter(({ from, to }) => names.has(from) && names.has(to));
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 56, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(name(id), { ...box });
  for (const { from, to } of edges) graph.setEdge(name(from), name(to));
  place(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const { x = 0, y = 0 } = graph.node(name(node.id)) as { x?: number; y?: number };
      return { ...node, x, y };
    }),
    edges: edges.map(({ from, to, kind }) => ({
      from,
      to,
      kind,
      points: (graph.edge(name(from), name(to)) as { points?: { x: number; y: number }[] }).points ?? [],
    })),
    all: view.nodes.length,
  };
}

/** The node an arrow key leads to: along the lines to either side, else to the next one above or below. */
export function neighbour({ nodes, edges }: Layout, from: string, key: string): string | undefined {
  const here = nodes.find(({ id }) => id === from);
  if (!here) return nodes[0]?.id;
  const candidates = {
    ArrowRight: () => nodes.filter(({ id }) => edges.some((edge) => edge.from === from && edge.to === id)),
    ArrowLeft: () => nodes.filter(({ id }) => edges.some((edge) => edge.to === from && edge.from === id)),
    ArrowDown: () => nodes.filter(({ x, y }) => Math.abs(x - here.x) < box.width / 2 && y > here.y),
    ArrowUp: () => nodes.filter(({ x, y }) => Math.abs(x - here.x) < box.width / 2 && y < here.y),
    Home: () => nodes.slice(0, 1),
    End: () => nodes.slice(-1),
  }[key];
  return candidates?.().sort((a, b) => Math.abs(a.y - here.y) - Math.abs(b.y - here.y))[0]?.id;
}

const kindWords = {
  question: t('question'),
  rfc: t('RFC'),
  task: t('task'),
  workflow: t('workflow'),
};

/** Laid out once per content; the passing of time does not change the layout. */
let known: { readonly of: string; readonly layout: Layout } | undefined;

function laidOut({ nodes, edges }: ImpactView): Layout {
  const of = JSON.stringify([nodes, edges]);
  if (known?.of !== of) known = { of, layout: layout({ nodes, edges }) };
  return known.layout;
}

const path = line<{ x: number; y: number }>()
  .x(({ x }) => x)
  .y(({ y }) => y)
  .curve(curveBasis);

function graph(page: Page, view: ImpactView): TemplateResult {
  const placed = laidOut(view);
  const current = placed.nodes.some(({ id }) => id === page.current()) ? page.current() : placed.nodes[0]?.id;
  return html`<p class="quiet small">${t('Arrow keys follow the lines. Enter opens an item.')}</p>
    <div class="graph scroll-x">
      <svg
        viewBox=${`0 0 ${placed.width} ${placed.height}`}
        width=${placed.width}
        height=${placed.height}
        role="group"
        aria-label=${tn(placed.nodes.length, 'Graph: {n} item', 'Graph: {n} items')}
      >
        <defs>
          ${svg`<marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow" d="M0,0 L8,4 L0,8 z"></path></marker>`}
        </defs>
        ${placed.edges.map((edge) => edgeLine(edge))}
        ${placed.nodes.map((node) => nodeBox(page, placed, node, node.id === current))}
      </svg>
    </div>
    ${
      placed.all > placed.nodes.length
        ? html`<p class="quiet">
            ${t('Showing the first {n} of {all}. The table below lists all of them.', { n: placed.nodes.length, all: placed.all })}
          </p>`
        : nothing
    }`;
}

function edgeLine({ kind, points }: PlacedEdge): TemplateResult<2> {
  return svg`<path class="edge edge-${kind}" d=${path([...points]) ?? ''} marker-end="url(#arrow)"></path>`;
}

const textAtMost = 25;

function nodeBox(page: Page, placed: Layout, node: PlacedNode, current: boolean): TemplateResult<2> {
  const { id, kind, name, x, y } = node;
  const kindWord = kindWords[kind];
  const open = () => {
    page.dispatch({ type: kind === 'question' || kind === 'rfc' ? 'open' : 'work', id });
  };
  const text = visibleText(name);
  return svg`<g
    class="node node-${kind}"
    transform=${`translate(${x - box.width / 2},${y - box.height / 2})`}
    role="button"
    tabindex=${current ? '0' : '-1'}
    data-node=${id}
    aria-label=${`${kindWord}: ${text} (${visibleText(id)})`}
    @click=${open}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        open();
        return;
      }
      const next = neighbour(placed, id, event.key);
      if (next === undefined) return;
      event.preventDefault();
      page.moveTo(next);
    }}
  ><title>${`${text} (${visibleText(id)})`}</title>
    <rect width=${box.width} height=${box.height} rx="4"></rect>
    <text class="node-name" x="8" y="17">${text.length > textAtMost ? `${text.slice(0, textAtMost - 1)}…` : text}</text>
    <text class="node-kind" x="8" y="32">${`${kindWord} · ${visibleText(id).slice(0, 20)}`}</text>
  </g>`;
}

// How much is held and by what: figures, the list, the graph, and the graph as a table.

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
      t('Longest holds'),
      table(
        t('Longest holds'),
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
          timeTag(holder.since, timeSince(holder.since)),
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
