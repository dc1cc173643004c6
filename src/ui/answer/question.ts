/** Converts a question to the view model of the form. */
import { shownAgent } from '../../core/kit/persons.ts';
import { shownAnswerHash, shownHash } from '../../app/decision/decisions.ts';
import type { Touched } from '../../app/question/questions.ts';
import { type QuestionView as AppQuestion, askBackViews } from '../../app/question/views.ts';
import { shownPayload } from '../../core/kit/fields.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import { isConfirmable } from '../../core/question/shape.ts';
import { refusalOf } from '../../core/state/answerEffect.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { changesModel, heldFiles, wideningHistory } from '../surface/heldFiles.ts';
import { inBrowser, type SignerStanding, passkeyOf, peopleModel, unlistedWords } from '../surface/standing.ts';
import { importedModel, folderName, optionalField, signerOf } from '../surface/workspaceForms.ts';
import { fileRef, touchedFiles } from '../kit/workspaceFiles.ts';
import { waitingOf } from '../tree/nodes.ts';
import { nextModel, type Waiting } from './nothing.ts';
import { allAssumptions, assumedAnswer, choiceModel, togetherLink } from './together.ts';
import type { Time, ViewOf, History } from '../kit/view.ts';
import { askBackProblem } from '../../core/question/fold.ts';
import { isReusable } from '../../core/question/question.ts';
import * as l10n from '@vscode/l10n';
import { recordsOf } from '../../store/rows/read.ts';

/** How a parked agent is started again, or why it is not. `willStart`: by the policy. `chat`: the human sends the prompt. */
export type Resume =
  | { type: 'willStart' | 'canStart'; command: string; folder: string; again: boolean }
  | { type: 'started'; command: string; at: Time; terminal: string; here: boolean }
  | { type: 'running' | 'elsewhere'; agent: string }
  | { type: 'missing'; agent: string; program: string }
  | { type: 'chat' };

export type QuestionForm = ViewOf<ReturnType<typeof questionModel>>;

export interface QuestionModelOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly question: AppQuestion;
  readonly standing: SignerStanding;
  readonly render: string;
  /** Set when nothing can be decided here. */
  readonly locked?: string | undefined;
  /** The form that lets this editor sign, if that is what is missing. */
  readonly enrol?: string | undefined;
  /** Changes since an async question was asked. */
  readonly touched?: Touched | undefined;
  readonly where: 'editor' | 'browser';
  /** What starts the agent again, if it parked the question. */
  readonly resume?: Resume | undefined;
  /** Keys of all waiting items, over all folders, in order. */
  readonly queue: readonly Waiting[];
}

const namedAtMost = 50;

/** The form of one question, top to bottom. Texts by agents are Markdown. */
export function questionModel(options: QuestionModelOptions) {
  const { folders, folder, view, question, standing, locked, enrol, touched, where, resume, queue } = options;
  const { id } = question;
  const key = folders.keyOf(folder, id);
  const index = queue.findIndex((entry) => entry.key === key);
  // RFCs come after the questions.
  const others = [...queue.slice(index + 1), ...queue].filter((entry) => entry.key !== key);
  const next = others.find((entry) => !isRfcId(entry.id)) ?? others[0];
  const stored = view.state.questions.get(id);
  const isWaiting = question.resolution === null && (question.status === 'pending' || question.holding);
  const decidable = stored && isDecidable(stored) ? stored : undefined;
  const place = { folders, folder, state: view.state, stored };
  return {
    type: 'question' as const,
    key,
    shown: stored ? shownNow(view.state, stored) : 'gone',
    render: options.render,
    ...{ id, answersAs: signerOf(standing), ...folderName(folders, folder) },
    ...{ urgency: question.urgency, kind: question.type, mode: question.mode },
    ...{ agent: question.agent_name, raisedAt: question.raised_at },
    ...importedModel(view, id),
    text: question.text,
    // A person or responsibility that should answer; everybody can.
    ...optionalField('for', question.for),
    ...optionalField('background', question.background),
    ...optionalField('impact', question.impact),
    ...optionalField('ifDelayed', question.if_delayed),
    ...optionalField('payload', shownPayload(question.payload_json)),
    blocks: {
      work: question.holding ? [...question.blocks] : [],
      cascade: {
        count: question.holding ? question.cascade.length : 0,
        named: question.holding ? question.cascade.slice(0, namedAtMost) : [],
      },
      ...(stored && question.holding ? heldFiles(view, stored, standing) : { files: [] }),
      // The agent does nothing else until then.
      wholeSession: question.holding && question.work === null,
    },
    files: question.files.map((file) => fileRef(folder.workspace, file)),
    alternatives: [...question.alternatives],
    ...optionalField('snippet', question.context),
    ...optionalField('assumption', assumptionModel({ folder, question, stored, touched })),
    choices: question.choices.map((choice) => choiceModel(question, choice)),
    multiple: question.multiple,
    freeText: freeText(question),
    ...threadModel(view, id, standing),
    ...optionalField('parked', parkedModel(question, view.own)),
    // What starts the parked agent again; only in the editor, until the agent continues.
    ...optionalField('resume', resume),
    ...changesModel({ folder, view, id, where, locked }),
    ...(decidable ? peopleModel(view.state, decidable, standing) : {}),
    resolution: resolutionModel({ folders, folder, view, question, stored, standing }),
    ...optionalField('expiresAt', isWaiting ? question.expires_at : null),
    ...optionalField('locked', locked ?? (decidable && unlistedWords(view.state, decidable, standing))),
    // Why only a passkey decides it: a button opens its page in the browser.
    ...(decidable && locked === undefined ? inBrowser(view.state, decidable, standing) : {}),
    // The form that lets this editor sign, where that is why it is locked.
    ...optionalField('enrol', enrol),
    // Critical ones are decided in two steps, both inside the form.
    secondStep: question.urgency === 'critical',
    history: questionHistory(view, question),
    // All waiting items, as the badge counts them.
    waiting: waitingOf(folders),
    ...allAssumptions(place),
    ...togetherLink({ folders, folder, state: view.state, id }),
    ...optionalField('next', nextModel(folders, next)),
  };
}

