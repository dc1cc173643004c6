/** Common parts of the rows of waiting items: whether the agent is stopped, who asks, and since when. */
import * as l10n from '@vscode/l10n';
import type { Urgency } from '../../core/kit/words.ts';
import type { Folders, OpenFolder } from './folders.ts';
import type { RowIcon } from './listRow.ts';

export interface Asked {
  /** Whether the agent is stopped. */
  readonly holding: boolean;
  readonly urgency: Urgency;
}

/** The shape shows whether the agent is stopped, and the colour shows the urgency; the tooltip says both in words. */
export function stateIcon({ holding, urgency }: Asked): RowIcon {
  // A critical item has its own shape too, not only a colour.
  const stopped = urgency === 'critical' ? 'error' : 'debug-pause';
  return { id: holding ? stopped : 'debug-continue', color: colorOf(urgency) };
}

/** The human waits, not the agent; a critical one stays in its colour. */
export function askedBackIcon({ urgency }: Pick<Asked, 'urgency'>): RowIcon {
  return { id: 'comment-discussion', color: urgency === 'critical' ? colorOf(urgency) : undefined };
}

function colorOf(urgency: Urgency): RowIcon['color'] {
  if (urgency === 'critical') return 'errorForeground';
  return urgency === 'high' ? 'list.warningForeground' : undefined;
}

/** The icon as a word, for screen readers. */
export function stoppedWord(holding: boolean): string {
  return holding ? l10n.t('stopped') : l10n.t('continues');
}

/** The same as a sentence, for tooltips. */
export function stoppedWords(holding: boolean): string {
  return holding ? l10n.t('The agent is stopped.') : l10n.t('The agent continues in the meantime.');
}

/** An age, in one or two words. */
export function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return l10n.t('now');
  if (minutes < 60) return l10n.t('{0} min', minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? l10n.t('{0} h', hours) : l10n.t('{0} days', Math.floor(hours / 24));
}

/** The folder's name, in windows with several folders. */
export function folderPart(folders: Folders, { name }: OpenFolder): string[] {
  return folders.all.length > 1 ? [name] : [];
}
