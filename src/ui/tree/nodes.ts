/** The contents of the "Waiting for you" tree: waiting items, filtered and grouped, then answered ones. */
import { shownAgent } from '../../core/kit/persons.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { proposedEvents, type EventView } from '../../app/memory/events.ts';
import { assistedStewards, humanResponsibilities, listRequests, type RequestView } from '../../app/request/views.ts';
import { isHumansTurn } from '../../core/request/request.ts';
import { openRequestStatus } from '../../core/records/request.ts';
import type { View } from '../../store/store.ts';
import { recentlyDecidedRfcs, waitedFrom, waitingRfcs, type RfcSummary } from '../../app/rfc/views.ts';
import {
  byPressing,
  questionViews,
  recentlyDecided,
  type Pressing,
  type QuestionView,
  type WaitingQuestion,
} from '../../app/question/views.ts';
import type { QuestionType } from '../../core/kit/words.ts';
import { type State, waitsForHuman } from '../../core/state/state.ts';
import { isForPerson } from '../../core/waiting/reminders.ts';
import { perFolder, type Folders, type OpenFolder } from '../kit/folders.ts';
import { urgencyWord } from '../kit/rows.ts';
import { problemTitle, problemWords } from '../kit/problemWords.ts';
import {
  withAlike,
  assumptionRow,
  assumptionRows,
  isConfirmableIn,
  type AlikeNode,
  type AssumptionsNode,
  countOf,
  criticalIn,
  orderOf,
} from './alikeRows.ts';

export type Node =
  | { readonly kind: 'question'; readonly folder: OpenFolder; readonly question: QuestionView }
  /** An agent proposes to close a human's event. */
  | { readonly kind: 'proposal'; readonly folder: OpenFolder; readonly event: EventView }
  | { readonly kind: 'rfc'; readonly folder: OpenFolder; readonly rfc: RfcSummary }
  /** One may appear in two boxes if a steward and its human are the same person. */
  | { readonly kind: 'request'; readonly box: RequestBox; readonly folder: OpenFolder; readonly request: RequestView }
  | { readonly kind: 'group'; readonly label: string; readonly count: number; readonly nodes: readonly Node[] }
  /** Items for reading only. */
  | { readonly kind: 'folded'; readonly label: string; readonly nodes: readonly Node[] }
  | { readonly kind: 'recent'; readonly nodes: readonly Node[] }
  /** Items beyond the limit, collapsed and loaded on demand; of a group or of all (''). */
  | { readonly kind: 'rest'; readonly of: string; readonly waiting: readonly (Waiting | AlikeNode)[] }
  | AlikeNode
  | AssumptionsNode
  | { readonly kind: 'unknown'; readonly folder: OpenFolder; readonly title: string; readonly message: string };

export type Grouping = 'none' | 'urgency' | 'agent' | 'work';

/** The reader's filter. Omitted members mean all. */
export interface Looking {
  readonly group: Grouping;
  readonly urgent?: true;
  readonly agent?: string;
  readonly work?: string;
  readonly type?: QuestionType;
  /** Only notes for the reader or for everybody. */
  readonly forMe?: true;
}

/** A waiting item before it is loaded for display. */
export type Waiting =
  | { readonly kind: 'question'; readonly folder: OpenFolder; readonly question: WaitingQuestion }
  | Extract<Node, { kind: 'rfc' }>;

type ProposalNode = Extract<Node, { kind: 'proposal' }>;
export type RequestNode = Extract<Node, { kind: 'request' }>;
export type ItemNode = Extract<Node, { kind: 'question' | 'rfc' }>;

const recentLimit = 20;

export function idOf(node: Waiting | ItemNode | RequestNode): string {
  switch (node.kind) {
    case 'question':
      return node.question.id;
    case 'rfc':
      return node.rfc.id;
    case 'request':
      return node.request.id;
  }
}

/** Number of waiting items over all folders. An UNKNOWN store is treated as one. */
export function waitingOf(folders: Folders): number {
  let count = 0;
  for (const [folder] of folders.shown) {
    const standing = folder.workspace.standing();
    count += standing.problem ? 1 : countOf(folder.workspace, standing.state);
  }
  return count;
}

/** Numbers of critical questions over all folders: of those that wait for a human, and for an agent's reply. */
export function criticalOf(folders: Folders): { readonly human: number; readonly agent: number } {
  const open = folders.stores.flatMap(([{ workspace }]) => {
    const { state } = workspace.standing();
    return state ? criticalIn(workspace, state) : [];
  });
  const human = open.filter(waitsForHuman).length;
  return { human, agent: open.length - human };
}

function askedIn([folder, ...others]: Folders['shown'][number], { questions }: State, id: string): OpenFolder {
  if (others.length === 0) return folder;
  const worktree = questions.get(id)?.asker.worktree;
  return others.find((other) => other.workspace.worktree === worktree) ?? folder;
}

