/** Carries out a decision that a form made. What may go wrong becomes an outcome the form can show. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import {
  changePolicy,
  decideQuestion,
  releaseAll,
  revokeAnswer,
  shownPolicyHash,
} from '../../app/decision/decisions.ts';
import type { Verdict } from '../../app/decision/decisions.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { recover } from '../../app/recovery/recovery.ts';
import type { QuestionView } from '../../app/question/views.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Decision, Outcome, View } from '../../protocol/question/question.ts';
import { carryOutAsk } from '../request/askForm.ts';
import type { CopyKeeper } from '../recovery/copyKeeper.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { carryOutHold } from '../surface/heldFiles.ts';
import { carryOutKeys, keyScope } from '../keys/forms.ts';
import { carryOutRequest } from '../request/forms.ts';
import { carriedOut, requireName } from '../surface/signedActs.ts';
import type { Keys, Standing } from '../surface/signer.ts';
import { workspaceForm } from '../surface/workspaceForms.ts';

/** A view that can decide something. */
export type Decidable = Extract<View, { render: string }>;

interface Means {
  /** What the human saw. */
  readonly rendered: Decidable;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly copies: CopyKeeper;
  /** What the form of keys had looked at. */
  readonly pasted: string;
}

/** Never throws: whatever happens is told to the form. */
export function decide(means: Means, message: Decision): Promise<Outcome> {
  return carriedOut(means.folders, message, (folder, id) => carryOut(means, folder, id, message));
}

async function carryOut(
  { folders, keys, copies, rendered, pasted }: Means,
  folder: OpenFolder,
  id: string,
  message: Decision,
): Promise<Outcome> {
  const { workspace } = folder;
  const done: Outcome = { type: 'done', act: message.act };
  if (message.type === 'enrol') {
    const { lost } = message;
    if (lost.length > 0 && !message.confirmed)
      return unconfirmed(message.act, vscode.l10n.t('Giving up a lost key takes a second step.'));
    await keys.enrolBeside(keyScope(folders, folder, message.shown), requireName(message.name), lost);
    return { ...done, text: vscode.l10n.t('This editor can decide now.') };
  }
  const standing = await keys.standing(workspace);
  if (standing.kind === 'stranger')
    throw new AppError('denied', vscode.l10n.t('This editor has to be enrolled first.'));
  if (message.type === 'keys') {
    if (standing.kind === 'first') throw new AppError('denied', vscode.l10n.t('This editor has no key yet.'));
    return carryOutKeys(keys, keyScope(folders, folder, message.shown), message, pasted);
  }
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
  if (message.type === 'request' || message.type === 'appoint') return carryOutRequest(store, signer, id, message);
  if (message.type === 'ask') return carryOutAsk(store, signer, message);
  if (message.type === 'releaseAll') {
    const form = workspaceForm(id);
    if (form?.kind !== 'releaseAll') throw new AppError('not_found', vscode.l10n.t('There is no such agent.'));
    if (!message.confirmed) return unconfirmed(message.act, vscode.l10n.t('Letting all go on takes a second step.'));
    const ids = releaseAll(store, signer, randomUUID, form.agent, message.note, message.shown);
    store.anchor();
    return { ...done, text: vscode.l10n.t('Let go on: {0}.', ids.join(', ')) };
  }
  if (message.type === 'revoke') {
    revokeAnswer(store, signer, randomUUID, id, message.reason, message.shown);
    store.anchor();
    return { ...done, text: vscode.l10n.t('Revoked. Whoever asks the same asks you.') };
  }
  if (message.type === 'holdAll' || message.type === 'holdNamed') return carryOutHold(store, signer, id, message);
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
  const { act, name, lifeHours, onExpiry, overdue: action, reassignTo, readOnlyTools, shown } = message;
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
  const { policy } = state;
  const before = policy.overdue ?? { action: 'alert' };
  const other = before.action !== action || (action === 'reassign' && before.reassignTo !== reassignTo);
  const overdue = { action, ...(action === 'reassign' && reassignTo !== undefined ? { reassignTo } : {}) };
  const tools = [...new Set(readOnlyTools)];
  const otherTools = tools.join('\n') !== (policy.hooks?.readOnlyTools ?? []).join('\n');
  if (standing.kind !== 'enrolled' || standing.name !== name) await keys.enrol(workspace, name);
  if (policy.questionLifeHours !== lifeHours || policy.onExpiry !== onExpiry || other || otherTools) {
    const signer = await keys.signer(workspace);
    changePolicy(
      await workspace.store(),
      signer,
      randomUUID,
      {
        questionLifeHours: lifeHours,
        onExpiry,
        ...(other ? { overdue } : {}),
        ...(otherTools ? { hooks: { readOnlyTools: tools } } : {}),
      },
      shown,
    );
    (await workspace.store()).anchor();
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

function firstOne(question: QuestionView): string {
  return vscode.l10n.t(
    '{0} was first, at {1}. What you wrote is kept.',
    question.answered_by ?? '',
    question.answered_at ?? '',
  );
}