/** Whether people can still decide something about it: the question, or a refusal to lift. */
function isDecidable(question: Question): boolean {
  return question.resolution === null || refusalOf(question) !== null;
}

/** The agent's assumption while the question waits, the answer that confirms it in words, and the changes since. */
function assumptionModel({
  folder,
  question: { mode, assumption: text },
  stored,
  touched,
}: Pick<QuestionModelOptions, 'folder' | 'question' | 'touched'> & { readonly stored: Question | undefined }) {
  if (mode !== 'async' || text === null) return null;
  return {
    text,
    ...optionalField('answer', stored && isConfirmable(stored) ? assumedAnswer(text) : null),
    ...optionalField('touched', touched && touchedFiles(folder.workspace, touched)),
  };
}

/** The text box: with choices, an optional one allows adding a reason. */
function freeText({ type, choices, free_text: allowed }: AppQuestion): 'none' | 'optional' | 'required' {
  if (type === 'approval') return 'optional';
  if (choices.length === 0) return 'required';
  return allowed ? 'optional' : 'none';
}

/** The shown content that a decision is bound to: the question or, once answered, the answer. */
function shownNow(state: State, stored: Question): string {
  return stored.resolution?.how === 'answered' ? shownAnswerHash(state, stored) : shownHash(state, stored);
}

// Parts of the form

/** A human's follow-up questions to the agent, oldest first, and whether another can be asked now. */
function threadModel({ state, own }: Pick<View, 'state' | 'own'>, id: string, standing: SignerStanding) {
  const stored = state.questions.get(id);
  const thread = (stored?.askBacks ?? []).map(({ text, by, keyid, at, reply }) => ({
    ...{ text, at },
    by: { name: by, you: standing.kind === 'enrolled' && standing.keyid === keyid },
    ...optionalField('reply', reply && { text: reply.text, agent: shownAgent(reply.by, own), at: reply.at }),
  }));
  return { thread, askBack: stored !== undefined && askBackProblem(stored) === null };
}

/** The resume brief of an agent that stopped waiting, while the question is undecided. */
function parkedModel({ resolution, parked }: Pick<AppQuestion, 'resolution' | 'parked'>, own: string | null) {
  if (!parked || resolution !== null) return null;
  const { by, at, doing, next, files, check_first: checkFirst } = parked;
  return {
    ...{ agent: shownAgent(by, own), at, doing, next, files: [...files] },
    ...optionalField('checkFirst', checkFirst),
  };
}

// How a question was decided, for its form.

// Answers that were reused without asking a human, for review and revocation.

/** A question that was answered with an earlier answer. */
interface Reuse {
  readonly agent_id: string;
  readonly reused_at: string;
}

/** Who received the answer again, latest first: part of a question's history. */
export function reusesOf(view: View, id: string): Reuse[] {
  return recordsOf(view.rows, id, 'answer.reused')
    .map(({ record, time }) => ({ agent_id: record.agent, reused_at: time }))
    .reverse();
}

/** The status of the question. All but `pending` are final. */
export type Resolution = ViewOf<ReturnType<typeof resolutionModel>>;
export type Answered = Extract<Resolution, { type: 'answered' }>;

interface ResolutionOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly question: AppQuestion;
  readonly standing: SignerStanding;
  readonly stored: Question | undefined;
}

