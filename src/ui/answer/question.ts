/** Converts a question to the view model of the form. */
import { shownAgent } from '../../core/kit/persons.ts';
import * as l10n from '@vscode/l10n';
import { shownAnswerHash, shownHash } from '../../app/decision/decisions.ts';
import type { Touched } from '../../app/question/touched.ts';
import { reusesOf } from '../../app/question/reuses.ts';
import type { QuestionView as AppQuestion } from '../../app/question/views.ts';
import { shownPayload } from '../../core/kit/payload.ts';
import { rowLabel } from '../../core/kit/plain.ts';
import { firstLine } from '../../core/kit/text.ts';
import { isConfirmable } from '../../core/question/assumptions.ts';
import { isReusable } from '../../core/question/question.ts';
import { refusalOf } from '../../core/state/answerEffect.ts';
import type { Question, State } from '../../core/state/state.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import type { NothingView, QuestionForm, Resolution } from '../../protocol/question/question.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { proposalWords } from '../kit/format.ts';
import { changesModel } from '../surface/changesModel.ts';
import { heldFiles, wideningHistory } from '../surface/heldFiles.ts';
import { inBrowser, passkeyOf } from '../surface/inBrowser.ts';
import { peopleModel, unlistedWords } from '../surface/peopleModel.ts';
import { importedModel } from '../surface/importedModel.ts';
import type { SignerStanding } from '../surface/keys.ts';
import { folderName, releaseAllKey, signerOf } from '../surface/workspaceForms.ts';
import { idOf, waitingNodes } from '../tree/nodes.ts';
import { releasableCount } from '../kit/order.ts';
import { parkedModel } from './parked.ts';
import { threadHistory, threadModel } from './thread.ts';
import { fileRef } from '../kit/workspaceFiles.ts';
import { touchedFiles } from '../surface/touched.ts';
import { allAssumptions, assumedAnswer } from './assumptions.ts';
import { earlierModel } from './earlier.ts';
import { choiceModel, togetherLink } from './together.ts';

export interface QuestionModelOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly question: AppQuestion;
  readonly standing: SignerStanding;
  /** Nonce of this rendering. */
  readonly render: string;
  /** Set when nothing can be decided here. */
  readonly locked?: string | undefined;
  /** The form that lets this editor sign, if that is what is missing. */
  readonly enrol?: string | undefined;
  /** Changes since an async question was asked. */
  readonly touched?: Touched | undefined;
  readonly where: 'editor' | 'browser';
  /** What starts the agent again, if it parked the question. */
  readonly resume?: QuestionForm['resume'];
  /** Keys of all waiting items, over all folders, in order. */
  readonly queue: readonly { readonly key: string; readonly id: string }[];
}

const namedAtMost = 50;

export function questionModel({
  folders,
  folder,
  view,
  question,
  standing,
  render,
  locked,
  enrol,
  touched,
  where,
  resume,
  queue,
}: QuestionModelOptions): QuestionForm {
  const key = folders.keyOf(folder, question.id);
  const index = queue.findIndex((entry) => entry.key === key);
  const next = queue.find((entry, at) => entry.key !== key && at > index) ?? queue.find((entry) => entry.key !== key);
  const stored = view.state.questions.get(question.id);
  const open = releasableCount(folder.workspace, view.state, question.agent_id);
  const decidable = question.resolution === null && (question.status === 'pending' || question.holding);
  return {
    type: 'question',
    key,
    shown: stored ? shownNow(view.state, stored) : 'gone',
    render,
    id: question.id,
    ...folderName(folders, folder),
    ...{ urgency: question.urgency, kind: question.type, mode: question.mode },
    ...{ agent: question.agent_name, raisedAt: question.raised_at },
    ...importedModel(view, question.id),
    text: question.text,
    ...optional('for', question.for),
    ...optional('background', question.background),
    ...optional('impact', question.impact),
    ...optional('ifDelayed', question.if_delayed),
    ...optional('payload', shownPayload(question.payload_json)),
    blocks: {
      work: question.holding ? [...question.blocks] : [],
      cascade: {
        count: question.holding ? question.cascade.length : 0,
        named: question.holding ? question.cascade.slice(0, namedAtMost) : [],
      },
      ...(stored && question.holding ? heldFiles(view, stored, standing) : { files: [] }),
      wholeSession: question.holding && question.work === null,
    },
    files: question.files.map((file) => fileRef(folder.workspace, file)),
    alternatives: [...question.alternatives],
    ...(question.context === null ? {} : { snippet: { text: question.context } }),
    ...assumptionModel({ folder, question, stored, touched }),
    choices: question.choices.map((choice) => choiceModel(question, choice)),
    multiple: question.multiple,
    freeText: freeText(question),
    ...threadModel(view, question.id, standing),
    ...parkedModel(question, resume, view.own),
    ...changesModel({ folder, view, id: question.id, where, locked }),
    ...(stored && isDecidable(stored) ? peopleModel(view.state, stored, standing) : {}),
    resolution: resolution({ folders, folder, view, question, stored, standing }),
    ...(decidable && question.expires_at !== null ? { expiresAt: question.expires_at } : {}),
    ...optional(
      'locked',
      locked ?? (stored && isDecidable(stored) ? unlistedWords(view.state, stored, standing) : null) ?? null,
    ),
    ...(stored && isDecidable(stored) && locked === undefined ? inBrowser(view.state, stored, standing) : {}),
    ...(enrol === undefined ? {} : { enrol }),
    secondStep: question.urgency === 'critical',
    answersAs: signerOf(standing),
    history: history(view, question),
    ...(index < 0 ? {} : { position: { index: index + 1, of: queue.length } }),
    ...allAssumptions({ folders, folder, state: view.state, stored }),
    ...(locked === undefined ? earlierModel({ folders, folder, state: view.state, stored }) : {}),
    ...togetherLink({ folders, folder, state: view.state, id: question.id }),
    ...(next ? { next: { key: next.key, id: next.id } } : {}),
    ...(decidable && open > 1
      ? { releaseAll: { key: releaseAllKey(folders, folder, question.agent_id), count: open } }
      : {}),
  };
}