/** All waiting items of all folders, most pressing first; unfiltered. */
export async function waitingNodes(folders: Folders): Promise<{
  waiting: Waiting[];
  inbox: RequestNode[];
  outbox: RequestNode[];
  stewards: RequestNode[];
  proposals: ProposalNode[];
  unknown: Node[];
}> {
  const waiting: Waiting[] = [];
  const proposals: ProposalNode[] = [];
  const inbox: RequestNode[] = [];
  const outbox: RequestNode[] = [];
  const stewards: RequestNode[] = [];
  const unknown: Node[] = [];
  for (const shown of folders.shown) {
    const [folder] = shown;
    const { problem, state } = folder.workspace.standing();
    if (problem) {
      const message = l10n.t('{0} All agents are paused.', problemWords(problem));
      unknown.push({ kind: 'unknown', folder, title: problemTitle(problem), message });
      continue;
    }
    if (isEmpty(state)) continue;
    const view = (await folder.workspace.store()).read();
    for (const question of orderOf(folder.workspace, view.state))
      waiting.push({ kind: 'question', folder: askedIn(shown, view.state, question.id), question });
    waiting.push(...waitingRfcs(view).map((rfc) => ({ kind: 'rfc', folder, rfc }) as const));
    const requests = humanRequests(view);
    const nodesOf = (box: RequestBox) =>
      requests[box].map((request): RequestNode => ({ kind: 'request', box, folder, request }));
    inbox.push(...nodesOf('inbox'));
    outbox.push(...nodesOf('outbox'));
    stewards.push(...nodesOf('stewards'));
    proposals.push(...proposedEvents(view).map((event): ProposalNode => ({ kind: 'proposal', folder, event })));
  }
  waiting.sort((a, b) => byPressing(urgencyOf(a), urgencyOf(b)));
  return { waiting, inbox, outbox, stewards, proposals, unknown };
}

/** Avoids loading the database when nothing was ever asked. */
function isEmpty({ questions, rfcs, proposals, responsibilities }: State): boolean {
  return questions.size + rfcs.size + proposals.size + responsibilities.size === 0;
}

/** The latest decisions over all folders. */
async function recentNodes(folders: Folders): Promise<ItemNode[]> {
  const recent: ItemNode[] = [];
  for (const shown of folders.shown) {
    const [folder] = shown;
    const { problem, state } = folder.workspace.standing();
    if (problem || isEmpty(state)) continue;
    const view = (await folder.workspace.store()).read();
    for (const question of recentlyDecided(view, recentLimit))
      recent.push({ kind: 'question', folder: askedIn(shown, view.state, question.id), question });
    recent.push(...recentlyDecidedRfcs(view, recentLimit).map((rfc) => ({ kind: 'rfc', folder, rfc }) as const));
  }
  return recent.sort((a, b) => decidedAt(b).localeCompare(decidedAt(a))).slice(0, recentLimit);
}

/** Loads waiting items for display; rows of several are loaded when they are expanded. */
export async function itemsOf(
  folders: Folders,
  waiting: readonly (Waiting | AlikeNode)[],
): Promise<(ItemNode | AlikeNode)[]> {
  const rootOf = ({ workspace }: OpenFolder) => workspace.location.root;
  const views = new Map<string, QuestionView>();
  for (const [first] of folders.shown) {
    const here = waiting.flatMap((node) =>
      node.kind === 'question' && rootOf(node.folder) === rootOf(first) ? [node.question.id] : [],
    );
    if (here.length === 0) continue;
    const view = (await first.workspace.store()).read();
    for (const question of questionViews(view, here)) views.set(`${rootOf(first)} ${question.id}`, question);
  }
  return waiting.flatMap((node): (ItemNode | AlikeNode)[] => {
    if (node.kind !== 'question') return [node];
    const question = views.get(`${rootOf(node.folder)} ${node.question.id}`);
    return question ? [{ ...node, question }] : [];
  });
}

/** An RFC stops whole workflows, so it ranks as urgent, ordered by the amount of held work. */
function urgencyOf(node: Waiting): Pressing {
  if (node.kind === 'question') return node.question;
  return { id: node.rfc.id, urgency: 'high', raised_at: waitedFrom(node.rfc), about: node.rfc.holds_work };
}

function decidedAt(node: ItemNode): string {
  return (node.kind === 'rfc' ? node.rfc.last_decision?.at : node.question.answered_at) ?? '';
}

