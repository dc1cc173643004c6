/** The review of an RFC as it is now, for a reader in the editor or in a browser. */
import * as l10n from '@vscode/l10n';
import { lookAtHeldBy } from '../../app/hold/lookAtHeld.ts';
import { rfcView, type RfcView as AppRfc } from '../../app/rfc/views.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import type { Current, Shown, SigningSurface } from '../surface/signingSurface.ts';
import { inBrowser, strangerWords, type SignerStanding, type Keys } from '../surface/standing.ts';
import { enrolKey, whyLocked } from '../surface/workspaceForms.ts';
import { limits } from '../../core/kit/limits.ts';
import { inDoubt } from '../kit/problemWords.ts';
import { rfcModel, type RfcView, type RfcImage, type RfcSnapshot, anchorOf, type OfferedChoice } from './model.ts';
import { decideQuestion, shownHash, type Signing } from '../../app/decision/decisions.ts';
import { AppError } from '../../app/workspace/errors.ts';
import {
  commentOnRfc,
  decideRfc,
  overruleAnswer,
  replyToThread,
  resolveThread,
  shownRfcHash,
  type RfcVerdict,
} from '../../app/rfc/decisions.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { Outcome, UnavailableView } from '../kit/view.ts';
import { rfcMessage, type RfcAct } from './messages.ts';
import type { Store } from '../../store/store.ts';
import { carryOutAccept, carryOutHold } from '../surface/heldFiles.ts';
import { carriedOut, decisionOutcome, refusedOutcome, signingIn } from '../surface/signedActs.ts';
import { raiseHumanQuestions } from '../../app/rfc/review.ts';
import { raisedOf, type Question, type State } from '../../core/state/state.ts';
import fs from 'node:fs/promises';
import { realPathInside } from '../../app/workspace/paths.ts';

/** The reader's place. The displayed revision stays when later ones arrive. */
interface Reading {
  revision?: number;
  compared?: number | undefined;
}

interface ReviewOptions {
  readonly folders: Folders;
  readonly key: string;
  readonly where: 'editor' | 'browser';
  readonly hasModel: () => boolean;
  readonly standing: (workspace: Workspace) => SignerStanding | Promise<SignerStanding>;
  /** Why an unknown key decides nothing here; undefined where it can be added. */
  readonly readsOnly?: string;
  /** The revision of the reader's last review, who now sees this one. */
  readonly reviewed?: (folder: OpenFolder, rfc: AppRfc, revision: number, me: string | null) => number | undefined;
}

/** An open review: its content, and what the editor and a browser both do with its messages. */
export function openReview(options: ReviewOptions) {
  const reading: Reading = {};
  return {
    schema: rfcMessage,
    limits: { text: limits.otherText, name: limits.title, lines: limits.listItems, answer: limits.answerText },
    current: (render: string) => currentReview(options, reading, render),
    requests: (surface: () => SigningSurface<RfcSnapshot>) => ({
      selectRevision({ revision }: { readonly revision: number }) {
        reading.revision = revision;
        return surface().draw();
      },
      showDiff({ from }: { readonly from?: number | undefined }) {
        reading.compared = from;
        return surface().draw();
      },
      async showImage({ path }: { readonly path: string }) {
        const found = options.folders.find(options.key);
        if (!found) return;
        surface().add({ image: await readImage(found.folder.workspace, path) });
        await surface().draw();
      },
    }),
  };
}

async function currentReview(
  options: ReviewOptions,
  reading: Reading,
  render: string,
): Promise<Current<RfcView, Seen>> {
  const { folders, where } = options;
  const found = folders.find(options.key);
  if (!found) return { view: closedFolder() };
  const { folder, id } = found;
  const { problem } = folder.workspace.standing();
  if (problem) return { view: inDoubt(problem) };
  // A decision must not overlook a change that no hook saw.
  await lookAtHeldBy(folder.workspace, id).catch(() => undefined);
  const store = await folder.workspace.store();
  const view = store.read();
  const rfc = rfcView(view, id);
  const stored = view.state.rfcs.get(id);
  if (!rfc || !stored) {
    const [title, text] = [l10n.t('There is no {0} here.', id), l10n.t('It was never proposed in this folder.')];
    return { view: { type: 'unavailable', title, text } };
  }
  const standing = await options.standing(folder.workspace);
  const revision = (reading.revision = Math.min(reading.revision ?? rfc.text_revision, rfc.revision));
  if (reading.compared !== undefined && reading.compared >= revision) reading.compared = undefined;
  const { compared } = reading;
  const reviewed = options.reviewed?.(folder, rfc, revision, standing.kind === 'enrolled' ? standing.name : null);
  // A passkey of the browser decides it, whatever this editor's key may do.
  const isElsewhere = where === 'editor' && whyLocked(store.readOnly) === undefined;
  // The parser of Markdown is large: it is loaded for the first RFC that is shown.
  const { writtenQuestions: readQuestions } = await import('../../core/rfc/lists.ts');
  const model = rfcModel({
    readQuestions,
    ...{ folders, folder, view, rfc, stored, standing, revision, compared, reviewed, render, where },
    hasModel: options.hasModel(),
    locked: lockOf(options, folder, standing, store.readOnly),
    browser: isElsewhere ? inBrowser(view.state, stored, standing) : {},
  });
  const layout = JSON.stringify([revision, compared]);
  const raised = raisedHashes(view.state, stored);
  return { view: model, seen: { targets: [model], layout, view: model, rfc: stored, raised } };
}

