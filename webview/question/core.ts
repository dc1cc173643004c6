/** The page's base state, without its acts: signing, drafts and copied texts. */
import type { Decision, QuestionMessage } from '../../src/ui/answer/messages.ts';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import { createOneForm } from '../shared/oneForm.ts';
import type { OneFormRules } from '../shared/oneForm.ts';
import type { PageOptions as Options } from '../shared/signingPage.ts';
import type { Seen } from '../shared/seen.ts';
import { nothingSaved, parseSaved } from './saved.ts';
import type { Saved } from './saved.ts';

export interface PageOptions extends Options<QuestionMessage, Saved> {
  /** Watches what has been on the screen. */
  readonly watch: (changed: () => void) => Seen;
}

export const createCore = (
  options: PageOptions,
  rules: Pick<OneFormRules<Snapshot, Decision, Saved>, 'moved' | 'done' | 'received'>,
) =>
  createOneForm<QuestionMessage, Snapshot, Decision, Saved>(options, {
    ...rules,
    nothing: nothingSaved,
    parse: parseSaved,
    unsigned: (view) => (view.type === 'share' ? JSON.stringify([view.server, view.agents]) : ''),
  });

export type QuestionCore = ReturnType<typeof createCore>;
