/**
 * Remembers which notices of questions this window has handled, so that each appears once, and which a human has
 * snoozed. The files of `telling.ts` cover other windows, and this one before a reload.
 */
import type { Urgency } from '../../core/kit/words.ts';
import type { QuestionNotice } from '../../core/waiting/reminders.ts';
import type { Question, State } from '../../core/state/state.ts';
import { createNoticeReader } from './noticeReader.ts';

export interface DueNotice extends QuestionNotice {
  /** The notice is unnecessary: no window shows it, now or later. */
  readonly quiet: boolean;
}

export interface NoticeBook {
  /** The notices that are due now, each once. */
  due(state: State, now: string): DueNotice[];
  /** When the next notice becomes due by time alone, after `now` (ISO 8601); null when none does. */
  next(state: State, now: string): string | null;
  /** Suppresses reminders of this question until then (ISO 8601). */
  putOff(state: State, id: string, until: string): void;
}

export interface NoticeBookOptions {
  /** Whether the settings ask for notifications of such a question. */
  readonly wants: (state: State, question: Question) => boolean;
  /** Whether the list is in view, which shows the same. */
  readonly isListInView: () => boolean;
  /** Whether reminders of this urgency wait for the end of quiet hours. */
  readonly isQuiet: (urgency: Urgency) => boolean;
}

export function openNoticeBook({ wants, isListInView, isQuiet }: NoticeBookOptions): NoticeBook {
  /** The names of all notices that are due, by workspace. */
  const seen = new Map<string, ReadonlySet<string>>();
  const putOffUntil = new Map<string, string>();
  const read = createNoticeReader();

  function due(state: State, now: string): DueNotice[] {
    const workspace = workspaceOf(state);
    const before = seen.get(workspace) ?? new Set();
    const names = new Set<string>();
    const found: DueNotice[] = [];
    for (const question of state.questions.values()) {
      const { notices } = read(state, question, now);
      for (const { name } of notices) names.add(name);
      // One at a time: an event's notice contains everything that a reminder would.
      const fresh = notices.find(({ name }) => !before.has(name));
      if (fresh && wants(state, question))
        found.push({ ...fresh, quiet: fresh.kind === 'reminder' && !isNeeded(workspace, question, now) });
    }
    seen.set(workspace, names);
    return found;
  }

  function isNeeded(workspace: string, { id, urgency }: Question, now: string): boolean {
    return !isListInView() && !isQuiet(urgency) && (putOffUntil.get(`${workspace} ${id}`) ?? '') <= now;
  }

  return {
    due,
    next(state, now) {
      let first: string | null = null;
      for (const question of state.questions.values()) {
        const { next } = read(state, question, now);
        if (next !== null && (first === null || next < first)) first = next;
      }
      return first;
    },
    putOff(state, id, until) {
      putOffUntil.set(`${workspaceOf(state)} ${id}`, until);
    },
  };
}

function workspaceOf({ workspace }: State): string {
  return workspace?.id ?? '';
}
