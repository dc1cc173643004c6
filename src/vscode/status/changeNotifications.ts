/** Notifications that held files were changed, as pressing as critical questions: each change once. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRfc } from '../../core/hold/holds.ts';
import { shownLine } from '../../core/kit/text.ts';
import type { State } from '../../core/state/state.ts';
import { heldChangeNotices } from '../../core/waiting/heldChangeNotices.ts';
import type { HeldChangeNotice } from '../../core/waiting/heldChangeNotices.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { urgent } from '../kit/messages.ts';
import { wanted } from './telling.ts';
import { showMore, shownAsker } from './noticeWords.ts';
import type { onScreen } from './onScreen.ts';
import type { Outgoing } from './outbox.ts';

export interface ChangeNotificationsOptions {
  readonly folders: Folders;
  readonly show: ReturnType<typeof onScreen>;
}

/** @returns a function for the notices that this window has not seen before */
export function changeNotifications({ folders, show }: ChangeNotificationsOptions) {
  const seen = new Set<string>();

  async function tell(folder: OpenFolder, { holder, files }: HeldChangeNotice): Promise<void> {
    const key = folders.keyOf(folder, holder.id);
    const open = l10n.t('Show');
    const picked = await show({
      agent: holder.asker.id,
      item: `${key} changes`,
      show: () => urgent(changeWords(holder.id, files), open),
      showMore: () => showMore(shownAsker(holder, folder).asker.id),
    });
    if (picked === open)
      await vscode.commands.executeCommand(isRfc(holder) ? ids.commands.openRfc : ids.commands.openForm, key);
  }

  return (folder: OpenFolder, state: State): Outgoing[] => {
    const workspace = state.workspace?.id ?? '';
    return heldChangeNotices(state).flatMap((notice): Outgoing[] => {
      const { holder, name, at } = notice;
      const claim = `${workspace}-${name}`;
      if (seen.has(claim)) return [];
      seen.add(claim);
      if (wanted() === 'off') return [];
      const now = () => {
        const { state: current } = folder.workspace.standing();
        return current ? heldChangeNotices(current).find((one) => one.name === name) : undefined;
      };
      return [
        {
          ...{
            kind: isRfc(holder) ? 'rfc' : 'question',
            key: folders.keyOf(folder, holder.id),
            critical: true,
            isChange: true,
            claim,
            at,
          },
          isCurrent: () => now() !== undefined,
          howNow: () => now()?.how ?? 'silent',
          tell: () => tell(folder, now() ?? notice),
        },
      ];
    });
  };
}

/** "src/login.ts was changed during “npm run fmt”, while Q-12 held it." Agents named the files. */
function changeWords(id: string, { changes, lost }: HeldChangeNotice['files']): string {
  const [first, ...more] = changes;
  if (!first || lost) return l10n.t('Files that {0} holds were changed, and it is not known which.', id);
  const path = shownLine(first.path);
  if (more.length > 0)
    return l10n.t('{0} files that {1} holds were changed, {2} among them.', changes.length, id, path);
  return first.call === null
    ? l10n.t('{0} was changed while {1} held it.', path, id)
    : l10n.t('{0} was changed during “{2}”, while {1} held it.', path, id, shownLine(first.call));
}