export async function rootNodes(
  folders: Folders,
  looking: Looking,
  nameIn: NameIn,
): Promise<{ nodes: Node[]; shown: number; all: number }> {
  const { waiting, inbox, outbox, stewards, proposals, unknown } = await waitingNodes(folders);
  await nextTurn();
  const recent = await recentNodes(folders);
  const isMine = looking.forMe ? await readerOf(waiting, nameIn) : () => true;
  const shown = waiting.filter(
    (node) => isMine(node) && (node.kind === 'rfc' ? matchesRfc(looking, node.rfc) : matches(looking, node.question)),
  );
  // A proposal has neither urgency nor work item, so any filter hides it.
  const proposed = isFiltered(looking) ? [] : proposals;
  const asked = isFiltered(looking) ? [] : inbox;
  const assumed = isFiltered(looking) ? [] : assumptionRows(folders);
  const items = withAssumptions(await groupNodes(folders, looking.group, shown), assumed);
  const nodes: Node[] = [...unknown, ...items, ...proposed];
  if (asked.length > 0) nodes.push(groupOf(l10n.t('Inbox'), asked));
  if (outbox.length > 0 && !isFiltered(looking)) nodes.push(groupOf(l10n.t('Outbox'), outbox));
  if (stewards.length > 0 && !isFiltered(looking))
    nodes.push({ kind: 'folded', label: l10n.t('Before agents of a steward'), nodes: stewards });
  if (recent.length > 0) nodes.push({ kind: 'recent', nodes: recent });
  return {
    nodes,
    shown: shown.length + proposed.length + asked.length,
    all: waiting.length + proposals.length + inbox.length,
  };
}

/** The name that the reader signs with in a folder; null if none is known. */
export type NameIn = (folder: OpenFolder) => Promise<string | null>;

/** Whether an item is for the reader, by name or by a responsibility. Without a name nothing is hidden. */
async function readerOf(waiting: readonly Waiting[], nameIn: NameIn): Promise<(node: Waiting) => boolean> {
  const names = new Map<OpenFolder, string | null>();
  for (const folder of new Set(waiting.map((node) => node.folder))) names.set(folder, await nameIn(folder));
  const stateOf = perFolder(({ workspace }) => workspace.standing().state);
  return (node) => {
    const name = names.get(node.folder) ?? null;
    const state = stateOf(node.folder);
    const to = node.kind === 'rfc' ? node.rfc.for : node.question.for;
    return name === null || state === null || isForPerson(state, to, name);
  };
}

/** Above the first question that they are about; above all groups. */
function withAssumptions(nodes: readonly Node[], rows: readonly Node[]): Node[] {
  const first = nodes.findIndex((node) => node.kind === 'question' && isConfirmableIn(node.folder, node.question.id));
  return nodes.toSpliced(Math.max(0, first), 0, ...rows);
}

function assumptionsOfAgent(nodes: readonly Node[]): Node[] {
  const questions = nodes.filter((node) => node.kind === 'question');
  const folders = new Map(
    questions.map(({ folder, question }) => [folder.workspace.location.root, { folder, question }]),
  );
  return [...folders.values()].flatMap(({ folder, question }) => assumptionRow(folder, question.agent_id));
}

function groupOf(label: string, nodes: readonly Node[]): Node {
  return { kind: 'group', label, count: nodes.length, nodes };
}

/** What has no addressee is for everybody, so it stays under "For me". */
function isFiltered({ group: _, forMe: __, ...looking }: Looking): boolean {
  return Object.keys(looking).length > 0;
}

function matches(looking: Looking, question: WaitingQuestion): boolean {
  return (
    (looking.urgent === undefined || question.urgency === 'critical' || question.urgency === 'high') &&
    (looking.agent === undefined || question.agent_id === looking.agent) &&
    (looking.work === undefined || question.work?.id === looking.work) &&
    (looking.type === undefined || question.type === looking.type)
  );
}

function matchesRfc(looking: Looking, rfc: RfcSummary): boolean {
  const named = [...rfc.affected_workflows, ...rfc.blocked_tasks];
  return (
    (looking.agent === undefined || rfc.agent_id === looking.agent) &&
    (looking.work === undefined || named.some(({ id }) => id === looking.work)) &&
    looking.type === undefined
  );
}

/** Maximum number of expanded items: hundreds of rows are not readable. */
const unfoldedAtMost = 50;
/** Maximum number of expanded items over all groups. */
const groupedAtMost = 200;
const inGroupAtLeast = 5;

