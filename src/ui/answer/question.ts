/** Converts a question to the view model of the form. */
import { shownAgent } from '../../core/kit/persons.ts';
import { shownAnswerHash, shownHash } from '../../app/decision/decisions.ts';
import type { Touched } from '../../app/question/questions.ts';
import type { QuestionView as AppQuestion } from '../../app/question/views.ts';
import { shownPayload } from '../../core/kit/fields.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import { isConfirmable } from '../../core/question/shape.ts';
import { refusalOf } from '../../core/state/answerEffect.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { changesModel, heldFiles } from '../surface/heldFiles.ts';
import { inBrowser, type SignerStanding } from '../surface/standing.ts';
import { peopleModel, unlistedWords } from '../surface/people.ts';
import { importedModel, folderName, optionalField, signerOf } from '../surface/workspaceForms.ts';
import { fileRef, touchedFiles } from '../kit/workspaceFiles.ts';
import { waitingOf } from '../tree/nodes.ts';
import { nextModel } from './nothing.ts';
import { allAssumptions, assumedAnswer, choiceModel, togetherLink } from './together.ts';
import type { Time, ViewOf } from '../kit/view.ts';
import { askBackProblem } from '../../core/question/fold.ts';
import { questionHistory, resolutionModel } from './resolution.ts';

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
  readonly queue: readonly { readonly key: string; readonly id: string }[];
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
