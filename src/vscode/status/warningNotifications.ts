/** One notification for each new critical warning of an agent, in one window only. Its button opens the briefing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { eventNamed } from '../../app/memory/views.ts';
import { plain } from '../../core/kit/plain.ts';
import { shownLine } from '../../core/kit/text.ts';

import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { warning } from '../kit/messages.ts';
import { wanted } from './telling.ts';
import type { Telling } from './telling.ts';

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
