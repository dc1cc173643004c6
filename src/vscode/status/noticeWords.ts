/** The texts of notifications, including the one for an agent's further questions. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { cascade } from '../../core/hold/cascade.ts';
import { personOf, shortAgent, shownAgent } from '../../core/kit/persons.ts';
import type { Actor } from '../../core/records/records.ts';
import { plain } from '../../core/kit/plain.ts';
import { shownLine } from '../../core/kit/text.ts';
import { isWaiting } from '../../core/state/state.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { QuestionNotice } from '../../core/waiting/reminders.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information } from '../kit/messages.ts';

/** For texts: its own agents without their person. */
export function shownAsker<T extends { readonly asker: Actor }>(holder: T, { workspace }: OpenFolder): T {
  return { ...holder, asker: { ...holder.asker, id: shownAgent(holder.asker.id, workspace.person()) } };
}

export async function showMore(agent: string): Promise<void> {
  const list = l10n.t('Show');
  if ((await information(l10n.t('{0} has more items for you.', agent), list)) === list)
    await vscode.commands.executeCommand(ids.commands.focus);
}

/** A reminder has the same text as the previous notification, so VS Code closes that one. */
export function noticeWords(state: State, question: Question, kind: QuestionNotice['kind'], now: string): string {
  const asked = words(state, question);
  switch (kind) {
    case 'new':
    case 'reminder':
      return asked;
    case 'escalated':
      return l10n.t('Not answered in time, now critical: {0}', asked);
    case 'replied':
      return replied(question);
    case 'expiring':
      return l10n.t('Expires in {0} min: {1}', minutesUntil(question.expiresAt, now), asked);
    case 'expired':
      return isWaiting(question)
        ? l10n.t('Expired, still held: {0}', asked)
        : l10n.t('Expired without an answer: {0}', asked);
  }
}

/** The agent's reply to a human's follow-up question. */
function replied({ askBacks, asker, id }: Question): string {
  const last = askBacks.findLast(({ reply }) => reply !== null)?.reply;
  return l10n.t(
    '{0} replied about {1}: {2}',
    last ? (personOf(asker.id) === null ? shortAgent(last.by) : last.by) : asker.id,
    id,
    shownLine(plain(last?.text ?? '')),
  );
}

function minutesUntil(at: string, now: string): number {
  return Math.max(1, Math.round((Date.parse(at) - Date.parse(now)) / 60_000));
}

function words(state: State, question: Question): string {
  const held = cascade(state, question).open.length;
  const subject = shownLine(plain(question.raised.text));
  const stopped =
    question.mode === 'sync'
      ? l10n.t('{0} stopped: {1}', question.asker.id, subject)
      : l10n.t('{0} asks: {1}', question.asker.id, subject);
  return question.mode === 'async' ? stopped : withHeld(stopped, held);
}

export function withHeld(text: string, held: number): string {
  if (held === 0) return text;
  return held === 1 ? l10n.t('{0} Blocks 1 item.', text) : l10n.t('{0} Blocks {1} items.', text, held);
}
