/**
 * Whether an outcome lets its reader continue: the gate is asked first, because other holds may remain. Everything that
 * tells an agent to continue, as text or as a result, gets its verdict here.
 */
import { askGate, type GateAnswer } from '../../app/hold/gate.ts';
import type { NamedWork } from '../../app/question/views.ts';
import type { AgentSession } from '../../app/workspace/session.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { capitalize, fewNames } from '../../core/kit/text.ts';
import { nameOfWork } from './gateText.ts';
import { toolGuide, type Guide } from '../../core/kit/guide.ts';
import { isRfc } from '../../core/hold/holds.ts';
import { isFinished, type WorkItem } from '../../core/state/state.ts';

export interface Reader {
  readonly guide: Guide;
  /** The person whose agents run here, or null. */
  readonly own: string | null;
  /** Why the gate denies this work, or without any the session, to the reader; null if it does not. */
  readonly denied: (work: readonly NamedWork[]) => GateAnswer | null;
  readonly finished: (id: string) => WorkItem | null;
}

interface Reading {
  readonly workspace: Workspace;
  readonly session: AgentSession;
  readonly guide?: Guide | undefined;
}

export function readerOf({ workspace, session: { actor }, guide = toolGuide }: Reading): Reader {
  const session = { agent: actor.id, id: actor.session };
  return {
    guide,
    own: workspace.person(),
    denied(work) {
      const ids = work.length === 0 ? [undefined] : work.map(({ id }) => id);
      const answers = ids.map((id) => askGate(workspace, { work: id, session }));
      const [first, ...more] = answers.filter(({ verdict }) => verdict === 'deny');
      return first ? { ...first, reasons: [first, ...more].flatMap(({ reasons }) => reasons) } : null;
    },
    finished(id) {
      const item = workspace.standing().state?.work.get(id);
      return item && isFinished(item) ? item : null;
    },
  };
}

/** @param goOn the sentence where nothing keeps the reader from the work; gets the work that is left, by name */
export function nextText(work: readonly NamedWork[], reader: Reader, goOn: (work: string) => string): string {
  const denied = reader.denied(work);
  if (denied) return deniedText(denied, work, reader.guide);
  const left = work.filter(({ id }) => reader.finished(id) === null);
  if (work.length === 0 || left.length > 0) return goOn(left.map(nameOfWork).join(' and '));
  return work.map((one) => `${nameOfWork(one)} is ${reader.finished(one.id)?.status ?? 'done'}.`).join(' ');
}

/** What still holds the session, after a text that only says that there is nothing more to wait for. */
export function heldNote(reader: Reader): string {
  const text = nextText([], reader, () => '');
  return text === '' ? '' : ` ${text}`;
}

/** The ids of the holders, and of the decision that stopped the work. */
export function holdersIn({ reasons }: GateAnswer): string[] {
  return [...new Set(reasons.flatMap(({ holder }) => (holder === null ? [] : [holder.id])))];
}

/** `API tokens (t-1) is still held by Q-14. Call holdpoint_await_answer {"id":"Q-14"}.` */
function deniedText(denied: GateAnswer, work: readonly NamedWork[], guide: Guide): string {
  if (denied.problem)
    return `The state of this workspace is UNKNOWN. ${denied.problem.message} Stop, and tell your human.`;
  const name = ({ code, subject }: GateAnswer['reasons'][number]) => {
    const item = work.find(({ id }) => id === subject);
    return code.endsWith('_session') ? 'your session' : item ? nameOfWork(item) : subject;
  };
  const subjects = [...new Set(denied.reasons.map(name))].join(' and ');
  const said = `${capitalize(subjects)} ${subjects.includes(' and ') ? 'are' : 'is'}`;
  const ids = holdersIn(denied);
  const others = `take other work: ${guide.name('check_gate')} shows what is free.`;
  const stopped = denied.reasons.find(({ code }) => code.startsWith('stopped_'));
  if (stopped?.holder)
    return `${said} stopped: a human said so with ${stopped.holder.id}. Do not continue with it; ${others}`;
  const first = denied.reasons.find(({ holder }) => holder !== null)?.holder;
  if (!first) return `${said} not registered. Register it first: ${guide.name('register_work')}.`;
  const wait = `${guide.call} ${guide.name('await_answer', { id: first.id })}`;
  // Only its author can submit a draft, so waiting for it may be in vain.
  const next = isRfc(first) && first.status === 'draft' ? `${wait}, or ${others}` : `${wait}.`;
  return `${said} still held by ${fewNames(ids)}. ${next}`;
}
