/** The surfaces that a browser can show. */
import type { Closable } from '../../ui/kit/disposables.ts';
import { openBriefingPage } from './briefing.ts';
import { openDashboardPage } from './dashboard.ts';
import { openQuestionPage } from './question.ts';
import { openRfcPage } from './rfc.ts';
import type { PageOptions, Wanted } from './wanted.ts';

const surfaces: Readonly<Record<Wanted['surface'], (options: PageOptions) => Closable>> = {
  question: openQuestionPage,
  rfc: openRfcPage,
  memory: openBriefingPage,
  dashboard: openDashboardPage,
};

export function openSurface(surface: Wanted['surface'], options: PageOptions): Closable {
  return surfaces[surface](options);
}
