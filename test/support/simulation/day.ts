/**
 * A day of agents and one person, on a clock of its own and with the real rules: the fold, the signed policy, who is
 * notified how, digests, bursts, which questions a precedent answers, when a question is parked, and what expired caches cost. People
 * and agents are models.
 */
import { precedentFor } from '../../../src/app/question/precedents.ts';
import { waitingOrder } from '../../../src/app/question/views.ts';
import { spans } from '../../../src/core/dashboard/figures.ts';
import { waitCosts } from '../../../src/core/dashboard/waitCosts.ts';
import type { NotedWait } from '../../../src/core/dashboard/waitCosts.ts';
import type { Interruptions } from '../../../src/core/records/interruptions.ts';
import { precedentFormat } from '../../../src/core/records/precedent.ts';
import { sameShapes } from '../../../src/core/question/shape.ts';
import { interruptionOf, interruptionsOf } from '../../../src/core/state/interruptions.ts';
import { isParked, parkingTime } from '../../../src/core/state/parking.ts';
import { isWaiting } from '../../../src/core/state/state.ts';
import type { Reminders } from '../../../src/core/state/state.ts';
import { deliveriesOf } from '../../../src/core/waiting/digest.ts';
import { toastsOf } from '../../../src/vscode/kit/toasts.ts';
import { makeLab, question } from '../store/lab.ts';
import type { Lab } from '../store/lab.ts';
import { person } from './human.ts';
import { streams } from './stream.ts';
import type { Ask } from './stream.ts';
import { signPrecedent } from './precedents.ts';

export interface DayOptions {
  readonly seed: number;
  readonly agents: number;
  readonly hours: number;
  /** Null: every question notifies at once. */
  readonly interruptions: Interruptions | null;
  /** Minutes after which agents park; all 0: never. */
  readonly parking: Reminders;
  /** Whether questions of the same shape are answered together. */
  readonly together: boolean;
  /** Whether the person signs a precedent for questions of the same shape, and again when it is used up. */
  readonly precedents: boolean;
  /** How long one call waits for an answer. Seconds; null: until the answer or the time of parking. */
  readonly callSeconds: number | null;
}

export interface Day {
  readonly asked: number;
  readonly answered: number;
  /** Of those answered. */
  readonly byPrecedents: number;
  readonly interruptions: number;
  /** Of all answered questions. Milliseconds. */
  readonly medianWaitMs: number | null;
  /** Of those that stopped their agent. Milliseconds. */
  readonly medianStopMs: number | null;
  readonly parked: number;
  readonly resumed: number;
  /** Caches that expired while an agent waited, and their tokens. */
  readonly expired: number;
  readonly tokensLost: number;
  /** Tokens that calls read from the cache again, only to go on waiting. */
  readonly tokensReread: number;
  /** Stretches of 25 minutes or more without an interruption. */
  readonly quietStretches: number;
}

const start = Date.parse('2026-03-02T09:00:00.000Z');
/** Seconds between two looks at everything. */
const step = 15;
const isoOf = (minute: number) => new Date(start + minute * 60_000).toISOString();

/** An agent works until it asks; its context grows by 4,000 tokens a minute of work, and is compacted at 200,000. */
interface Agent {
  readonly id: string;
  readonly asks: Generator<Ask, never>;
  next: Ask;
  /** Minutes of work until it asks. */
  left: number;
  tokens: number;
  /** The question that stops it. */
  stoppedBy: string | null;
  /** When its waiting call returns (minute). */
  callEnds: number;
}