function lockOf(
  { folders, readsOnly }: ReviewOptions,
  folder: OpenFolder,
  standing: SignerStanding,
  readOnly: boolean,
): RfcView['locked'] {
  const why = whyLocked(readOnly);
  if (why !== undefined) return { why };
  if (standing.kind !== 'stranger') return undefined;
  if (readsOnly !== undefined) return { why: readsOnly };
  return { why: strangerWords(standing), enrol: enrolKey(folders, folder, standing) };
}

function closedFolder(): UnavailableView {
  return {
    type: 'unavailable',
    title: l10n.t('Its folder is not open'),
    text: l10n.t('This RFC belongs to a folder that is not open in this window. Open that folder to read it.'),
    action: 'openFolder',
  };
}

// Carries out acts from the review of an RFC: each is signed, and bound to the displayed content.

/** The content that the human saw. */
export interface Seen extends Shown {
  readonly view: RfcView;
  /** The RFC as folded at that time: threads and answers are bound to their displayed state. */
  readonly rfc: Rfc;
  /** Hashes of the raised questions, by their number in the RFC. */
  readonly raised: ReadonlyMap<number, string>;
}

export interface Means {
  readonly folders: Folders;
  readonly keys: Keys;
  readonly seen: Seen;
}

type Verdict = Extract<RfcAct, { type: 'approve' | 'requestChanges' | 'reject' | 'withdraw' }>;
type Remark = Exclude<RfcAct, Verdict | Hold | { type: 'answerQuestion' | 'acceptChanges' }>;
type Hold = Extract<RfcAct, { type: 'holdAll' | 'holdNamed' }>;

/** Never throws: the page receives the outcome. */
export function carryOut(means: Means, message: RfcAct): Promise<Outcome> {
  return carriedOut(means.folders, message, ({ workspace }) => act(means, workspace, message));
}

async function act({ keys, seen }: Means, workspace: Workspace, message: RfcAct): Promise<Outcome> {
  const { view, rfc } = seen;
  if (view.locked) throw new AppError('denied', view.locked.why);
  const isChanged = refusedOutcome(message.act, 'changed', changedWords());
  // A decision applies to the latest revision, so that one must be displayed.
  if ((isVerdict(message) || isHold(message)) && view.revision !== view.latest) return isChanged;
  if (message.type === 'approve' && message.revision !== view.revision) return isChanged;
  const signing = await signingIn(keys, workspace, message.name);
  if (message.type === 'answerQuestion') return answerOpenQuestion(signing, seen, message);
  if (message.type === 'acceptChanges') return carryOutAccept(signing, rfc.id, message);
  if (isHold(message)) return carryOutHold(signing, rfc.id, message);
  if (!isVerdict(message)) {
    await remark(signing, rfc, message);
    return { type: 'done', act: message.act };
  }
  const { outcome, rfc: after } = await decideRfc(signing, rfc.id, verdictOf(message), message.shown);
  return decisionOutcome(outcome, message.act, { quorum: after.quorum, changed: changedWords() });
}

/** An act on a part of the RFC is bound to that part's displayed state. */
async function remark(signing: Signing, rfc: Rfc, message: Remark): Promise<void> {
  const { id } = rfc;
  const view = signing.store.read();
  const shown = (what: Parameters<typeof shownRfcHash>[2]) => shownRfcHash(view.state, rfc, what);
  switch (message.type) {
    case 'comment': {
      const { revision, content: text, blocking, quote } = message;
      const section = anchorOf(view, rfc, revision, message.section);
      const comment = { revision, type: blocking ? 'concern' : 'suggestion', section, text, blocking, quote } as const;
      await commentOnRfc(signing, id, comment, shown({ kind: 'rfc.commented', revision }));
      return;
    }
    case 'reply': {
      const { thread } = message;
      const seen = shown({ kind: 'rfc.threadReplied', thread });
      await replyToThread(signing, id, { thread, text: message.content }, seen);
      return;
    }
    case 'resolveThread': {
      const { thread } = message;
      await resolveThread(signing, id, thread, shown({ kind: 'rfc.threadResolved', thread }));
      return;
    }
    case 'overruleAnswer': {
      const { question } = message;
      await overruleAnswer(signing, id, { question }, shown({ kind: 'rfc.answerOverruled', question }));
    }
  }
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
      // To a person, conditions and constraints are one thing; the record has both names.
      return { kind: 'approve', conditions: message.conditions, constraints: [] };
    case 'requestChanges':
      return { kind: 'request_changes', reason: message.reason };
    case 'reject':
      return { kind: 'reject', reason: message.reason, then: message.way === 'stop' ? 'stop' : 'another_way' };
    case 'withdraw':
      return { kind: 'withdraw', reason: message.reason };
  }
}

