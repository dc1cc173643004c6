/** Texts of the editor's own surfaces: short, relative, translated. */
import * as vscode from 'vscode';
import type { Proposal } from '../../core/state/state.ts';
import type { QuestionView } from '../../app/question/views.ts';
import type { QuestionType, Urgency } from '../../core/kit/words.ts';

/** The time since an item was raised. */
export function waitingFor(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return vscode.l10n.t('just asked');
  if (minutes < 60) return vscode.l10n.t('waiting {0} min', minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? vscode.l10n.t('waiting {0} h', hours) : vscode.l10n.t('waiting {0} days', Math.floor(hours / 24));
}

export function urgencyWord(urgency: Urgency): string {
  switch (urgency) {
    case 'critical':
      return vscode.l10n.t('critical');
    case 'high':
      return vscode.l10n.t('high');
    case 'medium':
      return vscode.l10n.t('medium');
    case 'low':
      return vscode.l10n.t('low');
  }
}

export function typeWord(type: QuestionType): string {
  switch (type) {
    case 'clarification':
      return vscode.l10n.t('clarification');
    case 'decision':
      return vscode.l10n.t('decision');
    case 'approval':
      return vscode.l10n.t('approval');
  }
}

const namedAtMost = 5;

/** The first names of a list, and the number of further ones. */
export function listed(names: readonly string[]): string {
  const named = names.slice(0, namedAtMost).join(', ');
  const rest = names.length - namedAtMost;
  return rest > 0 ? vscode.l10n.t('{0}, and {1} more', named, rest) : named;
}

/** The exact time in the editor's language. */
export function when(iso: string): string {
  return new Date(iso).toLocaleString(vscode.env.language);
}

/** What an agent proposes for a human's event. */
export function proposalWords({ how, agent }: Pick<Proposal, 'how' | 'agent'>): string {
  return how === 'superseded'
    ? vscode.l10n.t('{0} proposes to supersede it', agent)
    : vscode.l10n.t('{0} proposes to resolve it', agent);
}

/** Empty unless the hold was widened to every file. */
export function allFilesWords({ all_files: all }: Pick<QuestionView, 'all_files'>): string {
  return all ? vscode.l10n.t('Holds all files, by {0} since {1}', all.by, when(all.at)) : '';
}
