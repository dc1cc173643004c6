/** Critical warnings of project memory, for the status bar. They stop no agent, so they have no colour of their own. */
import * as l10n from '@vscode/l10n';
import { plain } from '../../core/kit/plain.ts';
import { shownLine } from '../../core/kit/text.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { criticalWarnings } from '../briefing/decorations.ts';
import * as vscode from 'vscode';
import { eventNamed } from '../../app/memory/views.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import { ids } from '../../ui/kit/ids.ts';
import { warning } from '../kit/messages.ts';
import { wanted, type Telling } from './telling.ts';

export interface Warnings {
  readonly count: number;
  /** Lines of a tooltip; plain text on purpose, because agents wrote most of it. */
  readonly lines: readonly string[];
}

const listedAtMost = 10;

/** @param changed called when the text of the warnings was read */
export function followWarnings(folders: Folders, changed: () => void): () => Warnings {
  /** The ids listed last, to avoid reading their text again. */
  let listed = '';
  let lines: readonly string[] = [];
  return () => {
    const stores = folders.stores.map(([folder]) => ({ folder, state: folder.workspace.standing().state }));
    const count = stores.reduce((sum, { state }) => sum + (state?.criticalWarnings.size ?? 0), 0);
    const now = JSON.stringify(stores.map(({ folder, state }) => [folder.name, ...(state?.criticalWarnings ?? [])]));
    if (now !== listed) {
      listed = now;
      lines = [];
      if (count > 0)
        void linesOf(folders, count).then((read) => {
          if (listed !== now) return;
          lines = read;
          changed();
        });
    }
    return { count, lines };
  };
}

async function linesOf(folders: Folders, count: number): Promise<string[]> {
  const lines: string[] = [];
  for (const [folder] of folders.stores)
    for (const { id, text } of await criticalWarnings(folder, listedAtMost))
      lines.push(`${id}: ${shownLine(plain(text))}`);
  const shown = lines.slice(0, listedAtMost);
  if (count > shown.length) shown.push(l10n.t('and {0} more', count - shown.length));
  return [l10n.t('Critical warnings'), ...shown];
}

// One notification for each new critical warning of an agent, in one window only. Its button opens the briefing.

const knownName = 'holdpoint.notifiedEvents';

export interface MemoryNotificationsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly telling: Telling;
}

export function registerMemoryNotifications({ context, folders, telling }: MemoryNotificationsOptions): Closable {
  const all = collect();
  /** Number of events seen per workspace; persisted, so that a reload does not repeat notifications. */
  const seen = new Map(Object.entries(context.workspaceState.get<Record<string, number>>(knownName, {})));

  function look(): void {
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      const { id } = state.workspace;
      const last = seen.get(id) ?? 0;
      // Checking the count must not load event headers when nothing is critical.
      if (state.criticalWarnings.size === 0 || state.events.size <= last) continue;
      // Humans are not notified of their own events.
      const fresh = [...state.criticalWarnings].filter(
        (event) => Number(event.slice(2)) > last && state.events.get(event)?.author === 'agent',
      );
      seen.set(id, state.events.size);
      void context.workspaceState.update(knownName, Object.fromEntries(seen));
      if (fresh.length === 0 || wanted() === 'off') continue;
      telling.news(fresh.map((event) => ({ ...newsOf(folder, event), claim: `${id}-${event}` })));
    }
  }

  function newsOf(folder: OpenFolder, event: string) {
    return {
      kind: 'warning',
      key: folders.keyOf(folder, event),
      // It stops no agent.
      critical: false,
      isCurrent: () => folder.workspace.standing().state?.criticalWarnings.has(event) ?? false,
      tell: () => tell(folder, event),
    } as const;
  }

  async function tell(folder: OpenFolder, id: string): Promise<void> {
    const view = (await folder.workspace.store()).read();
    const event = eventNamed(view, id);
    if (event?.status !== 'active') return;
    const show = l10n.t('Show');
    const words = l10n.t('Critical warning from {0}: {1}', event.author, shownLine(plain(event.text)));
    if ((await warning(words, show)) === show)
      await vscode.commands.executeCommand(ids.commands.openEvent, folders.keyOf(folder, id));
  }

  all.add(folders.onDidChange(look));
  return all;
}