export function resolutionModel({ folders, folder, view, question, stored, standing }: ResolutionOptions) {
  const { answered_by: name, answered_at: at } = question;
  if (question.resolution === null || name === null || at === null) {
    if (question.status !== 'expired') return { type: 'pending' as const };
    const { mode, work } = question;
    const failed = mode === 'sync' && work?.kind === 'task' ? [{ id: work.id, title: work.title }] : [];
    // Expiry releases nothing: held until a human releases it, which the form offers in the meantime.
    return {
      ...{ type: 'expired' as const, at: question.expires_at ?? question.raised_at },
      ...{ failed, held: question.holding },
    };
  }
  const decision = {
    by: { name, you: isSignedByReader(stored?.resolution ?? null, standing) },
    at,
    // The passkey that signed it, as its human calls it.
    ...optionalField('passkey', passkeyOf(view.state, folder.workspace, stored?.resolution).passkey),
    ...optionalField('delivery', deliveryOf(question, view.own)),
  };
  switch (question.resolution) {
    case 'answered':
      return {
        type: 'answered' as const,
        choices: [...(question.answer?.choices ?? [])],
        text: question.answer?.text ?? '',
        ...decision,
        ...givenAnswer(view, question, standing),
        effect: question.effect ?? 'proceed',
        // The other questions that the same act answered.
        ...optionalField(
          'with',
          stored?.resolution?.with?.map((id) => ({ key: folders.keyOf(folder, id), id })),
        ),
        // Questions without a work item are never answered by reuse.
        revocable: stored !== undefined && question.work !== null && isReusable(stored),
      };
    case 'withdrawn':
    case 'cancelled':
      return { type: 'cancelled' as const, reason: question.note ?? '', ...decision };
    case 'released':
      return { type: 'released' as const, note: question.note ?? '', ...decision };
  }
}

/** Whether the agent has the decision: it has acknowledged it, not just been offered it. */
function deliveryOf({ recipient, acknowledged_at: at }: AppQuestion, own: string | null) {
  const agent = shownAgent(recipient, own);
  return at === null ? { type: 'waiting' as const, agent } : { type: 'received' as const, agent, at };
}

/** With this key, or with a passkey of the same person: the key ring has both under one name. */
function isSignedByReader(signed: Question['resolution'], standing: SignerStanding): boolean {
  if (standing.kind !== 'enrolled' || signed === null) return false;
  return standing.keyid === signed.keyid || (signed.passkey === true && standing.name === signed.by);
}

/** Who received the answer again, the latest first, and whether a human has excluded it from reuse or lifted it. */
function givenAnswer(view: View, question: AppQuestion, standing: SignerStanding) {
  const { revoked, lifted, reuse_count: count } = question;
  const later = (act: typeof revoked) =>
    act && {
      ...{ at: act.at, reason: act.reason },
      by: { name: act.by, you: standing.kind === 'enrolled' && standing.name === act.by },
    };
  const named = reusesOf(view, question.id)
    .slice(0, namedAtMost)
    .map(({ agent_id, reused_at }) => ({ agent: shownAgent(agent_id, view.own), at: reused_at }));
  return {
    ...optionalField('again', count === 0 ? null : { count, named }),
    ...optionalField('revoked', later(revoked)),
    ...optionalField('lifted', later(lifted)),
  };
}

// The history of a question, for its form.

export function questionHistory(view: View, question: AppQuestion): History {
  const recipient = shownAgent(question.recipient, view.own);
  const steps: [string | null, string][] = [
    [question.raised_at, l10n.t('{0} asked', question.agent_name)],
    [question.status === 'expired' ? question.expires_at : null, l10n.t('Expired without an answer')],
    [question.answered_at, decisionText(question)],
    [question.offered_at, l10n.t('Delivered to {0}', recipient)],
    [question.acknowledged_at, l10n.t('{0} continued', recipient)],
    ...reusesOf(view, question.id)
      .slice(0, namedAtMost)
      .map(({ agent_id, reused_at }): [string, string] => [
        reused_at,
        l10n.t('{0} asked the same question and got this answer', shownAgent(agent_id, view.own)),
      ]),
    [question.lifted?.at ?? null, l10n.t('{0} lifted the refusal', question.lifted?.by ?? '')],
    [question.revoked?.at ?? null, l10n.t('{0} stopped the reuse of the answer', question.revoked?.by ?? '')],
  ];
  return [
    ...steps.flatMap(([at, text]) => (at === null ? [] : [{ at, text }])),
    ...wideningHistory(view, question.id),
    ...threadHistory(view, question.id),
  ].sort((a, b) => a.at.localeCompare(b.at));
}

function decisionText({ resolution, effect, answered_by: by }: AppQuestion): string {
  if (effect === 'do_not') return l10n.t('{0} refused it', by ?? '');
  if (effect === 'stop') return l10n.t('{0} stopped the work', by ?? '');
  switch (resolution) {
    case 'cancelled':
      return l10n.t('{0} dismissed it as no longer needed', by ?? '');
    case 'withdrawn':
      return l10n.t('{0} withdrew it', by ?? '');
    case 'released':
      return l10n.t('{0} dismissed it', by ?? '');
    case 'answered':
    case null:
      return l10n.t('{0} answered', by ?? '');
  }
}

function threadHistory({ state, own }: Pick<View, 'state' | 'own'>, id: string): History {
  const stored = state.questions.get(id);
  return (stored ? askBackViews(stored) : []).flatMap(({ asked_by, asked_at, replied_by, replied_at }) => [
    { at: asked_at, text: l10n.t('{0} asked the agent', asked_by) },
    ...(replied_at === null
      ? []
      : [{ at: replied_at, text: l10n.t('{0} replied', shownAgent(replied_by ?? '', own)) }]),
  ]);
}
