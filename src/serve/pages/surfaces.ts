/** The surfaces that a browser can show. */
import type { Closable } from '../../vscode/kit/disposables.ts';
import { openQuestionPage } from './question.ts';
import type { PageOptions, Wanted } from './wanted.ts';

export function openSurface(_surface: Wanted['surface'], options: PageOptions): Closable {
  return openQuestionPage(options);
}
