/** View models for pages without content. */
import * as l10n from '@vscode/l10n';
import type { Standing } from '../../app/workspace/workspace.ts';
import type { UnavailableView } from '../kit/view.ts';
import { problemTitle, problemWords } from '../kit/problemWords.ts';

/** @param text why a folder is needed, and which to open */
export function noFolder(text: string): UnavailableView {
  return { type: 'unavailable', title: l10n.t('No folder is open'), text, action: 'openFolder' };
}

/** A store in doubt: nothing of it is shown. */
export function inDoubt(problem: NonNullable<Standing['problem']>): UnavailableView {
  return { type: 'unavailable', title: problemTitle(problem), text: problemWords(problem) };
}

/** A view that failed to build allows no decisions. */
export function notShown(error: unknown): UnavailableView {
  const text = error instanceof Error ? error.message : String(error);
  return {
    type: 'unavailable',
    title: l10n.t('Cannot show this'),
    text: text === '' ? l10n.t('No reason was given.') : text,
    action: 'reloadWindow',
  };
}
