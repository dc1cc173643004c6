/** Carries out acts from the review of an RFC: each is signed, and bound to the displayed content. */
import * as l10n from '@vscode/l10n';
import type { Signing } from '../../app/decision/decisions.ts';
import { AppError } from '../../app/workspace/errors.ts';
import {
  commentOnRfc,
  decideRfc,
  overruleAnswer,
  replyToThread,
  resolveThread,
  shownRfcHash,
} from '../../app/rfc/decisions.ts';
import type { Comment as SignedComment, RfcVerdict } from '../../app/rfc/decisions.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import { keptWords } from '../surface/keptWords.ts';
import type { Outcome } from '../kit/view.ts';
import type { Comment, RfcAct } from './messages.ts';
import type { RfcView } from './model.ts';
import type { View } from '../../store/store.ts';
import type { Folders } from '../kit/folders.ts';
import { carryOutAccept, carryOutHold } from '../surface/heldFiles.ts';
import { answerOpenQuestion } from './answering.ts';
import type { SeenQuestions } from './answering.ts';
import { anchorOf } from './sections.ts';
import type { Shown } from '../surface/renderings.ts';
import { carriedOut, refused, signingIn } from '../surface/signedActs.ts';
import type { Keys } from '../surface/keys.ts';

/** The content that the human saw. */
export interface Seen extends Shown, SeenQuestions {
  readonly view: RfcView;
  /** The RFC as folded at that time: threads and answers are bound to their displayed state. */
  readonly rfc: Rfc;
}

export interface Means {
  readonly folders: Folders;
  readonly keys: Keys;
  readonly seen: Seen;
}

type Verdict = Extract<RfcAct, { type: 'approve' | 'requestChanges' | 'reject' | 'withdraw' }>;
type Remark = Exclude<RfcAct, Verdict | Hold | { type: 'answerQuestion' | 'acceptChanges' }>;
/** Acts that change the scope of the hold. */
type Hold = Extract<RfcAct, { type: 'holdAll' | 'holdNamed' }>;

/** Never throws: the page receives the outcome. */
export function carryOut(means: Means, message: RfcAct): Promise<Outcome> {
  return carriedOut(means.folders, message, ({ workspace }) => act(means, workspace, message));
}

async function act({ keys, seen }: Means, workspace: Workspace, message: RfcAct): Promise<Outcome> {
  const { view, rfc } = seen;
  if (view.locked) throw new AppError('denied', view.locked.why);
  // A decision applies to the latest revision, so that one must be displayed.
  if ((isVerdict(message) || isHold(message)) && view.revision !== view.latest) return changed(message.act);
  if (message.type === 'approve' && message.revision !== view.revision) return changed(message.act);
  const signing = await signingIn(keys, workspace, message.name);
  if (message.type === 'answerQuestion') return answerOpenQuestion(signing, seen, message);
  if (message.type === 'acceptChanges') return carryOutAccept(signing, rfc.id, message);
  if (isHold(message)) return carryOutHold(signing, rfc.id, message);
  const done: Outcome = { type: 'done', act: message.act };
  if (!isVerdict(message)) {
    await remark(signing, rfc, message);
    return done;
  }
  const comments = 'comments' in message ? message.comments : undefined;
  const verdict: RfcVerdict = {
    ...verdictOf(message),
    comments: commentsOf(signing.store.read(), rfc, view.revision, comments),
  };
  const { outcome, rfc: after } = await decideRfc(signing, rfc.id, verdict, message.shown);
  if (outcome === 'decided') return done;
  if (outcome === 'kept') return { ...done, text: keptWords(after.quorum) };
  if (outcome === 'changed') return changed(message.act);
  return refused(message.act, 'conflict', l10n.t('Someone else has already decided this.'));
}

/** An act on a part of the RFC is bound to that part's displayed state. */
async function remark(signing: Signing, rfc: Rfc, message: Remark): Promise<void> {
  const { id } = rfc;
  const view = signing.store.read();
  const shown = (what: Parameters<typeof shownRfcHash>[2]) => shownRfcHash(view.state, rfc, what);
  switch (message.type) {
    case 'addFeedback': {
      const { revision } = message;
      const comments = commentsOf(view, rfc, revision, message.comments);
      await commentOnRfc(signing, id, comments, shown({ kind: 'rfc.commented', revision }));
      return;
    }
    case 'reply': {
      const thread = Number(message.thread);
      const seen = shown({ kind: 'rfc.threadReplied', thread });
      await replyToThread(signing, id, { thread, text: message.content }, seen);
      return;
    }
    case 'resolveThread': {
      const thread = Number(message.thread);
      await resolveThread(signing, id, thread, shown({ kind: 'rfc.threadResolved', thread }));
      return;
    }
    case 'overruleAnswer': {
      const question = Number(message.question);
      await overruleAnswer(signing, id, { question }, shown({ kind: 'rfc.answerOverruled', question }));
    }
  }
}

function commentsOf(view: View, rfc: Rfc, revision: number, comments: readonly Comment[] = []): SignedComment[] {
  return comments.map(({ section, feedback, content, blocking, quote }) => ({
    ...{ revision, type: feedback, text: content, blocking, quote },
    section: anchorOf(view, rfc, revision, section),
  }));
}

function isVerdict(message: RfcAct): message is Verdict {
  return ['approve', 'requestChanges', 'reject', 'withdraw'].includes(message.type);
}

function isHold(message: RfcAct): message is Hold {
  return message.type === 'holdAll' || message.type === 'holdNamed';
}

function verdictOf(message: Verdict): RfcVerdict {
  switch (message.type) {
    case 'approve':
      return {
        kind: 'approve',
        conditions: message.conditions,
        constraints: message.constraints,
        waived: (message.waived ?? []).map(Number),
      };
    case 'requestChanges':
      return { kind: 'request_changes', reason: message.reason };
    case 'reject':
      return { kind: 'reject', reason: message.reason, then: message.way === 'stop' ? 'stop' : 'another_way' };
    case 'withdraw':
      return { kind: 'withdraw', reason: message.reason };
  }
}

function changed(act: string): Outcome {
  return refused(act, 'changed', l10n.t('The RFC has changed since it was shown. Check it, then decide.'));
}