const changedWords = () => l10n.t('The RFC has changed since it was shown. Check it, then decide.');

// Answers an open question of an RFC in place: raises it as a question to a human, and signs its answer.

type Message = Extract<RfcAct, { type: 'answerQuestion' }>;

export function raisedHashes(state: State, { questions }: Rfc): Map<number, string> {
  return new Map(
    questions.flatMap(({ number, asked }) => {
      const question = state.questions.get(asked ?? '');
      return question ? [[number, shownHash(state, question)] as const] : [];
    }),
  );
}

/** @throws AppError */
async function answerOpenQuestion(signing: Signing, seen: Seen, message: Message): Promise<Outcome> {
  const { store } = signing;
  const number = message.question;
  const question = seen.raised.has(number) ? raisedFor(store, seen.rfc, number) : await raise(signing, seen, number);
  const shown = seen.raised.get(number) ?? hashIfAsShown(store, question, seen.view, number);
  const answer = { choices: message.choices, ...(message.content === '' ? {} : { text: message.content }) };
  const { outcome } =
    shown === undefined
      ? { outcome: 'changed' as const }
      : await decideQuestion(signing, question.id, { kind: 'answer', answer }, shown);
  const changed = l10n.t('The question has changed since it was shown. Check it, then answer.');
  return decisionOutcome(outcome, message.act, { changed });
}

/** Raises a question that was not raised yet or that the AI reviewer answered: from now on, only a human can answer. */
async function raise(signing: Signing, { rfc }: Seen, number: number): Promise<Question> {
  const { store } = signing;
  const open = rfc.questions[number - 1];
  if (open?.required === true) await raiseHumanQuestions(store);
  else {
    const shown = shownRfcHash(store.read().state, rfc, { kind: 'rfc.answerOverruled', question: number });
    await overruleAnswer(signing, rfc.id, { question: number }, shown);
  }
  return raisedFor(store, rfc, number);
}

function raisedFor(store: Store, { id }: Rfc, number: number): Question {
  const { state } = store.read();
  const asked = state.rfcs.get(id)?.questions[number - 1]?.asked;
  const question = state.questions.get(asked ?? '');
  if (!question) throw new AppError('not_found', l10n.t('This question no longer exists.'));
  return question;
}

/** For a question raised just now: answers it only if its text and choices equal the displayed ones. */
function hashIfAsShown(store: Store, question: Question, { sections }: RfcView, number: number): string | undefined {
  const shown = sections.flatMap(({ questions }) => questions).find((one) => one.number === number);
  const { state } = store.read();
  const { text, choices } = raisedOf(state, question);
  const same = shown?.text === text && JSON.stringify(shown.choices.map(words)) === JSON.stringify(choices.map(words));
  return same ? shownHash(state, question) : undefined;
}

function words({ label, description }: Pick<OfferedChoice, 'label' | 'description'>): readonly unknown[] {
  return [label, description ?? ''];
}

// Images of the workspace for a review: read on a human's request and sent as data, so that the page loads nothing.

const imageBytes = 4 * 1024 * 1024;

const signatures: readonly (readonly [type: string, signature: RegExp])[] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF.{4}WEBP/s],
];

/** From a file's first bytes, as Latin-1: its name proves nothing. */
export function imageType(start: string): string | undefined {
  return signatures.find(([, signature]) => signature.test(start))?.[0];
}

async function readImage(workspace: Workspace, path: string): Promise<RfcImage> {
  const file = realPathInside(workspace, path);
  if (file === null) return { path, problem: l10n.t('{0} is not a file of this workspace.', path) };
  try {
    const stat = await fs.stat(file);
    if (stat.isFile() && stat.size <= imageBytes) {
      const bytes = await fs.readFile(file);
      const type = imageType(bytes.subarray(0, 16).toString('latin1'));
      if (type !== undefined) return { path, data: `data:image/${type};base64,${bytes.toString('base64')}` };
    }
  } catch {
    return { path, problem: l10n.t('{0} cannot be read.', path) };
  }
  return {
    path,
    problem: l10n.t('{0} is not shown: only PNG, JPEG, GIF and WebP images of up to 4 MB are.', path),
  };
}
