/** Carries out a decision that a form made. What may go wrong becomes an outcome the form can show. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { decideQuestion } from '../app/decisions.ts';
import type { Verdict } from '../app/decisions.ts';
import { AppError } from '../app/errors.ts';
import { recover } from '../app/recovery.ts';
import type { QuestionView } from '../app/views.ts';
import type { Decision, Outcome, View } from '../protocol/question.ts';
import type { CopyKeeper } from './copyKeeper.ts';
import type { Folders, OpenFolder } from './folders.ts';
import type { Keys } from './signer.ts';

/** A view that can decide something. */
export type Decidable = Extract<View, { render: string }>;

interface Means {
  /** What the human saw. */
  readonly rendered: Decidable;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly copies: CopyKeeper;
}

type Refused = Extract<Outcome, { type: 'refused' }>;

/** Never throws: whatever happens is told to the form. */
export async function decide(means: Means, message: Decision): Promise<Outcome> {
  const refuse = (reason: Refused['reason'], text: string): Outcome => ({
    type: 'refused',
    act: message.act,
    reason,
    text,
  });
  const found = means.folders.find(message.key);
  if (!found) return refuse('notFound', vscode.l10n.t('Its folder is no longer open.'));
  try {
    return await carryOut(means, found.folder, found.id, message);
  } catch (error) {
    if (error instanceof AppError) {
      const reason = error.code === 'conflict' ? 'conflict' : error.code === 'not_found' ? 'notFound' : 'invalid';
      return refuse(reason, error.message);
    }
    return refuse(
      'failed',
      vscode.l10n.t('It was not saved: {0}', error instanceof Error ? error.message : String(error)),
    );
  } finally {
    found.folder.workspace.changed();
  }
}

async function carryOut(
  { keys, copies, rendered }: Means,
  { workspace }: OpenFolder,
  id: string,
  message: Decision,
): Promise<Outcome> {
  const done: Outcome = { type: 'done', act: message.act };
  if (message.type === 'enrol') {
    await keys.enrol(workspace, message.name ?? '');
    return { ...done, text: vscode.l10n.t('This editor can decide now.') };
  }
  const standing = await keys.standing(workspace);
  if (standing.kind === 'stranger')
    throw new AppError('denied', vscode.l10n.t('This editor has to be enrolled first.'));
  // First use: this decision is the human act that pins the key.
  if (standing.kind === 'first') await keys.enrol(workspace, requireName(message.name));
  const signer = await keys.signer(workspace);
  if (message.type === 'recover') {
    if (!isConfirmed(rendered, message))
      return {
        type: 'refused',
        act: message.act,
        reason: 'invalid',
        text: vscode.l10n.t('Confirm what will be lost first.'),
      };
    await recover(workspace, signer, message.way, message.shown, copies.fileFor(workspace));
    return { ...done, text: vscode.l10n.t('The store is sound again.') };
  }
  const store = await workspace.store();
  const known = store.read().state.questions.get(id);
  if (known?.urgency === 'critical' && !message.confirmed)
    return {
      type: 'refused',
      act: message.act,
      reason: 'invalid',
      text: vscode.l10n.t('A critical question takes a second step.'),
    };
  const { outcome, question } = decideQuestion(store, signer, randomUUID, id, verdictOf(message), message.shown);
  store.anchor();
  if (outcome === 'already') return { type: 'refused', act: message.act, reason: 'conflict', text: firstOne(question) };
  if (outcome === 'changed')
    return {
      type: 'refused',
      act: message.act,
      reason: 'changed',
      text: vscode.l10n.t('The question has changed since it was shown. Look again, then answer.'),
    };
  return done;
}

/** The very sentence that was to be ticked, or the word that was to be typed. */
function isConfirmed(rendered: Decidable, message: Extract<Decision, { type: 'recover' }>): boolean {
  if (rendered.type !== 'recovery') return false;
  const way = rendered[message.way];
  if (way.type !== 'available') return false;
  return message.confirmation === (way.confirm.type === 'tick' ? way.confirm.text : way.confirm.word);
}

function verdictOf(message: Extract<Decision, { type: 'answer' | 'cancel' | 'release' }>): Verdict {
  switch (message.type) {
    case 'answer':
      return {
        kind: 'answer',
        answer: { choices: message.choices, ...(message.text === '' ? {} : { text: message.text }) },
      };
    case 'cancel':
      return { kind: 'cancel', reason: message.reason };
    case 'release':
      return { kind: 'release', note: message.note };
  }
}

function requireName(name: string | undefined): string {
  if (name === undefined || name === '')
    throw new AppError('bad_input', vscode.l10n.t('Write the name you answer as.'));
  return name;
}

function firstOne(question: QuestionView): string {
  return vscode.l10n.t(
    '{0} was first, at {1}. What you wrote is kept.',
    question.answered_by ?? '',
    question.answered_at ?? '',
  );
}