/** Whether people can still decide something about it: the question, or a refusal to lift. */
function isDecidable(question: Question): boolean {
  return question.resolution === null || refusalOf(question) !== null;
}

/** What the agent assumes while the question waits, and what was changed since. */
function assumptionModel({
  folder,
  question: { mode, assumption },
  stored,
  touched,
}: Pick<QuestionModelOptions, 'folder' | 'question' | 'touched'> & {
  readonly stored: Question | undefined;
}): Pick<QuestionForm, 'assumption'> {
  if (mode !== 'async' || assumption === null) return {};
  return {
    assumption: {
      text: assumption,
      ...(stored && isConfirmable(stored) ? { answer: assumedAnswer(assumption) } : {}),
      ...(touched === undefined ? {} : { touched: touchedFiles(folder.workspace, touched) }),
    },
  };
}

/** The items waiting for the human in all folders. Skips UNKNOWN folders. */
export async function waitingQueue(folders: Folders): Promise<{ key: string; id: string }[]> {
  const { waiting, inbox } = await waitingNodes(folders);
  const humans = waiting.filter((node) => node.kind !== 'question' || node.question.asked_back !== true);
  return [...humans, ...inbox].map((node) => {
    const id = idOf(node);
    return { key: folders.keyOf(node.folder, id), id };
  });
}

/** Shown when nothing waits, or at the end of the queue: what is left, and items in progress, latest first. */
export function nothingModel(folders: Folders, queue: readonly { key: string; id: string }[]): NothingView {
  const waiting = queue.map(({ key, id }) => {
    const { rfcs, questions } = folders.find(key)?.folder.workspace.standing().state ?? {};
    const text = questions?.get(id)?.raised.text;
    const title = rfcs?.get(id)?.title ?? (text === undefined ? '' : firstLine(rowLabel(text), 200));
    return { key, id, title: title || l10n.t('Request {0}', id) };
  });
  const working = folders.shown
    .flatMap(([{ workspace }]) =>
      [...(workspace.standing().state?.work.values() ?? [])]
        .filter(({ status, assignee }) => status === 'in_progress' && assignee !== null)
        .map((item) => ({ ...item, own: workspace.person() })),
    )
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const proposals = folders.shown.flatMap(([folder]) =>
    [...(folder.workspace.standing().state?.proposals ?? [])].map(([id, proposal]) => ({
      key: folders.keyOf(folder, id),
      id,
      title: proposalWords(proposal),
    })),
  );
  return {
    type: 'nothing',
    left: waiting.filter(({ id }) => !isRfcId(id)),
    rfcs: waiting.filter(({ id }) => isRfcId(id)),
    proposals,
    agents: working.slice(0, namedAtMost).map(({ assignee, title, step, updatedAt, own }) => ({
      agent: shownAgent(assignee ?? '', own),
      what: step === null ? title : `${title}: ${step}`,
      since: updatedAt,
    })),
  };
}

function freeText({ type, choices, free_text: allowed }: AppQuestion): QuestionForm['freeText'] {
  if (type === 'approval') return 'optional';
  if (choices.length === 0) return 'required';
  return allowed ? 'optional' : 'none';
}

/** The shown content that a decision is bound to: the question or, once answered, the answer. */
function shownNow(state: State, stored: Question): string {
  return stored.resolution?.how === 'answered' ? shownAnswerHash(state, stored) : shownHash(state, stored);
}

type ResolutionOptions = Pick<QuestionModelOptions, 'folders' | 'folder' | 'view' | 'question' | 'standing'> & {
  readonly stored: Question | undefined;
};

