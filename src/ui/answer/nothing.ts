/** The queue of waiting items, and what the view shows when none is left. */
import { raisedOf } from '../../core/state/state.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import * as l10n from '@vscode/l10n';
import { rowLabel, firstLine } from '../../core/kit/text.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import type { Folders } from '../kit/folders.ts';
import { proposalWords } from '../kit/rows.ts';
import { optionalField } from '../surface/workspaceForms.ts';
import { idOf, waitingNodes } from '../tree/nodes.ts';

const namedAtMost = 50;

export interface Waiting {
  readonly key: string;
  readonly id: string;
}

/** The items waiting for the human in all folders. Skips UNKNOWN folders. */
export async function waitingQueue(folders: Folders): Promise<Waiting[]> {
  const { waiting, inbox } = await waitingNodes(folders);
  const humans = waiting.filter((node) => node.kind !== 'question' || !node.question.asked_back);
  return [...humans, ...inbox].map((node) => {
    const id = idOf(node);
    return { key: folders.keyOf(node.folder, id), id };
  });
}

/** What a waiting item asks, in one line. */
export function waitingTitle(folders: Folders, { key, id }: Waiting): string {
  const { state } = folders.find(key)?.folder.workspace.standing() ?? {};
  const question = state?.questions.get(id);
  const text = state && question ? firstLine(rowLabel(raisedOf(state, question).text), 200) : '';
  return (state?.rfcs.get(id)?.title ?? text) || l10n.t('Request {0}', id);
}

export type ReviewView = ReturnType<typeof reviewModel>;

/** An RFC is selected, which is reviewed in its own tab. @param next the first question that waits */
export function reviewModel(folders: Folders, key: string, next: Waiting | undefined) {
  const id = folders.find(key)?.id ?? '';
  return {
    ...{ type: 'review' as const, key, id, title: waitingTitle(folders, { key, id }) },
    ...optionalField('next', nextModel(folders, next)),
  };
}

/** The item that a button opens next. */
export function nextModel(folders: Folders, next: Waiting | undefined) {
  return next && { key: next.key, title: firstLine(waitingTitle(folders, next), 60) };
}

export type NothingView = ReturnType<typeof nothingModel>;

/** Shown when nothing waits, or at the end of the queue: what is left, and items in progress, latest first. */
export function nothingModel(folders: Folders, queue: readonly Waiting[]) {
  const waiting = queue.map((one) => ({ ...one, title: waitingTitle(folders, one) }));
  const working = folders.shown
    .flatMap(([{ workspace }]) =>
      [...(workspace.standing().state?.work.values() ?? [])]
        .filter(({ status, assignee }) => status === 'in_progress' && assignee !== null)
        .map((item) => ({ ...item, own: workspace.person() })),
    )
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const proposals = folders.shown.flatMap(([folder]) =>
    [...(folder.workspace.standing().state?.proposals ?? [])].map(([id, proposal]) => ({
      key: folders.keyOf(folder, id),
      id,
      title: proposalWords(proposal),
    })),
  );
  return {
    type: 'nothing' as const,
    left: waiting.filter(({ id }) => !isRfcId(id)),
    rfcs: waiting.filter(({ id }) => isRfcId(id)),
    proposals,
    agents: working.slice(0, namedAtMost).map(({ assignee, title, step, updatedAt, own }) => ({
      agent: shownAgent(assignee ?? '', own),
      what: step === null ? title : `${title}: ${step}`,
      since: updatedAt,
    })),
  };
}
