/** The view models of a triage besides questions: items that are decided elsewhere, and the summary. */
import { rfcSummary, waitedFrom } from '../../app/rfc/views.ts';
import { requestDetails } from '../../app/request/views.ts';
import { rowLabel } from '../../core/kit/plain.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { State } from '../../core/state/state.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import type { TriageCardView, TriageEndView } from '../../protocol/question/triage.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { isRequestId } from '../request/forms.ts';
import { folderName } from '../surface/workspaceForms.ts';
import { resumed } from './resumed.ts';
import type { Settled } from './resumed.ts';
import { decidedIn, left } from './triageQueue.ts';
import type { Queue } from './triageQueue.ts';

/** Null for a question, whose form is shown instead. */
export async function triageCard(folders: Folders, key: string): Promise<TriageCardView | null> {
  const found = folders.find(key);
  if (!found || !(isRfcId(found.id) || isRequestId(found.id))) return null;
  const { folder, id } = found;
  const facts = await factsOf(folder, id);
  return facts && { type: 'triageCard', key, id, ...folderName(folders, folder), ...facts };
}

async function factsOf({ workspace }: OpenFolder, id: string) {
  if (workspace.standing().problem) return null;
  const view = (await workspace.store()).read();
  if (isRfcId(id)) {
    const rfc = rfcSummary(view, id);
    return rfc && { what: 'rfc' as const, from: rfc.agent_name, title: rfc.title, since: waitedFrom(rfc) };
  }
  const request = requestDetails(view, id);
  if (!request) return null;
  const origin = request.origin_responsibility_id;
  const from = view.state.responsibilities.get(origin)?.name ?? origin;
  return { what: 'request' as const, from, title: request.subject, since: request.created_at };
}

const listedAtMost = 50;

export function triageEnd(
  folders: Folders,
  { queue, settled }: { readonly queue: Queue; readonly settled: readonly Settled[] },
): TriageEndView {
  const states = new Map<State, Settled[]>();
  for (const one of settled) {
    const { state } = folders.find(one.key)?.folder.workspace.standing() ?? { state: null };
    if (state) states.set(state, [...(states.get(state) ?? []), one]);
  }
  const all = [...states].map(([state, some]) => resumed(state, some));
  return {
    type: 'triageEnd',
    decided: decidedIn(queue),
    proposals: folders.shown.some(([{ workspace }]) => (workspace.standing().state?.proposals.size ?? 0) > 0),
    left: left(queue)
      .slice(0, listedAtMost)
      .map(({ key, id }) => ({ key, id, title: titleOf(folders, key) })),
    runs: all.flatMap(({ runs }) => runs),
    stays: all.flatMap(({ stays }) => stays),
  };
}

function titleOf(folders: Folders, key: string): string {
  const found = folders.find(key);
  const { state } = found?.folder.workspace.standing() ?? { state: null };
  const { id = key } = found ?? {};
  const text = state?.questions.get(id)?.raised.text ?? state?.rfcs.get(id)?.title;
  return firstLine(rowLabel(text ?? id), 200) || id;
}