function resolution({ folders, folder, view, question, stored, standing }: ResolutionOptions): Resolution {
  const { answered_by, answered_at } = question;
  if (question.resolution === null || answered_by === null || answered_at === null) {
    if (question.status !== 'expired') return { type: 'pending' };
    const failed =
      question.mode === 'sync' && question.work?.kind === 'task'
        ? [{ id: question.work.id, title: question.work.title }]
        : [];
    return { type: 'expired', at: question.expires_at ?? question.raised_at, failed, held: question.holding };
  }
  const by = {
    name: answered_by,
    you: isSignedByReader(stored?.resolution ?? null, standing),
  };
  const received = question.acknowledged_at;
  const agent = shownAgent(question.recipient, view.own);
  const delivery =
    received === null ? ({ type: 'waiting', agent } as const) : ({ type: 'received', agent, at: received } as const);
  const passkey = passkeyOf(view.state, folder.workspace, stored?.resolution);
  const decision = { by, at: answered_at, ...passkey, delivery };
  switch (question.resolution) {
    case 'answered':
      return {
        type: 'answered',
        choices: [...(question.answer?.choices ?? [])],
        text: question.answer?.text ?? '',
        ...decision,
        ...given(view, question, standing),
        effect: question.effect ?? 'proceed',
        ...answeredWith(folders, folder, stored),
        // Questions without a work item are never answered by reuse.
        revocable: stored !== undefined && question.work !== null && isReusable(stored),
      };
    case 'withdrawn':
    case 'cancelled':
      return { type: 'cancelled', reason: question.note ?? '', ...decision };
    case 'released':
      return { type: 'released', note: question.note ?? '', ...decision };
  }
}

/** With this key, or with a passkey of the same person: the key ring has both under one name. */
function isSignedByReader(signed: Question['resolution'], standing: SignerStanding): boolean {
  if (standing.kind !== 'enrolled' || signed === null) return false;
  return standing.keyid === signed.keyid || (signed.passkey === true && standing.name === signed.by);
}

/** The other questions of the same act. */
function answeredWith(
  folders: Folders,
  folder: OpenFolder,
  stored: Question | undefined,
): Pick<Extract<Resolution, { type: 'answered' }>, 'with'> {
  const others = stored?.resolution?.with ?? [];
  return others.length === 0 ? {} : { with: others.map((id) => ({ key: folders.keyOf(folder, id), id })) };
}

/** Who received the answer again, and whether a human has excluded it from reuse. */
function given(
  view: View,
  question: AppQuestion,
  standing: SignerStanding,
): Pick<Extract<Resolution, { type: 'answered' }>, 'again' | 'revoked' | 'lifted'> {
  const { revoked, lifted, reuse_count: count } = question;
  const later = ({ by, at, reason }: NonNullable<typeof revoked>) => ({
    by: { name: by, you: standing.kind === 'enrolled' && standing.name === by },
    at,
    reason,
  });
  return {
    ...(count === 0
      ? {}
      : {
          again: {
            count,
            named: reusesOf(view, question.id)
              .slice(0, namedAtMost)
              .map(({ agent_id, reused_at }) => ({ agent: shownAgent(agent_id, view.own), at: reused_at })),
          },
        }),
    ...(revoked === null ? {} : { revoked: later(revoked) }),
    ...(lifted === null ? {} : { lifted: later(lifted) }),
  };
}

function history(view: View, question: AppQuestion): QuestionForm['history'] {
  const recipient = shownAgent(question.recipient, view.own);
  const steps: [string | null, string][] = [
    [question.raised_at, l10n.t('{0} asked', question.agent_name)],
    [question.status === 'expired' ? question.expires_at : null, l10n.t('Expired without an answer')],
    [question.answered_at, decided(question)],
    [question.offered_at, l10n.t('Delivered to {0}', recipient)],
    [question.acknowledged_at, l10n.t('{0} continued', recipient)],
    ...reusesOf(view, question.id)
      .slice(0, namedAtMost)
      .map(({ agent_id, reused_at }): [string, string] => [
        reused_at,
        l10n.t('{0} asked the same question and got this answer', shownAgent(agent_id, view.own)),
      ]),
    [question.lifted?.at ?? null, l10n.t('{0} lifted the refusal', question.lifted?.by ?? '')],
    [question.revoked?.at ?? null, l10n.t('{0} revoked the answer', question.revoked?.by ?? '')],
  ];
  return [
    ...steps.flatMap(([at, text]) => (at === null ? [] : [{ at, text }])),
    ...wideningHistory(view, question.id),
    ...threadHistory(view, question.id),
  ].sort((a, b) => a.at.localeCompare(b.at));
}

function decided({ resolution, effect, answered_by: by }: AppQuestion): string {
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

function optional<K extends string>(name: K, value: string | null): Partial<Record<K, string>> {
  return value === null ? {} : ({ [name]: value } as Record<K, string>);
}
