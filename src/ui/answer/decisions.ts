/** Handlers for the decisions of the "Answer" view, by message type. */
import * as l10n from '@vscode/l10n';
import { ZodError } from 'zod';
import {
  changePolicy,
  decideQuestion,
  liftRefusal,
  obstacleOf,
  releaseAll,
  revokeAnswer,
  shownPolicyHash,
  type Signing,
  type Verdict,
  requireDecided,
  deleteWork,
} from '../../app/decision/decisions.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { questionView, type QuestionView } from '../../app/question/views.ts';
import type { Policy, State } from '../../core/state/state.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { changedPolicy, unknownPerson } from './policy.ts';
import { ringOf } from './workspace.ts';
import type { Outcome } from '../kit/view.ts';
import type { Decision, DecisionOf } from './messages.ts';
import type { AnswerSnapshot } from './form.ts';
import { carryOutAsk, carryOutRequest } from './requests.ts';
import { carryOutAssumptions, carryOutTogether } from './together.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import {
  dispatch,
  carriedOut,
  notEnrolled,
  refusedOutcome,
  signingIn,
  unconfirmedOutcome,
  type Handlers,
} from '../surface/signedActs.ts';
import { carryOutAccept, carryOutHold } from '../surface/heldFiles.ts';
import { carryOutKeys, keyScope } from './keys.ts';
import { type Keys, keptWords } from '../surface/standing.ts';
import { workspaceForm } from '../surface/workspaceForms.ts';

/** A view that can send decisions. */
export type Decidable = Extract<AnswerSnapshot, { render: string }>;

export interface Means {
  readonly folders: Folders;
  readonly keys: Keys;
  /** Decisions that only the editor carries out. */
  readonly inEditor?: EditorDecisions;
}

export type EditorDecisions = Pick<AllHandlers, 'enrol' | 'share' | 'leaveTeam' | 'recover' | 'keys'>;
type AllHandlers = Handlers<Decision, Promise<Outcome>, [About]>;

export interface About {
  readonly folder: OpenFolder;
  readonly id: string;
  /** The view that the human saw. */
  readonly view: Decidable;
}

export type Decide = (message: Decision, view: Decidable) => Promise<Outcome>;

export function createDecisions(means: Means): Decide {
  const handlers = handlersOf(means);
  return (message, view) =>
    carriedOut(means.folders, message, (folder, id) => dispatch(handlers, message, { folder, id, view }));
}

function handlersOf({ folders, keys, inEditor }: Means): AllHandlers {
  const signed =
    <One extends Decision>(act: (message: One, signing: Signing, id: string, view: Decidable) => Promise<Outcome>) =>
    async (message: One, { folder, id, view }: About): Promise<Outcome> =>
      act(message, await signingIn(keys, folder.workspace, message.name), id, view);
  return {
    answer: signed(decideOne),
    cancel: signed(decideOne),
    release: signed(decideOne),
    askBack: signed(askAgent),
    revoke: signed(revoke),
    lift: signed(lift),
    releaseAll: signed(releaseAllOf),
    deleteWork: signed(deleteOne),
    confirmAssumptions: signed((message, signing, id, view) =>
      carryOutAssumptions(signing, message, view.type === 'assumptions' ? view.questions : [], id),
    ),
    answerTogether: signed((message, signing, _id, view) =>
      carryOutTogether(signing, message, view.type === 'together' ? view.questions : []),
    ),
    holdAll: signed((message, signing, id) => carryOutHold(signing, id, message)),
    holdNamed: signed((message, signing, id) => carryOutHold(signing, id, message)),
    acceptChanges: signed((message, signing, id) => carryOutAccept(signing, id, message)),
    request: signed((message, signing, id) => carryOutRequest(signing, id, message)),
    appoint: signed((message, signing, id) => carryOutRequest(signing, id, message)),
    ask: signed((message, signing) => carryOutAsk(signing, message)),
    policy: (message, { folder }) => setPolicy(keys, folder.workspace, message),
    enrol: (message, about) => inEditor?.enrol(message, about) ?? refuseElsewhere(message),
    // The forms of a browser let a person confirm a passkey, and nothing else of keys.
    keys: async (message, about) =>
      inEditor?.keys(message, about) ??
      (message.what.do === 'confirmPasskey'
        ? carryOutKeys(keys, keyScope(folders, about.folder, message.shown), message, '')
        : refuseElsewhere(message)),
    share: (message, about) => inEditor?.share(message, about) ?? refuseElsewhere(message),
    leaveTeam: (message, about) => inEditor?.leaveTeam(message, about) ?? refuseElsewhere(message),
    recover: (message, about) => inEditor?.recover(message, about) ?? refuseElsewhere(message),
  };
}

function refuseElsewhere({ act }: Decision): Promise<Outcome> {
  return Promise.resolve(refusedOutcome(act, 'invalid', l10n.t('This is done in the editor.')));
}

/** The messages that settle one question. */
export type Settling = DecisionOf<'answer' | 'cancel' | 'release'>;

/** Whether a decision could be made as it is; records and signs nothing. Never throws. */
export function checkDecision({ folders, keys }: Pick<Means, 'folders' | 'keys'>, message: Settling): Promise<Outcome> {
  return carriedOut(folders, message, async ({ workspace }, id) => {
    if ((await keys.standing(workspace)).kind === 'stranger') throw notEnrolled();
    const view = (await workspace.store()).read();
    const obstacle = obstacleOf(view.state, id, verdictOf(message), message.shown);
    return stepMissing(message, view.state, id) ?? endedOutcome(message, obstacle, questionView(view, id));
  });
}