/** Groups ordered by their most pressing member. */
async function groupNodes(folders: Folders, group: Grouping, waiting: readonly Waiting[]): Promise<Node[]> {
  await nextTurn();
  if (group === 'none') {
    const { unfolded, rest } = fold(withAlike(waiting), unfoldedAtMost, '');
    await nextTurn();
    return [...(await itemsOf(folders, unfolded)), ...rest];
  }
  const groups = byLabel(group, waiting);
  const each = Math.max(inGroupAtLeast, Math.min(unfoldedAtMost, Math.floor(groupedAtMost / groups.size)));
  const folded = [...groups].map(([label, members]) => ({
    ...{ label, count: members.length },
    ...fold(withAlike(members), each, label),
  }));
  await nextTurn();
  // Loaded together, so that held work is computed once.
  const items = await itemsOf(
    folders,
    folded.flatMap(({ unfolded }) => unfolded),
  );
  const shown = byLabel(group, items);
  return folded.map(({ label, rest, count }) => {
    const members = shown.get(label) ?? [];
    const assumed = group === 'agent' ? assumptionsOfAgent(members) : [];
    return { kind: 'group', label, count, nodes: [...withAssumptions(members, assumed), ...rest] };
  });
}

/** Shows a single remaining item instead of a "more" row. */
function fold(waiting: readonly (Waiting | AlikeNode)[], atMost: number, of: string) {
  const all = waiting.length <= atMost + 1;
  const rest: Node[] = all ? [] : [{ kind: 'rest', of, waiting: waiting.slice(atMost) }];
  return { unfolded: all ? waiting : waiting.slice(0, atMost), rest };
}

function byLabel<T extends Waiting | ItemNode | AlikeNode>(
  group: Exclude<Grouping, 'none'>,
  nodes: readonly T[],
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const node of nodes) {
    const label = labelOf(group, node);
    const members = groups.get(label);
    if (members) members.push(node);
    else groups.set(label, [node]);
  }
  return groups;
}

function labelOf(group: Exclude<Grouping, 'none'>, node: Waiting | ItemNode | AlikeNode): string {
  const question = node.kind === 'rfc' ? null : node.kind === 'alike' ? node.waiting[0]?.question : node.question;
  const asked = node.kind === 'rfc' ? node.rfc : question;
  if (!asked) return '';
  if (group === 'agent') return shownAgent(asked.agent_name, node.folder.workspace.person());
  return node.kind === 'rfc' ? rfcLabel(group, node.rfc) : question ? groupLabel(group, question) : '';
}

function groupLabel(group: 'urgency' | 'work', question: WaitingQuestion | QuestionView): string {
  switch (group) {
    case 'urgency':
      return urgencyWord(question.urgency);
    case 'work':
      return question.work?.title ?? l10n.t('No work item');
  }
}

function rfcLabel(group: 'urgency' | 'work', rfc: RfcSummary): string {
  switch (group) {
    case 'urgency':
      return urgencyWord('high');
    case 'work':
      return [...rfc.affected_workflows, ...rfc.blocked_tasks][0]?.title ?? l10n.t('No work item');
  }
}

/** The activity of agents, for the empty tree; null if none is active. */
export function atWork(folders: Folders): string | null {
  const items = folders.shown.flatMap(([{ workspace }]) =>
    [...(workspace.standing().state?.work.values() ?? [])].map(({ status, title, assignee }) => ({
      ...{ status, title, assignee: assignee && shownAgent(assignee, workspace.person()) },
    })),
  );
  const working = items.filter(({ status, assignee }) => status === 'in_progress' && assignee !== null);
  if (working.length === 0) return null;
  const named = working.slice(0, 3).map(({ assignee, title }) => l10n.t('{0} on {1}', assignee ?? '', title));
  const rest = working.length > named.length ? l10n.t(', and {0} more', working.length - named.length) : '';
  return l10n.t('Working: {0}', named.join(', ') + rest);
}

// Requests to and from humans and stewards.

const outboxAtMost = 20;
const stewardsAtMost = 20;

interface HumanRequests {
  /** Requests waiting for a human, best first. */
  readonly inbox: readonly RequestView[];
  readonly outbox: readonly RequestView[];
  /** Requests to a steward's agents; a human may respond, but need not. */
  readonly stewards: readonly RequestView[];
}

function humanRequests(view: View): HumanRequests {
  const humans = humanResponsibilities(view);
  const assisted = assistedStewards(view);
  const list = (box: 'inbox' | 'outbox', of: readonly string[]) => {
    const statuses = box === 'inbox' ? (['pending', 'accepted'] as const) : openRequestStatus.options;
    return of.length === 0 ? [] : listRequests(view, { box, of, statuses, limit: Number.MAX_SAFE_INTEGER }).requests;
  };
  const isWanted = ({ id }: RequestView) => {
    const open = view.state.requests.get(id);
    return open !== undefined && isHumansTurn(view.state, open);
  };
  const before = list('inbox', [...humans, ...assisted]);
  const asked = list('outbox', [...humans, ...assisted]);
  return {
    inbox: before.filter(isWanted),
    outbox: asked.filter(({ authored_by }) => authored_by === 'human').slice(0, outboxAtMost),
    stewards: before.filter((request) => !isWanted(request)).slice(0, stewardsAtMost),
  };
}

type RequestBox = keyof HumanRequests;
