/** Records that falsely claim a human's decision, for the form. */
import type { Forgery } from '../../protocol/question/question.ts';
import { isAttempt } from '../../core/state/attempts.ts';
import { isWaiting } from '../../core/state/state.ts';
import type { Folders } from '../kit/folders.ts';

const shownAtMost = 20;

export function listForgeries(folders: Folders): Forgery[] {
  const found: Forgery[] = [];
  for (const [folder] of folders.stores) {
    const { state } = folder.workspace.standing();
    if (!state) continue;
    for (const refusal of state.refusals) {
      if (!isAttempt(refusal)) continue;
      const question = state.questions.get(refusal.subject);
      found.push({
        key: folders.keyOf(folder, `forgery/${String(refusal.at)}/${refusal.subject}`),
        at: refusal.time,
        claim: claimOf(refusal.kind),
        id: refusal.subject,
        stillWaits: question !== undefined && isWaiting(question),
        ...(question ? { question: folders.keyOf(folder, question.id) } : {}),
      });
    }
  }
  return found.slice(-shownAtMost).reverse();
}

function claimOf(kind: string): Forgery['claim'] {
  switch (kind) {
    case 'question.answered':
      return 'answer';
    case 'question.cancelled':
      return 'cancel';
    case 'question.released':
      return 'release';
    case 'hold.widened':
      return 'widen';
    case 'hold.narrowed':
      return 'narrow';
    default:
      return 'other';
  }
}
