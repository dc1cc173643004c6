/** The page's one state: the host's latest snapshot, and what is expanded. Renders nothing, decides nothing. */
import { dashboardTabs } from './tabNames.ts';
import type { DashboardMessage, DashboardTab } from '../../src/ui/dashboard/messages.ts';
import type { DashboardSnapshot } from '../../src/ui/dashboard/view.ts';
import type { Host } from '../shared/vscode.ts';

/** Kept over reloads: the reader's position. */
export interface Saved {
  readonly tab: DashboardTab;
  /** Charts whose tables are open. */
  readonly unfolded: readonly string[];
}

export function parseSaved(value: unknown): Saved | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { tab, unfolded } = value as Readonly<Record<string, unknown>>;
  const known = dashboardTabs.find((one) => one === tab);
  if (known === undefined || !Array.isArray(unfolded)) return undefined;
  return { tab: known, unfolded: unfolded.filter((one) => typeof one === 'string') };
}

export type Page = ReturnType<typeof createPage>;

export function createPage({ host, changed }: { host: Host<DashboardMessage, Saved>; changed: () => void }) {
  let snapshot: DashboardSnapshot | undefined;
  const restored = host.restore();
  let saved: Saved = restored ?? { tab: 'impact', unfolded: [] };
  let focus: string | undefined;
  /** The graph's scale; null fits it to the width. */
  let scale: number | null = null;
  /** The node of the graph with keyboard focus. */
  let current: string | undefined;

  function save(next: Partial<Saved>): void {
    saved = { ...saved, ...next };
    host.save(saved);
  }

  return {
    begin: (): void => {
      host.post({ type: 'ready', ...(restored ? { tab: restored.tab } : {}) });
    },
    receive: (next: DashboardSnapshot): void => {
      snapshot = next;
      if (next.view.type === 'dashboard' && next.view.data.tab !== saved.tab) save({ tab: next.view.data.tab });
      changed();
    },
    snapshot: () => snapshot,
    dispatch: (message: DashboardMessage): void => {
      host.post(message);
    },
    showTab: (tab: DashboardTab): void => {
      focus = `#tab-${tab}`;
      host.post({ type: 'tab', tab });
    },
    takeFocus: (): string | undefined => {
      const place = focus;
      focus = undefined;
      return place;
    },
    isUnfolded: (name: string): boolean => saved.unfolded.includes(name),
    unfold: (name: string, open: boolean): void => {
      const others = saved.unfolded.filter((one) => one !== name);
      save({ unfolded: open ? [...others, name] : others });
      changed();
    },
    scale: () => scale,
    zoom: (to: number | null): void => {
      scale = to === null ? null : Math.min(3, Math.max(0.2, to));
      changed();
    },
    current: () => current,
    moveTo: (node: string): void => {
      current = node;
      focus = `[data-node="${CSS.escape(node)}"]`;
      changed();
    },
  };
}
