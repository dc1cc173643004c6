/** Converts a question to the view model of the form. */
import { shownAgent } from '../../core/kit/persons.ts';
import { shownAnswerHash, shownHash } from '../../app/decision/decisions.ts';
import type { Touched } from '../../app/question/touched.ts';
import type { QuestionView as AppQuestion, QuestionView } from '../../app/question/views.ts';
import { shownPayload } from '../../core/kit/fields.ts';
import { firstLine, answerLine } from '../../core/kit/text.ts';
import { isConfirmable } from '../../core/question/shape.ts';
import { refusalOf } from '../../core/state/answerEffect.ts';
import { type Question, type State, isWhole, raisedOf, type OpenQuestion } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { changesModel, heldFiles } from '../surface/heldFiles.ts';
import { inBrowser, type SignerStanding } from '../surface/standing.ts';
import { peopleModel, unlistedWords } from '../surface/people.ts';
import { importedModel, folderName, signerOf } from '../surface/workspaceForms.ts';
import { fileRef, touchedFiles } from '../kit/workspaceFiles.ts';
import { allAssumptions, assumedAnswer } from './assumptions.ts';
import { choiceModel, togetherLink, type Choice } from './together.ts';
import type {
  FileRef,
  FormLink,
  FormView,
  Held,
  HeldChangesView,
  History,
  Imported,
  People,
  Person,
  Time,
  Token,
} from '../kit/view.ts';
import type { AnswerEffect, QuestionMode, QuestionType, Urgency } from '../../core/kit/words.ts';
import { askBackProblem } from '../../core/question/fold.ts';
import { questionHistory, resolutionModel, type Resolution } from './resolution.ts';
import { isAnsweredByHuman } from '../../core/question/question.ts';

// Earlier questions like this one, whose answers a human may want to give again. They only fill in the form: a human reads
// and signs all the same. Pure.

const shownAtMost = 3;
/** Of more answers, only the latest are compared. */
const lookedAtMost = 300;
const textAtMost = 400;
const leastAlike = 0.5;
/** What the same work and the same choices add to that share. */
const sameAdds = 0.2;

/** The most alike first, of equal ones the latest. Empty unless the question is open. */
export function earlierAnswers(state: Pick<State, 'questions' | 'readRaised'>, question: Question): OpenQuestion[] {
  if (question.resolution !== null || !isWhole(question)) return [];
  const found: { readonly earlier: OpenQuestion; readonly alike: number }[] = [];
  let looked = 0;
  for (const one of [...state.questions.values()].reverse()) {
    if (looked === lookedAtMost) break;
    if (!isAnsweredByHuman(one) || one.revoked !== null || one.facts.type !== question.facts.type) continue;
    looked += 1;
    const earlier = { ...one, raised: raisedOf(state, one) };
    if (!fits(earlier, question)) continue;
    const share = shareOf(wordsOf(earlier), wordsOf(question));
    if (share < leastAlike) continue;
    const sameWork = question.work !== null && earlier.work === question.work ? sameAdds : 0;
    found.push({ earlier, alike: share + sameWork + (hasSameChoices(earlier, question) ? sameAdds : 0) });
  }
  return found
    .sort((a, b) => b.alike - a.alike)
    .slice(0, shownAtMost)
    .map(({ earlier }) => earlier);
}

/** Whether the form could give this answer. */
function fits({ resolution }: OpenQuestion, { raised }: OpenQuestion): boolean {
  const { choices = [], text } = resolution?.answer ?? {};
  if (choices.length > 1 && !raised.multiple) return false;
  const offered = new Set(raised.choices.map(({ label }) => label));
  if (!choices.every((label) => offered.has(label))) return false;
  return choices.length > 0 || ((text ?? '') !== '' && (raised.choices.length === 0 || raised.freeText));
}

function hasSameChoices({ raised: a }: OpenQuestion, { raised: b }: OpenQuestion): boolean {
  return a.choices.length === b.choices.length && a.choices.every(({ label }, at) => label === b.choices[at]?.label);
}

