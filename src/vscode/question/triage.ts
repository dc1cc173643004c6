/**
 * Answering one question after another. A decision is delayed here for the undo time of the signed policy; then it is
 * signed and recorded like any other, and refused if the question has changed meanwhile.
 */
import * as vscode from 'vscode';
import { defaultUndoSeconds } from '../../core/state/state.ts';
import type { Outcome } from '../../protocol/kit/outcome.ts';
import type { AnswerSnapshot, Decision, QuestionForm, QuestionMessage } from '../../protocol/question/question.ts';
import type { TriageState } from '../../protocol/question/triage.ts';
import type { Folders } from '../kit/folders.ts';
import { warning } from '../kit/messages.ts';
import { refused } from '../surface/signedActs.ts';
import type { Keys } from '../surface/signer.ts';
import { checkDecision } from './answerDecisions.ts';
import type { Decidable, Decide, Settling } from './answerDecisions.ts';
import { waitingQueue } from './answerModel.ts';
import { createHeldBack } from './heldBack.ts';
import type { Held } from './heldBack.ts';
import type { Settled } from './resumed.ts';
import { triageCard, triageEnd } from './triageModel.ts';
import { back, decidedIn, goTo, marked, merged, next, placeIn, startQueue } from './triageQueue.ts';
import type { Queue } from './triageQueue.ts';

export interface TriageOptions {
  readonly folders: Folders;
  readonly keys: Keys;
  readonly decide: Decide;
}

interface HeldDecision {
  readonly message: Settling;
  readonly view: QuestionForm;
}

type Go = Extract<QuestionMessage, { type: 'triage' | 'triageTo' | 'undo' }>;

export interface Triage {
  readonly onDidChange: vscode.Event<void>;
  /** Starts from the first item, unless a triage is in progress. */
  begin(): void;
  /**
   * The displayed item, or the summary.
   * @param form creates the form of a question; for null, the form shown if nothing can be listed
   */
  current(form: (key: string | null) => Promise<AnswerSnapshot>): Promise<AnswerSnapshot>;
  state(): TriageState;
  /** Delays a decision on a question and shows the next item; carries out all other decisions. Never throws. */
  sign(message: Decision, view: Decidable): Promise<Outcome>;
  go(message: Go): void;
  /** The tab was closed: sends the human's decisions now. */
  close(): Promise<void>;
  /** The editor is closing: drops delayed decisions, and their questions keep waiting. */
  dispose(): void;
}

export function createTriage({ folders, keys, decide }: TriageOptions): Triage {
  const changed = new vscode.EventEmitter<void>();
  const progress = createProgress();
  const heldBack = createHeldBack<HeldDecision>({
    now: () => Date.now(),
    later: afterwards,
    async send({ key, decision: { message, view } }) {
      progress.ended(key, view, await decide(message, view));
      changed.fire();
    },
  });

  async function signLater(message: Settling, view: QuestionForm, seconds: number): Promise<Outcome> {
    const checked = await checkDecision({ folders, keys }, message);
    if (checked.type !== 'done') return checked;
    const { act, key } = message;
    if (!heldBack.hold({ act, key, decision: { message, view } }, seconds * 1_000))
      return refused(act, 'conflict', vscode.l10n.t('This question is already decided, and about to be sent.'));
    progress.set((queue) => next(marked(queue, key, 'held')));
    return { type: 'done', act };
  }

  return {
    onDidChange: changed.event,
    begin() {
      if (progress.queue()?.at === null && heldBack.all.length === 0) progress.clear();
    },
    async current(form) {
      const queue = progress.merge(await waitingQueue(folders));
      if (queue.at === null && !isListed(folders)) return form(null);
      if (queue.at === null) return triageEnd(folders, { queue, settled: progress.settled() });
      const card = await triageCard(folders, queue.at);
      if (card) return card;
      const view = await form(queue.at);
      if (view.type !== 'question') return view;
      progress.set((one) => goTo(one, view.key));
      // The queue determines the position.
      const { position: _, next: __, ...shown } = view;
      return shown;
    },
    state: () => ({ ...progress.state(), held: heldBack.all.map(heldShown) }),
    async sign(message, view) {
      if (!isSettling(message) || view.type !== 'question') return decide(message, view);
      progress.forgive();
      const seconds = undoSeconds(folders, message.key);
      if (seconds > 0) return signLater(message, view, seconds);
      const outcome = await decide(message, view);
      if (outcome.type === 'done') {
        progress.ended(message.key, view, outcome);
        progress.set(next);
      }
      return outcome;
    },
    go(message) {
      if (message.type === 'triage') progress.set(message.go === 'next' ? next : back);
      else if (message.type === 'triageTo') progress.set((queue) => goTo(queue, message.key));
      else {
        const held = heldBack.takeBack(message.held);
        if (held) progress.set((queue) => goTo(marked(queue, held.key, 'open'), held.key));
      }
    },
    async close() {
      progress.clear();
      await heldBack.sendAll();
    },
    dispose() {
      heldBack.drop();
      changed.dispose();
    },
  };
}

