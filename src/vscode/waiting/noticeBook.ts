/**
 * Which notices of questions a window has seen to, so that each comes once, and which a human put off. What other windows
 * gave, and this one before a reload, the files of `telling.ts` know.
 */
import { noticesOf } from '../../core/waiting/reminders.ts';
import type { QuestionNotice } from '../../core/waiting/reminders.ts';
import type { Question, State } from '../../core/state/state.ts';

export interface DueNotice extends QuestionNotice {
  /** The human does not need it now: no window gives it, now or later. */
  readonly quiet: boolean;
}

export interface NoticeBook {
  /** What is due now, each once. */
  due(state: State, now: string): DueNotice[];
  /** No reminder of this question before then (ISO 8601). */
  putOff(state: State, id: string, until: string): void;
}

export interface NoticeBookOptions {
  /** Whether the settings ask for notifications of such a question. */
  readonly wants: (state: State, question: Question) => boolean;
  /** Whether the human looks at the list, which says the same. */
  readonly isListInView: () => boolean;
}

export function openNoticeBook({ wants, isListInView }: NoticeBookOptions): NoticeBook {
  /** By workspace: the names of all notices that are due by now. */
  const seen = new Map<string, ReadonlySet<string>>();
  const putOffUntil = new Map<string, string>();

  function due(state: State, now: string): DueNotice[] {
    const workspace = workspaceOf(state);
    const before = seen.get(workspace) ?? new Set();
    const names = new Set<string>();
    const found: DueNotice[] = [];
    for (const question of state.questions.values()) {
      const notices = noticesOf(state, question, now);
      for (const { name } of notices) names.add(name);
      // One at a time: an occasion says all that a reminder would.
      const fresh = notices.find(({ name }) => !before.has(name));
      if (fresh && wants(state, question))
        found.push({ ...fresh, quiet: fresh.kind === 'reminder' && !isNeeded(workspace, question.id, now) });
    }
    seen.set(workspace, names);
    return found;
  }

  function isNeeded(workspace: string, id: string, now: string): boolean {
    return !isListInView() && (putOffUntil.get(`${workspace} ${id}`) ?? '') <= now;
  }

  return {
    due,
    putOff(state, id, until) {
      putOffUntil.set(`${workspaceOf(state)} ${id}`, until);
    },
  };
}

function workspaceOf({ workspace }: State): string {
  return workspace?.id ?? '';
}
