/** Texts of the editor's own surfaces: short, relative, translated. */
import * as l10n from '@vscode/l10n';
import type { Proposal } from '../../core/state/state.ts';
import type { QuestionView } from '../../app/question/views.ts';
import type { QuestionType, Urgency } from '../../core/kit/words.ts';
import { program } from './program.ts';

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
export function listed(names: readonly string[]): string {
  const named = names.slice(0, namedAtMost).join(', ');
  const rest = names.length - namedAtMost;
  return rest > 0 ? l10n.t('{0}, and {1} more', named, rest) : named;
}

/** The exact time in the editor's language. */
export function when(iso: string): string {
  return new Date(iso).toLocaleString(program().language);
}

/** What an agent proposes for a human's event. */
export function proposalWords({ how, agent }: Pick<Proposal, 'how' | 'agent'>): string {
  return how === 'superseded'
    ? l10n.t('{0} proposes to supersede it', agent)
    : l10n.t('{0} proposes to resolve it', agent);
}

/** Empty unless the hold was widened to every file. */
export function allFilesWords({ all_files: all }: Pick<QuestionView, 'all_files'>): string {
  return all ? l10n.t('Holds all files, by {0} since {1}', all.by, when(all.at)) : '';
}
