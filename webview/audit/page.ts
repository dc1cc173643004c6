/** The page's one state: the host's latest snapshot and the filter. Decides nothing. */
import type { AuditFilter, AuditMessage } from '../../src/ui/dashboard/messages.ts';
import type { AuditSnapshot } from '../../src/ui/dashboard/audit.ts';
import type { Host } from '../shared/vscode.ts';

/** Kept over reloads: the reader's filter. */
export interface Saved {
  readonly filter: AuditFilter;
}

export const scopes = ['decisions', 'attempts', 'all'] as const satisfies AuditFilter['scope'][];

export function parseSaved(value: unknown): Saved | undefined {
  if (typeof value !== 'object' || value === null || !('filter' in value)) return undefined;
  const { filter } = value;
  if (typeof filter !== 'object' || filter === null) return undefined;
  const { scope, text, about } = filter as Readonly<Record<string, unknown>>;
  const known = scopes.find((one) => one === scope);
  if (known === undefined || typeof text !== 'string') return undefined;
  return { filter: { scope: known, text, ...(typeof about === 'string' ? { about } : {}) } };
}

/** The reader has paused typing. */
const typingMs = 200;

export type Page = ReturnType<typeof createPage>;

export function createPage({ host, changed }: { host: Host<AuditMessage, Saved>; changed: () => void }) {
  let snapshot: AuditSnapshot | undefined;
  const restored = host.restore();
  let filter: AuditFilter = restored?.filter ?? { scope: 'decisions', text: '' };
  let timer: ReturnType<typeof setTimeout> | undefined;

  function apply(next: AuditFilter): void {
    filter = next;
    host.save({ filter });
    clearTimeout(timer);
    host.post({ type: 'filter', filter });
    changed();
  }

  return {
    begin: (): void => {
      host.post({ type: 'ready', ...(restored ? { filter } : {}) });
    },
    receive: (next: AuditSnapshot): void => {
      snapshot = next;
      changed();
    },
    snapshot: () => snapshot,
    filter: () => filter,
    dispatch: (message: AuditMessage): void => {
      host.post(message);
    },
    show: (scope: AuditFilter['scope']): void => {
      apply({ ...filter, scope });
    },
    /** Filters by one item, with all kinds of acts, or shows all items. */
    only: (about?: string): void => {
      apply(about === undefined ? { scope: filter.scope, text: filter.text } : { scope: 'all', text: '', about });
    },
    search: (text: string): void => {
      filter = { ...filter, text };
      clearTimeout(timer);
      timer = setTimeout(() => {
        apply(filter);
      }, typingMs);
    },
  };
}
