/** Filters and groups the tree through quick picks, which decide nothing. */
import { shownAgent } from '../../core/kit/persons.ts';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Folders } from '../../ui/kit/folders.ts';
import { typeWord } from '../../ui/kit/rows.ts';
import { withoutIcons } from '../kit/messages.ts';
import { waitingNodes, type Grouping, type Looking } from '../../ui/tree/nodes.ts';

interface Choice extends vscode.QuickPickItem {
  readonly change: Partial<Looking> | null;
}

interface Arrangement extends vscode.QuickPickItem {
  readonly next: Looking;
}

/** Undefined when the selection is unchanged. */
export async function chooseFilter(folders: Folders, now: Looking): Promise<Looking | undefined> {
  const { waiting } = await waitingNodes(folders);
  const questions = waiting.flatMap((node) => (node.kind === 'question' ? [node.question] : []));
  const rfcs = waiting.flatMap((node) => (node.kind === 'rfc' ? [node.rfc] : []));
  const nameOf = new Map(
    waiting.map((node) => {
      const { agent_id } = node.kind === 'rfc' ? node.rfc : node.question;
      return [agent_id, shownAgent(agent_id, node.folder.workspace.person())];
    }),
  );
  const works = [
    ...questions.flatMap(({ work }) => work ?? []),
    ...rfcs.flatMap((rfc) => [...rfc.affected_workflows, ...rfc.blocked_tasks]),
  ];
  const heading = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator, change: null });
  const choices: Choice[] = [
    { label: l10n.t('Show all'), change: {} },
    { label: l10n.t('Urgent: high and critical'), change: { urgent: true } },
    heading(l10n.t('By agent')),
    ...unique([...questions, ...rfcs].map(({ agent_id }) => agent_id)).map((agent) => ({
      label: withoutIcons(nameOf.get(agent) ?? agent),
      change: { agent },
    })),
    heading(l10n.t('By work item')),
    ...unique(works.map(({ id }) => id)).map((work) => ({
      label: withoutIcons(works.find(({ id }) => id === work)?.title ?? work),
      description: withoutIcons(work),
      change: { work },
    })),
    heading(l10n.t('By type')),
    ...unique(questions.map(({ type }) => type)).map((type) => ({ label: typeWord(type), change: { type } })),
  ];
  const picked = await vscode.window.showQuickPick(choices, { title: l10n.t('Show which items?') });
  if (!picked?.change) return undefined;
  const isAll = Object.keys(picked.change).length === 0;
  const { forMe: _, ...all } = unfiltered(now);
  return { ...(isAll ? all : unfiltered(now)), ...picked.change };
}

/** Without a filter; groups and whose items are shown stay. */
export function unfiltered({ group, forMe }: Looking): Looking {
  return { group, ...(forMe ? { forMe } : {}) };
}

export async function chooseGrouping(now: Looking): Promise<Looking | undefined> {
  const by = (group: Grouping, words: string): Arrangement => ({
    label: (now.group === group ? '$(check) ' : '') + words,
    next: { ...now, group },
  });
  const choices: Arrangement[] = [
    by('none', l10n.t('No groups')),
    by('urgency', l10n.t('By urgency')),
    by('agent', l10n.t('By agent')),
    by('work', l10n.t('By work item')),
  ];
  const picked = await vscode.window.showQuickPick(choices, { title: l10n.t('Group items by?') });
  return picked?.next;
}

/** The active filter, for the line above the tree; null without one. */
export function filterWords(looking: Looking): string | null {
  const parts = [
    looking.forMe ? l10n.t('for me') : null,
    looking.urgent ? l10n.t('urgent') : null,
    looking.agent,
    looking.work,
    looking.type && typeWord(looking.type),
  ];
  const named = parts.filter((part) => part !== null && part !== undefined);
  return named.length === 0 ? null : named.join(' · ');
}

function unique<T extends string>(values: readonly T[]): T[] {
  return [...new Set(values)].sort();
}