async function decideOne(message: Settling, signing: Signing, id: string): Promise<Outcome> {
  const missing = stepMissing(message, signing.store.read().state, id);
  if (missing) return missing;
  const { outcome, question } = await decideQuestion(signing, id, verdictOf(message), message.shown);
  if (outcome === 'kept') return { type: 'done', act: message.act, text: keptWords(question.quorum) };
  return endedOutcome(message, outcome === 'decided' ? null : outcome, question);
}

function stepMissing(message: Settling, state: State, id: string): Outcome | undefined {
  if (state.questions.get(id)?.urgency !== 'critical' || message.confirmed) return undefined;
  return unconfirmedOutcome(message.act);
}

function endedOutcome(
  { act }: Settling,
  obstacle: ReturnType<typeof obstacleOf>,
  question: QuestionView | null,
): Outcome {
  if (obstacle === null) return { type: 'done', act };
  if (obstacle === 'already' && question) return refusedOutcome(act, 'conflict', firstOne(question));
  return refusedOutcome(act, 'changed', l10n.t('The question has changed since it was shown. Check it, then answer.'));
}

/** Asks the agent back: the question stays open, and keeps all that it holds. */
async function askAgent({ act, text, shown }: DecisionOf<'askBack'>, signing: Signing, id: string): Promise<Outcome> {
  await requireDecided(signing, { kind: 'question.askedBack', v: 1, id, text }, shown);
  return { type: 'done', act, text: l10n.t('Asked. You are notified of the reply.') };
}

async function revoke(
  { act, text: reason, shown }: DecisionOf<'revoke'>,
  signing: Signing,
  id: string,
): Promise<Outcome> {
  await revokeAnswer(signing, { id, reason, shown });
  return { type: 'done', act, text: l10n.t('This answer is no longer reused. Next time, agents ask you again.') };
}

async function lift(
  { act, text: reason, shown, confirmed }: DecisionOf<'lift'>,
  signing: Signing,
  id: string,
): Promise<Outcome> {
  if (!confirmed) return unconfirmedOutcome(act);
  const question = await liftRefusal(signing, { id, reason, shown });
  const text = question.lifted === null ? keptWords(question.quorum) : l10n.t('Lifted. It may be done now.');
  return { type: 'done', act, text };
}

async function releaseAllOf(message: DecisionOf<'releaseAll'>, signing: Signing, id: string): Promise<Outcome> {
  const { act, note, shown } = message;
  const form = workspaceForm(id);
  if (form?.kind !== 'releaseAll') throw new AppError('not_found', l10n.t('This agent does not exist.'));
  const ids = await releaseAll(signing, form.about, note, shown);
  return { type: 'done', act, text: l10n.t('Dismissed: {0}.', ids.join(', ')), decided: ids };
}

async function deleteOne(message: DecisionOf<'deleteWork'>, signing: Signing, id: string): Promise<Outcome> {
  const { act, shown } = message;
  const form = workspaceForm(id);
  if (form?.kind !== 'work') throw new AppError('not_found', l10n.t('There is no such work item.'));
  await deleteWork(signing, form.about, shown);
  return { type: 'done', act, text: l10n.t('Deleted: {0}.', form.about) };
}

async function setPolicy(keys: Keys, workspace: Workspace, message: DecisionOf<'policy'>): Promise<Outcome> {
  const { act, name, shown } = message;
  const signing = await signingIn(keys, workspace, name);
  const { state } = signing.store.read();
  if (shown !== shownPolicyHash(state))
    return refusedOutcome(act, 'changed', l10n.t('The policy has changed since it was shown. Check it, then save.'));
  const changed = changeIn(state, message);
  if (changed === undefined) return refusedOutcome(act, 'invalid', l10n.t('A value of the form is not valid.'));
  const unknown = changed && unknownPerson(changed, ringOf(workspace));
  if (unknown !== null)
    return refusedOutcome(
      act,
      'invalid',
      l10n.t('No key here has the name {0}. A rule can only name people whose keys are trusted here.', unknown),
    );
  if (changed) {
    const outcome = await changePolicy(signing, changed, shown);
    if (outcome === 'kept') return { type: 'done', act, text: keptWords(null) };
  }
  return { type: 'done', act, text: l10n.t('Saved. It is in force.') };
}

/** Undefined for a value that the form would not send. */
function changeIn({ policy, shared }: State, { values }: DecisionOf<'policy'>): Policy | null | undefined {
  try {
    return changedPolicy(policy, values, { isShared: shared !== null, people: [], responsibilities: [] });
  } catch (error) {
    if (error instanceof ZodError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function verdictOf(message: Settling): Verdict {
  switch (message.type) {
    case 'answer':
      return {
        kind: 'answer',
        answer: {
          choices: message.choices,
          ...(message.text === '' ? {} : { text: message.text }),
          ...(message.effect === undefined ? {} : { effect: message.effect }),
        },
      };
    case 'cancel':
      return { kind: 'cancel', reason: message.text };
    case 'release':
      return { kind: 'release', note: message.text };
  }
}

function firstOne(question: QuestionView): string {
  return l10n.t(
    '{0} was first, at {1}. What you wrote is kept.',
    question.answered_by ?? '',
    question.answered_at ?? '',
  );
}