/** The progress of a triage, and the outcomes of its decisions. */
function createProgress() {
  let queue: Queue | undefined;
  let failed: TriageState['failed'];
  let settled: readonly Settled[] = [];
  const set = (of: (queue: Queue) => Queue): void => {
    if (queue) queue = of(queue);
  };
  return {
    ...{ set, queue: () => queue, settled: () => settled },
    /** The queue, merged with the current waiting items; creates it if necessary. */
    merge(waiting: Parameters<typeof startQueue>[0]): Queue {
      if (!queue) [settled, failed] = [[], undefined];
      queue = queue ? merged(queue, waiting) : startQueue(waiting);
      return queue;
    },
    clear(): void {
      queue = undefined;
    },
    forgive(): void {
      failed = undefined;
    },
    state: () => ({
      ...(queue ? { ...placeIn(queue), decided: decidedIn(queue) } : { of: 0, decided: 0 }),
      ...(failed ? { failed } : {}),
    }),
    ended(key: string, view: QuestionForm, outcome: Outcome): void {
      if (outcome.type === 'done') {
        settled = [...settled, settledBy(view)];
        set((one) => marked(one, key, 'decided'));
        return;
      }
      const text = vscode.l10n.t('Your decision on {0} was not recorded. {1}', view.id, outcome.text);
      set((one) => marked(one, key, 'open'));
      failed = { key, id: view.id, text };
      // Without the tab, only a notification can report it.
      if (!queue) void warning(text);
    },
  };
}

/** Whether every store is readable; otherwise "nothing is waiting" would be a guess. */
function isListed({ all, shown }: Folders): boolean {
  return shown.length > 0 && all.every(({ workspace }) => workspace.standing().problem === null);
}

function afterwards(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => {
    clearTimeout(timer);
  };
}

function undoSeconds(folders: Folders, key: string): number {
  const { state } = folders.find(key)?.folder.workspace.standing() ?? { state: null };
  return state?.policy.undo?.seconds ?? defaultUndoSeconds;
}

function isSettling(message: Decision): message is Settling {
  return message.type === 'answer' || message.type === 'cancel' || message.type === 'release';
}

function settledBy({ key, id, agent, blocks }: QuestionForm): Settled {
  const work = [...blocks.work, ...blocks.cascade.named].map((one) => one.id);
  return { key, id, agent, work, wholeSession: blocks.wholeSession };
}

const saidAtMost = 80;

function heldShown({ act, key, until, decision: { message } }: Held<HeldDecision>): TriageState['held'][number] {
  const said =
    message.type === 'answer' ? (message.choices.length > 0 ? message.choices.join(', ') : message.text) : '';
  return {
    ...{ act, key, how: message.type, until: new Date(until).toISOString() },
    ...(said === '' ? {} : { said: said.length > saidAtMost ? `${said.slice(0, saidAtMost)}…` : said }),
  };
}