function wordsOf({ raised }: OpenQuestion): ReadonlySet<string> {
  return new Set(
    raised.text
      .slice(0, textAtMost)
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  );
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((one) => b.has(one)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}

/** How a parked agent is started again, or why it is not. `willStart`: by the policy. `chat`: the human sends the prompt. */
export type Resume =
  | { type: 'willStart' | 'canStart'; command: string; folder: string; again: boolean }
  | { type: 'started'; command: string; at: Time; terminal: string; here: boolean }
  | { type: 'running' | 'elsewhere'; agent: string }
  | { type: 'missing'; agent: string; program: string }
  | { type: 'chat' };

/** The form of one question: its nine parts, top to bottom. Texts by agents are Markdown. */
export interface QuestionForm extends FormView {
  type: 'question';
  /** For people: Q-12. */
  id: string;
  urgency: Urgency;
  kind: QuestionType;
  mode: QuestionMode;
  agent: string;
  /** A person or responsibility that should answer; everybody can. */
  for?: string | undefined;
  raisedAt: Time;
  imported?: Imported | undefined;

  text: string;
  background?: string | undefined;
  impact?: string | undefined;
  ifDelayed?: string | undefined;
  /** JSON, indented. */
  payload?: string | undefined;

  /** `wholeSession`: the agent does nothing else until then. */
  blocks: Held & { wholeSession: boolean };
  files: readonly FileRef[];
  alternatives: readonly string[];
  snippet?: { text: string } | undefined;
  /** Async only: the agent's assumption. */
  assumption?:
    | {
        text: string;
        /** The answer that confirms it, in words; absent where a yes is not an answer, and once it is decided. */
        answer?: string | undefined;
        /**
         * Files changed since it asked: named by the agent's own records or commits; and of its work, by anyone, null
         * where that cannot be told. Absent once it is decided.
         */
        touched?: { byAgent: readonly FileRef[]; inWork: readonly FileRef[] | null } | undefined;
      }
    | undefined;

  choices: readonly Choice[];
  multiple: boolean;
  /** The text box. Always present without choices; with choices, `optional` allows adding a reason. */
  freeText: 'none' | 'optional' | 'required';

  /** What humans asked the agent back, oldest first. */
  thread: readonly {
    text: string;
    by: Person;
    at: Time;
    reply?: { text: string; agent: string; at: Time } | undefined;
  }[];
  /** The resume brief of an agent that stopped waiting, while the question is undecided. */
  parked?:
    | {
        agent: string;
        at: Time;
        doing: string;
        next: string;
        files: readonly string[];
        checkFirst?: string | undefined;
      }
    | undefined;
  changes?: HeldChangesView | undefined;
  /** What starts the parked agent again; only in the editor, until the agent continues. */
  resume?: Resume | undefined;
  /** Whether the agent can be asked back now. */
  askBack: boolean;

  /** Present if the policy asks for certain people. */
  people?: People | undefined;
  resolution: Resolution;
  expiresAt?: Time | undefined;
  /** Why only a passkey decides it: a button opens its page in the browser. */
  inBrowser?: string | undefined;
  /** The form that lets this editor sign, where that is why it is locked. */
  enrol?: Token | undefined;
  /** Critical ones are decided in two steps, both inside the form. */
  secondStep: boolean;
  history: History;

  /** Position among waiting items; absent once this one no longer waits. */
  position?: { index: number; of: number } | undefined;
  /** Opens the form that confirms the assumptions of all questions; present if there are several. */
  assumptions?: FormLink | undefined;
  /** Opens the form that answers this one and others of its shape; `count` is the number of the others. */
  together?: FormLink | undefined;
  /** Answers to similar questions, the most alike first; absent once this one is decided. `fill` fills the form with it. */
  earlier?:
    | readonly {
        key: Token;
        id: string;
        text: string;
        answer: string;
        by: string;
        at: Time;
        fill: { choices: readonly string[]; text: string; effect?: AnswerEffect | undefined };
      }[]
    | undefined;
  next?: { key: Token; id: string } | undefined;
}

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
    resolution: resolutionModel({ folders, folder, view, question, stored, standing }),
    ...(decidable && question.expires_at !== null ? { expiresAt: question.expires_at } : {}),
    ...optionalField(
      'locked',
      locked ?? (stored && isDecidable(stored) ? unlistedWords(view.state, stored, standing) : null) ?? null,
    ),
    ...(stored && isDecidable(stored) && locked === undefined ? inBrowser(view.state, stored, standing) : {}),
    ...(enrol === undefined ? {} : { enrol }),
    secondStep: question.urgency === 'critical',
    answersAs: signerOf(standing),
    history: questionHistory(view, question),
    ...(index < 0 ? {} : { position: { index: index + 1, of: queue.length } }),
    ...allAssumptions({ folders, folder, state: view.state, stored }),
    ...(locked === undefined ? earlierModel({ folders, folder, state: view.state, stored }) : {}),
    ...togetherLink({ folders, folder, state: view.state, id: question.id }),
    ...(next ? { next: { key: next.key, id: next.id } } : {}),
  };
}

