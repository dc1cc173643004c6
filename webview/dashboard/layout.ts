/** Positions of the graph’s nodes, by dagre: holders on the left, dependents on the right. Pure. */
import { Graph, layout as place } from '@dagrejs/dagre';
import type { ImpactView } from '../../src/ui/dashboard/view.ts';

export type Node = ImpactView['nodes'][number];

export interface PlacedNode extends Node {
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: ImpactView['edges'][number]['kind'];
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  /** The total, which exceeds `nodes` when only the first are drawn. */
  readonly all: number;
}

export const box = { width: 184, height: 40 };
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