export function simulate(options: DayOptions): Day {
  const lab = makeLab();
  const { state } = lab;
  begin(lab, options);
  const human = person(options.seed);
  const agents = streams(options).map((asks, index): Agent => {
    const next = asks.next().value;
    const id = `claude-code-00${String(index + 1)}`;
    return { id, asks, next, left: next.after, tokens: 40_000, stoppedBy: null, callEnds: 0 };
  });
  for (const { id } of agents)
    lab.write([{ kind: 'agent.registered', v: 1, id, type: 'claude-code', host: 'mcp', label: id }], {
      kind: 'agent',
      id,
    });
  const waits: NotedWait[] = [];
  let undelivered: { id: string; at: string }[] = [];
  let last: string | null = null;
  let number = 0;
  let reread = 0;

  for (let tick = 0; tick <= (options.hours * 3_600) / step; tick++) {
    const minute = (tick * step) / 60;
    const now = isoOf(minute);
    for (const agent of agents) live(agent, minute);
    deliver(minute, now);
    const answered = human.answers(
      minute,
      waitingOrder(state).map(({ id }) => id),
    );
    if (answered === null) continue;
    const acts = withAlike(answered);
    for (const id of acts) answer(id, now);
    if (options.precedents && acts.length > 1 && signPrecedent(lab, answered, now)) human.spend(1);
  }
  return figures();

  /** All of its shape: one act of this person. */
  function withAlike(id: string): string[] {
    const group = options.together
      ? sameShapes(state, state.questions.values()).find(({ questions }) => questions.some((one) => one.id === id))
      : null;
    return group ? group.questions.map((one) => one.id) : [id];
  }

  function answer(id: string, at: string): void {
    const { raised } = state.questions.get(id)!;
    const given = raised.choices.length > 0 ? { choices: ['Yes'] } : { text: 'Yes.', choices: [] };
    const record = lab.signed({ kind: 'question.answered', v: 1, id, answer: given }, { at });
    const { refused } = lab.write([record], { kind: 'human', id: lab.human.name }, at);
    if (refused.length > 0) throw new Error(refused[0]?.why);
  }

  function live(agent: Agent, minute: number): void {
    const stopping = state.questions.get(agent.stoppedBy ?? '');
    if (stopping && isWaiting(stopping)) {
      if (!isParked(stopping)) goOnWaiting(agent, minute);
      return;
    }
    agent.stoppedBy = null;
    agent.left -= step / 60;
    agent.tokens = agent.tokens >= 200_000 ? 40_000 : agent.tokens + (4_000 * step) / 60;
    const mayAsk = () => agent.left <= 0 && agent.stoppedBy === null;
    while (mayAsk()) ask(agent, minute);
  }

  function ask(agent: Agent, minute: number): void {
    const { urgency, mode, type, alike } = agent.next;
    const id = `Q-${String(++number)}`;
    const same = { text: `Add dependency lib${String(number)}?`, choices: [{ label: 'Yes' }, { label: 'No' }] };
    lab.write(
      [question(number, { ...(alike ? same : {}), urgency, mode, type, expiresAt: isoOf(7 * 1_440) })],
      { kind: 'agent', id: agent.id },
      isoOf(minute),
    );
    const precedent = precedentFor(state, state.questions.get(id)!);
    if (precedent) use(id, precedent.id, minute);
    else undelivered.push({ id, at: isoOf(minute) });
    if (precedent === null && mode === 'sync') {
      agent.stoppedBy = id;
      wait(agent, minute, id);
    }
    agent.next = agent.asks.next().value;
    agent.left += agent.next.after;
  }

  function use(id: string, precedent: string, minute: number): void {
    const { refused } = lab.write([{ kind: 'precedent.used', v: 1, id, precedent }], undefined, isoOf(minute));
    if (refused.length > 0) throw new Error(refused[0]?.why);
  }

  /** A call that waits until its time limit, or until the question is due for parking. */
  function wait(agent: Agent, minute: number, id: string): void {
    const due = (parkingTime(state, state.questions.get(id)!, agent.id) - start) / 60_000;
    const limit = options.callSeconds === null ? Infinity : minute + options.callSeconds / 60;
    agent.callEnds = Math.min(limit, due);
    const callEnds = Number.isFinite(agent.callEnds) ? isoOf(agent.callEnds) : null;
    note(agent, minute, { id, callEnds });
  }

  function goOnWaiting(agent: Agent, minute: number): void {
    if (minute < agent.callEnds || agent.stoppedBy === null) return;
    const id = agent.stoppedBy;
    reread += Math.round(agent.tokens);
    if (parkingTime(state, state.questions.get(id)!, agent.id) > start + minute * 60_000) {
      wait(agent, minute, id);
      return;
    }
    const brief = { doing: 'Working.', next: 'Going on.', files: [] };
    lab.write([{ kind: 'question.parked', v: 1, id, brief }], { kind: 'agent', id: agent.id }, isoOf(minute));
    note(agent, minute, { id, callEnds: null });
  }

  function note(agent: Agent, minute: number, { id, callEnds }: { id: string; callEnds: string | null }): void {
    const tokens = Math.round(agent.tokens);
    waits.push({
      ...{ agent_id: agent.id, session: '', items: [id], used_at: isoOf(minute), call_ends_at: callEnds },
      ...{ tokens, cached: tokens, cache_seconds: 300, model: null },
    });
  }

  /** As the outbox of a window does it: at once, in a digest, or only in the list. */
  function deliver(minute: number, now: string): void {
    const open = undelivered.filter(({ id }) => isWaiting(state.questions.get(id)!));
    const due = open.map((one) => ({ ...one, how: interruptionOf(state, state.questions.get(one.id)!) }));
    const { digestMinutes: minutes } = interruptionsOf(state.policy);
    const { now: atOnce, digest, later } = deliveriesOf(due, { minutes, now, last });
    for (const ids of notices(atOnce.map(({ id }) => id))) human.notify({ ids }, minute);
    if (digest.length > 0) {
      human.notify({ ids: digest.map(({ id }) => id) }, minute);
      last = now;
    }
    undelivered = [...later];
  }

  /** A burst of one agent is one notification. Without a policy, there were no bursts either. */
  function notices(ids: readonly string[]): string[][] {
    if (options.interruptions === null) return ids.map((id) => [id]);
    const askerOf = (id: string) => state.questions.get(id)!.asker.id;
    return [...new Set(ids.map(askerOf))].flatMap((asker) => {
      const own = ids.filter((id) => askerOf(id) === asker);
      const noticed = own.map((key) => ({
        ...{ kind: 'question' as const, key },
        critical: state.questions.get(key)!.urgency === 'critical',
      }));
      const { singly, together } = toastsOf(noticed);
      return [...singly.map(({ key }) => [key]), ...(together.length > 0 ? [together.map(({ key }) => key)] : [])];
    });
  }

  function figures(): Day {
    const all = [...state.questions.values()];
    const waited = (from: typeof all) =>
      spans(
        from.flatMap(({ raisedAt, resolution }) =>
          resolution ? Date.parse(resolution.at) - Date.parse(raisedAt) : [],
        ),
      );
    const costs = waitCosts(state, { waits, prices: null, now: isoOf(options.hours * 60) });
    const lost = [...costs.agents.values()];
    const parked = all.filter((one) => one.parked !== null);
    const marks = [0, ...human.interruptions, options.hours * 60];
    return {
      asked: all.length,
      answered: all.filter(({ resolution }) => resolution !== null).length,
      byPrecedents: all.filter(({ resolution }) => resolution?.precedent !== undefined).length,
      interruptions: human.interruptions.length,
      medianWaitMs: waited(all).median_ms,
      medianStopMs: waited(all.filter(({ mode }) => mode === 'sync')).median_ms,
      parked: parked.length,
      resumed: parked.filter(({ resolution }) => resolution !== null).length,
      expired: lost.reduce((sum, one) => sum + one.expired_caches, 0),
      tokensLost: lost.reduce((sum, one) => sum + one.tokens_lost, 0),
      tokensReread: reread,
      quietStretches: marks.filter((mark, at) => mark - (marks[at - 1] ?? mark) >= 25).length,
    };
  }
}

/** A human signs the policy of the day. */
function begin(lab: Lab, { interruptions, parking }: DayOptions): void {
  const known = { kind: 'format.changed', v: 1, minReader: precedentFormat, minWriter: precedentFormat };
  const policy = lab.signed({
    ...{ kind: 'policy.changed', v: 1, questionLifeHours: 168, onExpiry: 'expire', parking: { minutes: parking } },
    ...(interruptions === null ? {} : { interruptions }),
  });
  const { refused } = lab.write([known, policy], { kind: 'human', id: lab.human.name }, isoOf(0));
  if (refused.length > 0) throw new Error(refused[0]?.why);
}
