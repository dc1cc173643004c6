/** Effect of parking: a mark on the question. It holds what it held and waits on. */
import { isWaiting, type State, type Policy, type Question } from '../state/state.ts';
import { requireNone, type Effects, type Folding } from '../state/change.ts';
import type { Actor, PlainOf } from '../records/plain.ts';
import { requireQuestion, save, strangerProblem } from './fold.ts';
import type { Urgency } from '../kit/words.ts';
import type { ResumableHost } from '../records/policy.ts';

export const parkingEffects: Effects<'question.parked'> = { 'question.parked': park };

export function parkingProblem(state: State, id: string, actor: Pick<Actor, 'kind' | 'id'>): string | null {
  const question = state.questions.get(id);
  if (!question) return `there is no question ${id}`;
  if (!isWaiting(question)) return `${id} is ${question.status}: there is nothing to wait for`;
  return strangerProblem(state, question, actor, 'park');
}

function park(at: Folding, { id, session }: PlainOf<'question.parked'>): void {
  const { state, line } = at;
  requireNone(parkingProblem(state, id, line.actor));
  const { id: by } = line.actor;
  const parked = { by, session: session ?? line.actor.session ?? null, at: line.time };
  save(at, { ...requireQuestion(state, id), parked });
}

// When an agent that waits for a human had better end its turn, and whether it has.

type ParkingMinutes = Readonly<Record<Urgency, number>>;

/** Prompt caches of the common models last five minutes. */
const defaultParking: ParkingMinutes = { critical: 4, high: 4, medium: 4, low: 4 };

/**
 * Types of agents that pay for their whole context again once its prompt cache has expired. Other hosts charge for each
 * prompt, so that ending the turn would cost them more than waiting.
 */
const paysForWaiting: readonly string[] = ['claude-code', 'codex', 'opencode'];

export function parkingOf({ parking }: Pick<Policy, 'parking'>): ParkingMinutes {
  return parking?.minutes ?? defaultParking;
}

/**
 * Milliseconds since the epoch after which this agent should park the question; Infinity for never. Counts from the last
 * time that it became the human's turn.
 */
export function parkingTime(state: State, question: Question, agent: string): number {
  const minutes = parkingOf(state.policy)[question.urgency];
  const type = state.agents.get(agent)?.type ?? '';
  if (minutes === 0 || !paysForWaiting.includes(type)) return Infinity;
  const since = question.askBacks.findLast(({ reply }) => reply !== null)?.reply?.at ?? question.raisedAt;
  return Date.parse(since) + minutes * 60_000;
}

// The command that continues with a parked session. A session's id comes from an agent: it must have the form of its
// host's ids, so that it is never an option, a path or another name.

interface ResumeCommand {
  /** A program's name, to be found on the PATH. */
  readonly program: string;
  readonly args: readonly string[];
}

interface Resumable {
  readonly program: string;
  readonly session: RegExp;
  readonly args: (session: string, prompt: string) => readonly string[];
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Options of Claude Code 2.1.330, Codex 0.169.0, Copilot CLI 1.0.102 and opencode 1.18.33. All start at a prompt. */
const hosts: Readonly<Record<ResumableHost, Resumable>> = {
  'claude-code': { program: 'claude', session: uuid, args: (id, prompt) => [`--resume=${id}`, '--', prompt] },
  codex: { program: 'codex', session: uuid, args: (id, prompt) => ['resume', '--', id, prompt] },
  'copilot-cli': {
    program: 'copilot',
    session: uuid,
    args: (id, prompt) => [`--resume=${id}`, `--interactive=${prompt}`],
  },
  opencode: {
    program: 'opencode',
    session: /^ses_[0-9A-Za-z]{10,60}$/,
    args: (id, prompt) => ['run', '--interactive', `--session=${id}`, '--', prompt],
  },
};

export function isSessionOf(host: ResumableHost, session: string): boolean {
  return hosts[host].session.test(session);
}

/** Null for an id that this host does not give to sessions. */
export function resumeCommand(host: ResumableHost, session: string, prompt: string): ResumeCommand | null {
  const { program, args } = hosts[host];
  return isSessionOf(host, session) ? { program, args: args(session, withoutControls(prompt)) } : null;
}

/** A terminal would obey control characters. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}
