/** The briefing of a workspace: its events, current holds, and human answers. */
import path from 'node:path';
import {
  agingTime,
  briefing,
  briefingLimits,
  concerns,
  scopeKey,
  type BriefedEvent,
  type DecisionConflict,
  type Group,
  waitingHolds,
  type WaitingItem,
} from '../../core/memory/briefing.ts';
import type { Unacknowledged } from '../../core/dashboard/agents.ts';
import { bindingsOn } from '../../core/hold/gate.ts';
import { holderName, isRfc } from '../../core/hold/holds.ts';
import { firstLine } from '../../core/kit/text.ts';
import { eventsIn } from '../../store/rows/events.ts';
import type { View } from '../../store/store.ts';
import { undeliveredQuestions, notPickedUp } from '../waiting/delivery.ts';
import { rfcSummary } from '../rfc/views.ts';
import { isRefused, questionView, type QuestionView } from '../question/views.ts';
import type { Workspace } from '../workspace/workspace.ts';

// Decisions that may contradict each other: on one scope, each active one and the one before it, unless one names the
// other as related or an active event names both.

interface Wanted {
  readonly focus: string | null;
  readonly ignoreCase: boolean;
  readonly limit: number;
}

/** Of very many decisions the latest are compared: a briefing must not wait. */
const comparedAtMost = 200;

/**
 * The latest first. With a focus: those on scopes that concern it.
 * @param events in the order of their numbers
 * @param relatedTo the ids of events that an event names
 */
export function conflictingDecisions(
  events: Iterable<BriefedEvent>,
  relatedTo: ReadonlyMap<string, readonly string[]>,
  { focus, ignoreCase, limit }: Wanted,
): Group<DecisionConflict> {
  const active = [...events].filter(({ status }) => status === 'active');
  const pairs: DecisionConflict[] = [];
  const latest = new Map<string, BriefedEvent>();
  for (const event of active)
    if (event.type === 'decision') {
      const scopes = event.scopes.map((scope) => ({ scope, key: scopeKey(scope, ignoreCase) }));
      for (const { scope, key } of scopes) {
        const before = latest.get(key);
        if (before && (focus === null || concerns(scope, focus, ignoreCase)))
          pairs.push({ scope, decisions: [event, before] });
      }
      for (const { key } of scopes) latest.set(key, event);
    }
  pairs.sort(latestFirst);
  const compared = pairs.slice(0, comparedAtMost);
  // The ids that one active event names, its own included.
  const named = active.map(({ id }) => [id, ...(relatedTo.get(id) ?? [])]).filter((ids) => ids.length > 1);
  const isRelated = (...ids: readonly string[]) => named.some((all) => ids.every((id) => all.includes(id)));
  const seen = new Set<string>();
  // Two that share several scopes are one conflict.
  const found = compared.filter(({ decisions: [newer, older] }) => {
    const key = `${newer.id} ${older.id}`;
    const isNew = !seen.has(key) && !isRelated(newer.id, older.id);
    seen.add(key);
    return isNew;
  });
  return { items: found.slice(0, limit), more: Math.max(0, found.length - limit) };
}

function latestFirst(a: DecisionConflict, b: DecisionConflict): number {
  return b.decisions[0].number - a.decisions[0].number || (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : 0);
}

export interface BriefingRequest {
  /** Workspace-relative and cleaned; null for none. */
  readonly focus: string | null;
  /** Includes outcomes that this agent has not received. Default: none. */
  readonly agent?: string | undefined;
  /** For a human: includes undelivered decisions for any agent. */
  readonly human?: boolean | undefined;
}

/** The briefing, and the questions whose outcomes it contains. */
export function briefingOf(workspace: Workspace, view: View, { focus, agent, human = false }: BriefingRequest) {
  const { worktree, ignoreCase } = workspace;
  const limits = briefingLimits;
  const answers = agent === undefined ? [] : undeliveredQuestions(view, agent);
  const terms = agent === undefined ? [] : termsFor(workspace, view, focus, agent);
  const holds = waitingHolds(view.state, { focus, worktree, ignoreCase }, limits.waiting);
  const unpicked = human ? notPickedUp(view) : [];
  const unpickedItems = unpicked.slice(0, limits.waiting).flatMap((one) => unpickedItem(view, one) ?? []);
  const agedBefore = agingTime(view.state.policy.memory?.ageDays ?? 0, view.now);
  const memory = eventsIn(view.rows);
  const events = [...memory.events.values()];
  const conflicts = conflictingDecisions(events, memory.related, { focus, ignoreCase, limit: limits.conflicts });
  return {
    answers,
    briefing: briefing({
      project: path.basename(workspace.location.root),
      focus,
      ignoreCase,
      now: view.now,
      events,
      agedBefore,
      conflicts,
      moreWaiting: holds.more + unpicked.length - unpickedItems.length,
      waiting: [...answers.map(answerItem), ...holds.items, ...unpickedItems, ...terms],
      limits: { ...limits, waiting: limits.waiting + answers.length + unpickedItems.length + terms.length },
    }),
  };
}

/** Conditions and constraints for the focus, or for the agent's current work. */
function termsFor(
  { worktree, ignoreCase }: Workspace,
  { state }: View,
  focus: string | null,
  agent: string,
): WaitingItem[] {
  const files = focus === null ? [] : [focus];
  return bindingsOn(state, { files, worktree, ignoreCase, session: { agent } }).flatMap(
    ({ from, conditions, constraints }): WaitingItem[] => {
      const asked = [...conditions, ...constraints].map((text) => `"${text}"`);
      if (asked.length === 0) return [];
      const since = isRfc(from) ? (from.approval?.at ?? from.updatedAt) : (from.resolution?.at ?? from.raisedAt);
      const about = { kind: 'terms', id: from.id, text: holderName(from), agent_id: from.asker.id, since } as const;
      return [forAgent({ ...about, answer: asked.join(', ') })];
    },
  );
}

type ForAgent = Pick<WaitingItem, 'kind' | 'id' | 'text' | 'agent_id' | 'since' | 'answer'>;

function forAgent(item: ForAgent): WaitingItem {
  const text = firstLine(item.text, 200);
  return { ...item, text, holds_work: 0, all_files_by: null, concerns_focus: false, waits_on: 'agent' };
}

function answerItem(question: QuestionView): WaitingItem {
  const { id, text, recipient: agent_id } = question;
  const asked = question.waiting_for === 'agent' ? question.ask_backs.at(-1) : undefined;
  if (asked) return forAgent({ kind: 'ask_back', id, text, agent_id, since: asked.asked_at, answer: asked.text });
  const said = [...(question.answer?.choices ?? []), question.answer?.text ?? question.note ?? ''];
  const answer = refusalWord(question) + said.filter((part) => part !== '').join(', ');
  return forAgent({ kind: 'answer', id, text, agent_id, since: question.answered_at ?? question.raised_at, answer });
}

/** Makes a refusal distinct from other answers. */
function refusalWord(question: QuestionView): string {
  if (!isRefused(question)) return '';
  return question.effect === 'stop' ? 'Stopped: ' : 'Refused: ';
}

function unpickedItem(view: View, { id, agent_id, decided_at }: Unacknowledged): WaitingItem | null {
  const question = questionView(view, id);
  if (question) return { ...answerItem(question), agent_id };
  const rfc = rfcSummary(view, id);
  if (!rfc?.last_decision) return null;
  const { action, reason } = rfc.last_decision;
  const answer = [action.replaceAll('_', ' '), reason].filter((part) => part !== null).join(': ');
  return forAgent({ kind: 'answer', id, text: rfc.title, agent_id, since: decided_at, answer });
}
