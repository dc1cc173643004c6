/** Which form is shown for an item: the one place that chooses it, for the editor and for browsers. */
import { questionView } from '../../app/question/views.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { touched as touchedOf } from '../kit/workspaceFiles.ts';
import { strangerWords, type Keys, type SignerStanding } from '../surface/standing.ts';
import { enrolKey, whyLocked, workspaceForm, type FormOptions, type WorkspaceForm } from '../surface/workspaceForms.ts';
import { enrolModel, keysModel, type KeysModelOptions, type EnrolView, type KeysView } from './keys.ts';
import { questionModel, type QuestionModelOptions, type QuestionForm } from './question.ts';
import {
  appointModel,
  askModel,
  isRequestId,
  requestModel,
  type AskView,
  type AppointView,
  type RequestView,
} from './requests.ts';
import { assumptionsModel, togetherModel, type AssumptionsView, type TogetherView } from './together.ts';
import {
  policyModel,
  releaseAllModel,
  workModel,
  type PolicyView,
  type ReleaseAllView,
  type WorkView,
} from './workspace.ts';
import type { Outcome, SnapshotHead, Time, Token, UnavailableView } from '../kit/view.ts';
import type { NothingView, ReviewView } from './nothing.ts';
import type { RecoveryView, LeaveView, ShareView } from './editorForms.ts';

type Model = AnswerSnapshot | null;

/** What forms need of the program that shows them. */
export interface FormMeans
  extends Pick<QuestionModelOptions, 'where'>, Pick<KeysModelOptions, 'rootsOf' | 'pasted' | 'phone'> {
  readonly folders: Folders;
  readonly standing: (workspace: Workspace) => SignerStanding | Promise<SignerStanding>;
  readonly keys: Pick<Keys, 'strangers' | 'own'>;
  /** Why an unknown key decides nothing here; undefined where it can be added. */
  readonly readsOnly?: string;
  /** Notices changes of held files: an answer must not overlook one that no hook saw. Never throws. */
  readonly look: (workspace: Workspace, id: string) => Promise<unknown>;
  readonly resume?: (
    folder: OpenFolder,
    ...about: [FormOptions['view'], QuestionModelOptions['question']]
  ) => QuestionModelOptions['resume'];
  /** Forms that only the editor has. */
  readonly team?: Readonly<Record<'share' | 'leave', (form: FormOptions) => Model | Promise<Model>>>;
}

type Make = (form: FormOptions, about: string, means: FormMeans) => Model | Promise<Model>;

const forms: Readonly<Record<WorkspaceForm['kind'], Make>> = {
  appoint: appointModel,
  ask: askModel,
  policy: policyModel,
  // The editor can sign by now.
  enrol: () => null,
  keys: (form, _, { keys, rootsOf, pasted, phone }) => keysModel({ ...form, keys, rootsOf, pasted, phone }),
  share: (form, _, { team }) => team?.share(form) ?? null,
  leave: (form, _, { team }) => team?.leave(form) ?? null,
  assumptions: (form, about) => assumptionsModel({ ...form, agent: about === '' ? undefined : about }),
  together: (form, id) => togetherModel({ ...form, id }),
  releaseAll: (form, agent) => releaseAllModel({ ...form, agent }),
  work: (form, id) => workModel({ ...form, id }),
};

interface Shown extends Pick<QuestionModelOptions, 'queue' | 'render'> {
  readonly folder: OpenFolder;
  readonly id: string;
}

/** Null if its subject does not exist any more. */
export async function formAbout(means: FormMeans, shown: Shown): Promise<Model> {
  const { folders, keys, readsOnly } = means;
  const { folder, id, render } = shown;
  const { workspace } = folder;
  const wide = workspaceForm(id);
  const isQuestion = !wide && !isRequestId(id);
  if (isQuestion) await means.look(workspace, id);
  const store = await workspace.store();
  const standing = await means.standing(workspace);
  const locked = whyLocked(store.readOnly) ?? (standing.kind === 'stranger' ? readsOnly : undefined);
  const form = (): FormOptions => ({ folders, folder, view: store.read(), standing, render, locked });
  if (isQuestion) return questionForm(means, shown, form());
  if (standing.kind === 'stranger' && readsOnly === undefined)
    return enrolModel(folders, folder, { standing, own: await keys.own(), render });
  return wide ? forms[wide.kind](form(), wide.about, means) : requestModel({ ...form(), id, store });
}

/** An editor that cannot sign can show any question; to decide, it has to be enrolled first. */
async function questionForm(means: FormMeans, { id, queue }: Shown, form: FormOptions): Promise<Model> {
  const { where, readsOnly } = means;
  const { folders, folder, view, standing } = form;
  const question = questionView(view, id);
  if (!question) return null;
  const isOpen = question.resolution === null;
  // A passkey of the browser decides it, whatever this editor's key may do.
  const isHere = isOpen && !question.needs_passkey && readsOnly === undefined;
  const stranger = standing.kind === 'stranger' && isHere ? standing : undefined;
  const goesOn = where === 'editor' && question.mode === 'async' && isOpen;
  return questionModel({
    ...{ ...form, where, question, queue },
    locked: form.locked ?? (stranger && strangerWords(stranger)),
    enrol: form.locked === undefined && stranger ? enrolKey(folders, folder, stranger) : undefined,
    touched: goesOn ? await touchedOf(folder, id, question.raised_at) : undefined,
    resume: means.resume?.(folder, view, question),
  });
}

// What the view "Answer" shows: one of its forms, and what stands next to it.

export type AnswerSnapshot =
  | QuestionForm
  | NothingView
  | ReviewView
  | PolicyView
  | ReleaseAllView
  | WorkView
  | AssumptionsView
  | TogetherView
  | RequestView
  | AskView
  | AppointView
  | RecoveryView
  | KeysView
  | EnrolView
  | ShareView
  | LeaveView
  | UnavailableView;

/** The whole view: the next snapshot contains whatever a page missed while it was hidden. */
export interface Snapshot extends SnapshotHead {
  limits: { answer: number; reason: number; name: number };
  view: AnswerSnapshot;
  /** How many records were ignored, because no key that is trusted here signed them. */
  ignored?: number | undefined;
  /** For a page that has just started: what its predecessor asked to keep. */
  kept?: string | undefined;
  outcome?: Outcome | undefined;
  /** It is a tab of the editor, not the view. */
  tab?: boolean | undefined;
  /** It is the view, and a visible tab has the form of the same item: only that one decides. */
  besideTab?: boolean | undefined;
  /** Other forms of the same tab. */
  sections?: readonly { name: 'policy' | 'keys' | 'appoint' | 'ask'; key: Token; current: boolean }[] | undefined;
  queue?: QueueState | undefined;
  /** A new value requests keyboard focus once (somebody opened the form on purpose). */
  focus?: Token | undefined;
}

export interface QueueState {
  /**
   * The waiting items are shown one after another. `index`: absent at the end. `done`: those that no longer wait, or are
   * decided and not sent yet.
   */
  run?: { index?: number | undefined; of: number; done: number } | undefined;
  /** Decisions that can still be taken back, the latest last; with the start of what was answered. */
  held: readonly {
    act: Token;
    key: Token;
    how: 'answer' | 'cancel' | 'release';
    said?: string | undefined;
    until: Time;
  }[];
  /** The item whose decision was not recorded, and why: its draft is kept. */
  failed?: { key: Token; why: string } | undefined;
}
