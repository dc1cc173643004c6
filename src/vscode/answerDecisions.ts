/** Carries out a decision that a form made. What may go wrong becomes an outcome the form can show. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { changePolicy, decideQuestion, releaseAll, shownPolicyHash } from '../app/decisions.ts';
import type { Verdict } from '../app/decisions.ts';
import { AppError } from '../app/errors.ts';
import { recover } from '../app/recovery.ts';
import type { QuestionView } from '../app/views.ts';
import type { Workspace } from '../app/workspace.ts';
import type { Decision, Outcome, View } from '../protocol/question.ts';
import type { CopyKeeper } from './copyKeeper.ts';
import type { Folders, OpenFolder } from './folders.ts';
import { errorWords } from './problemWords.ts';
import type { Keys, Standing } from './signer.ts';
import { workspaceForm } from './workspaceForms.ts';

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
      return refuse(reason, errorWords(error));
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
  if (message.type === 'policy') return setPolicy(keys, workspace, message, standing);
  // First use: this decision is the human act that pins the key.
  if (standing.kind === 'first') await keys.enrol(workspace, requireName(message.name));
  const signer = await keys.signer(workspace);
  if (message.type === 'recover') {
    if (!isConfirmed(rendered, message))
      return unconfirmed(message.act, vscode.l10n.t('Confirm what will be lost first.'));
    await recover(workspace, signer, message.way, message.shown, copies.fileFor(workspace));
    return { ...done, text: vscode.l10n.t('The store is sound again.') };
  }
  const store = await workspace.store();
  if (message.type === 'releaseAll') {
    const form = workspaceForm(id);
    if (form?.kind !== 'releaseAll') throw new AppError('not_found', vscode.l10n.t('There is no such agent.'));
    if (!message.confirmed) return unconfirmed(message.act, vscode.l10n.t('Letting all go on takes a second step.'));
    const ids = releaseAll(store, signer, randomUUID, form.agent, message.note, message.shown);
    store.anchor();
    return { ...done, text: vscode.l10n.t('Let go on: {0}.', ids.join(', ')) };
  }
  const known = store.read().state.questions.get(id);
  if (known?.urgency === 'critical' && !message.confirmed)
    return unconfirmed(message.act, vscode.l10n.t('A critical question takes a second step.'));
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

function unconfirmed(act: string, text: string): Outcome {
  return { type: 'refused', act, reason: 'invalid', text };
}

/** The policy is a signed record; the name belongs to this editor's key, and to no workspace. */
async function setPolicy(
  keys: Keys,
  workspace: Workspace,
  message: Extract<Decision, { type: 'policy' }>,
  standing: Standing,
): Promise<Outcome> {
  const { act, name, lifeHours, onExpiry, shown } = message;
  if (!message.confirmed) return unconfirmed(act, vscode.l10n.t('Changing the policy takes a second step.'));
  const store = await workspace.store();
  const { state } = store.read();
  if (shown !== shownPolicyHash(state))
    return {
      type: 'refused',
      act,
      reason: 'changed',
      text: vscode.l10n.t('The policy has changed since it was shown. Look again, then save.'),
    };
  if (standing.kind !== 'enrolled' || standing.name !== name) await keys.enrol(workspace, name);
  const { policy } = state;
  if (policy.questionLifeHours !== lifeHours || policy.onExpiry !== onExpiry) {
    const signer = await keys.signer(workspace);
    changePolicy(store, signer, randomUUID, { questionLifeHours: lifeHours, onExpiry }, shown);
    store.anchor();
  }
  return { type: 'done', act, text: vscode.l10n.t('Saved. It is in force.') };
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