/** Whether people can still decide something about it: the question, or a refusal to lift. */
function isDecidable(question: Question): boolean {
  return question.resolution === null || refusalOf(question) !== null;
}

/** The agent's assumption while the question waits, and the changes since. */
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

function freeText({ type, choices, free_text: allowed }: AppQuestion): QuestionForm['freeText'] {
  if (type === 'approval') return 'optional';
  if (choices.length === 0) return 'required';
  return allowed ? 'optional' : 'none';
}

/** The shown content that a decision is bound to: the question or, once answered, the answer. */
function shownNow(state: State, stored: Question): string {
  return stored.resolution?.how === 'answered' ? shownAnswerHash(state, stored) : shownHash(state, stored);
}

function optionalField<K extends string>(name: K, value: string | null): Partial<Record<K, string>> {
  return value === null ? {} : ({ [name]: value } as Record<K, string>);
}

// Parts of the form

/** A human's follow-up questions to the agent. */
function threadModel(
  { state, own }: Pick<View, 'state' | 'own'>,
  id: string,
  standing: SignerStanding,
): Pick<QuestionForm, 'thread' | 'askBack'> {
  const stored = state.questions.get(id);
  if (!stored) return { thread: [], askBack: false };
  const thread = stored.askBacks.map(({ text, by, keyid, at, reply }) => ({
    ...{ text, at },
    by: { name: by, you: standing.kind === 'enrolled' && standing.keyid === keyid },
    ...(reply === null ? {} : { reply: { text: reply.text, agent: shownAgent(reply.by, own), at: reply.at } }),
  }));
  return { thread, askBack: askBackProblem(stored) === null };
}

/** The resume brief of an agent that stopped waiting. */
function parkedModel(
  { resolution, parked }: Pick<QuestionView, 'resolution' | 'parked'>,
  resume: QuestionForm['resume'],
  own: string | null,
): Pick<QuestionForm, 'parked' | 'resume'> {
  const always = resume ? { resume } : {};
  if (!parked || resolution !== null) return always;
  const { by, at, doing, next, files, check_first: checkFirst } = parked;
  return {
    ...always,
    parked: {
      ...{ agent: shownAgent(by, own), at, doing, next },
      files: [...files],
      ...(checkFirst === null ? {} : { checkFirst }),
    },
  };
}

/** Earlier answers to similar questions. */
interface EarlierOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly state: State;
  readonly stored: Question | undefined;
}

function earlierModel({ folders, folder, state, stored }: EarlierOptions): Pick<QuestionForm, 'earlier'> {
  const earlier = (stored ? earlierAnswers(state, stored) : []).flatMap(({ id, raised, resolution }) => {
    if (!resolution?.answer) return [];
    const { by, at, answer } = resolution;
    const { choices, text = '', effect } = answer;
    return {
      ...{ key: folders.keyOf(folder, id), id, text: firstLine(raised.text), answer: answerLine(answer) },
      ...{ by, at },
      fill: { choices, text, ...(effect === undefined ? {} : { effect }) },
    };
  });
  return earlier.length === 0 ? {} : { earlier };
}
