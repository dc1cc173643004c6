/** Rows of waiting items, and the words that they and the forms share: short, relative, translated. */
import * as l10n from '@vscode/l10n';
import type { Urgency, QuestionType } from '../../core/kit/words.ts';
import { visibleText } from '../../core/kit/visible.ts';
import type { Folders, OpenFolder } from './folders.ts';
import type { Proposal } from '../../core/state/state.ts';
import type { QuestionView } from '../../app/question/views.ts';
import { program } from './program.ts';

/** A row of waiting items, which the editor's tree and the list in a browser show. */
export interface ListRow {
  label: string;
  id?: string;
  description?: string;
  tooltip?: string | undefined;
  icon?: RowIcon;
  /** Chooses the entries of the row's menu. */
  contextValue?: string;
  /** What a screen reader says in place of the label. */
  spoken?: string;
  /** How rows below it are shown at first. */
  children?: 'expanded' | 'collapsed';
  command?: { readonly command: string; readonly title: string; readonly arguments: unknown[] };
}

/** Names of VS Code: of a product icon, and of a colour of themes. */
export interface RowIcon {
  readonly id: string;
  readonly color?: 'errorForeground' | 'list.warningForeground' | undefined;
}

/** Rows contain mostly agents' text, so hidden characters are shown. */
export function withHiddenShown(row: ListRow): ListRow {
  const { label, description = '', tooltip, spoken } = row;
  return {
    ...row,
    label: visibleText(label),
    description: visibleText(description),
    tooltip: tooltip === undefined ? undefined : visibleText(tooltip),
    ...(spoken === undefined ? {} : { spoken: visibleText(spoken) }),
  };
}

// Common parts of the rows of waiting items: whether the agent is stopped, who asks, and since when.

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

/** The state as a sentence, for tooltips. */
export function stoppedWords(holding: boolean): string {
  return holding ? l10n.t('The agent is on hold.') : l10n.t('The agent continues in the meantime.');
}

/** An age, in one or two words. */
export function age(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return l10n.t('now');
  if (minutes < 60) return l10n.t('{0} min', minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? l10n.t('{0} h', hours) : l10n.t('{0} days', Math.floor(hours / 24));
}

export function folderPart(folders: Folders, { name }: OpenFolder): string[] {
  return folders.all.length > 1 ? [name] : [];
}

// Texts of the editor's own surfaces: short, relative, translated.

/** The time since an item was raised. */
export function waitingFor(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return l10n.t('just asked');
  if (minutes < 60) return l10n.t('waiting {0} min', minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? l10n.t('waiting {0} h', hours) : l10n.t('waiting {0} days', Math.floor(hours / 24));
}

export function urgencyWord(urgency: Urgency): string {
  switch (urgency) {
    case 'critical':
      return l10n.t('critical');
    case 'high':
      return l10n.t('high');
    case 'medium':
      return l10n.t('medium');
    case 'low':
      return l10n.t('low');
  }
}

export function typeWord(type: QuestionType): string {
  switch (type) {
    case 'clarification':
      return l10n.t('clarification');
    case 'decision':
      return l10n.t('decision');
    case 'approval':
      return l10n.t('approval');
  }
}

const namedAtMost = 5;

/** The first names of a list, and the number of further ones. */
export function listNames(names: readonly string[]): string {
  const named = names.slice(0, namedAtMost).join(', ');
  const rest = names.length - namedAtMost;
  return rest > 0 ? l10n.t('{0}, and {1} more', named, rest) : named;
}

/** The exact time in the editor's language. */
export function timeText(iso: string): string {
  return new Date(iso).toLocaleString(program().language);
}

export function proposalWords({ how, agent }: Pick<Proposal, 'how' | 'agent'>): string {
  return how === 'superseded' ? l10n.t('{0} proposes to replace it', agent) : l10n.t('{0} proposes to close it', agent);
}

/** Empty unless the hold was widened to every file. */
export function allFilesWords({ all_files: all }: Pick<QuestionView, 'all_files'>): string {
  return all ? l10n.t('Holds all files, by {0} since {1}', all.by, timeText(all.at)) : '';
}
