/** What the tree "Waiting on you" has in it: what waits, filtered and grouped as the reader wants, then what was answered. */
import * as vscode from 'vscode';
import { byPressing, recentlyDecided, waitingCount, waitingQuestions } from '../app/views.ts';
import type { QuestionView } from '../app/views.ts';
import type { QuestionType } from '../core/words.ts';
import type { Folders, OpenFolder } from './folders.ts';
import { urgencyWord } from './format.ts';
import { problemWords } from './problemWords.ts';

export type Node =
  | { readonly kind: 'question'; readonly folder: OpenFolder; readonly question: QuestionView }
  | { readonly kind: 'group'; readonly label: string; readonly nodes: readonly Node[] }
  | { readonly kind: 'recent'; readonly nodes: readonly Node[] }
  /** What does not fit: below what is more pressing, folded. */
  | { readonly kind: 'rest'; readonly nodes: readonly Node[] }
  | { readonly kind: 'unknown'; readonly folder: OpenFolder; readonly message: string };

export type Grouping = 'none' | 'urgency' | 'agent' | 'work';

/** What the reader wants to see. Left out means: all. */
export interface Looking {
  readonly group: Grouping;
  readonly urgent?: true;
  readonly agent?: string;
  readonly work?: string;
  readonly type?: QuestionType;
}

type QuestionNode = Extract<Node, { kind: 'question' }>;

const recentLimit = 20;

/** How many items wait over all folders. An UNKNOWN store waits on a human too. */
export function waitingOf(folders: Folders): number {
  let count = 0;
  for (const [{ workspace }] of folders.stores) {
    const standing = workspace.standing();
    count += standing.problem ? 1 : waitingCount(standing.state);
  }
  return count;
}

/** Everything that waits in all folders, most pressing first, and what was decided last; unfiltered. */
export async function waitingNodes(
  folders: Folders,
): Promise<{ waiting: QuestionNode[]; recent: QuestionNode[]; unknown: Node[] }> {
  const waiting: QuestionNode[] = [];
  const recent: QuestionNode[] = [];
  const unknown: Node[] = [];
  for (const [folder, ...others] of folders.stores) {
    const { problem, state } = folder.workspace.standing();
    if (problem) {
      const message = vscode.l10n.t('{0} Nothing may go on.', problemWords(problem));
      unknown.push({ kind: 'unknown', folder, message });
      continue;
    }
    // Nothing was ever asked here: the database is not needed to say so.
    if (state.questions.size === 0) continue;
    const view = (await folder.workspace.store()).read();
    /** The folder it was asked in: its files lie there. */
    const node = (question: QuestionView): QuestionNode => {
      const worktree = view.state.questions.get(question.id)?.asker.worktree;
      const asked = others.find((other) => other.workspace.worktree === worktree);
      return { kind: 'question', folder: asked ?? folder, question };
    };
    waiting.push(...waitingQuestions(view).map(node));
    recent.push(...recentlyDecided(view, recentLimit).map(node));
  }
  waiting.sort((a, b) => byPressing(a.question, b.question));
  recent.sort((a, b) => (b.question.answered_at ?? '').localeCompare(a.question.answered_at ?? ''));
  return { waiting, recent: recent.slice(0, recentLimit), unknown };
}

export async function rootNodes(
  folders: Folders,
  looking: Looking,
): Promise<{ nodes: Node[]; shown: number; all: number }> {
  const { waiting, recent, unknown } = await waitingNodes(folders);
  const shown = waiting.filter(({ question }) => matches(looking, question));
  const nodes: Node[] = [...unknown, ...grouped(looking.group, shown)];
  if (recent.length > 0) nodes.push({ kind: 'recent', nodes: recent });
  return { nodes, shown: shown.length, all: waiting.length };
}

function matches(looking: Looking, question: QuestionView): boolean {
  return (
    (looking.urgent === undefined || question.urgency === 'critical' || question.urgency === 'high') &&
    (looking.agent === undefined || question.agent_id === looking.agent) &&
    (looking.work === undefined || question.work?.id === looking.work) &&
    (looking.type === undefined || question.type === looking.type)
  );
}

/** A long list folds after this many: nobody reads five hundred rows. */
const unfoldedAtMost = 50;

/** Groups in the order of their most pressing member. */
function grouped(group: Grouping, nodes: readonly QuestionNode[]): Node[] {
  if (group === 'none') {
    // One more is shown rather than hidden in a row of the same size.
    if (nodes.length <= unfoldedAtMost + 1) return [...nodes];
    return [...nodes.slice(0, unfoldedAtMost), { kind: 'rest', nodes: nodes.slice(unfoldedAtMost) }];
  }
  const groups = new Map<string, QuestionNode[]>();
  for (const node of nodes) {
    const label = groupLabel(group, node.question);
    groups.set(label, [...(groups.get(label) ?? []), node]);
  }
  return [...groups].map(([label, members]) => ({ kind: 'group', label, nodes: members }));
}

function groupLabel(group: Exclude<Grouping, 'none'>, question: QuestionView): string {
  switch (group) {
    case 'urgency':
      return urgencyWord(question.urgency);
    case 'agent':
      return question.agent_name;
    case 'work':
      return question.work?.title ?? vscode.l10n.t('No work item');
  }
}

/** What agents do meanwhile, for the empty tree; null when none is at work. */
export function atWork(folders: Folders): string | null {
  const items = folders.stores.flatMap(([{ workspace }]) => [...(workspace.standing().state?.work.values() ?? [])]);
  const working = items.filter(({ status, assignee }) => status === 'in_progress' && assignee !== null);
  if (working.length === 0) return null;
  const named = working.slice(0, 3).map(({ assignee, title }) => vscode.l10n.t('{0} on {1}', assignee ?? '', title));
  const rest = working.length > named.length ? vscode.l10n.t(', and {0} more', working.length - named.length) : '';
  return vscode.l10n.t('At work: {0}', named.join(', ') + rest);
}
