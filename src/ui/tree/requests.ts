/** Requests in the "Waiting for you" tree: to and from humans and stewards. */
import * as l10n from '@vscode/l10n';
import { assistedStewards, humanResponsibilities, listRequests } from '../../app/request/views.ts';
import type { RequestView } from '../../app/request/views.ts';
import { isHumansTurn } from '../../core/request/request.ts';
import { openRequestStatus } from '../../core/records/requestWords.ts';
import { plain, rowLabel } from '../../core/kit/plain.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { when } from '../kit/format.ts';
import { ids } from '../kit/ids.ts';
import { folderPart } from '../kit/rowText.ts';
import type { ListRow } from '../kit/listRow.ts';

const outboxAtMost = 20;
const stewardsAtMost = 20;

export interface HumanRequests {
  /** Requests waiting for a human, best first. */
  readonly inbox: readonly RequestView[];
  /** Unsettled requests by humans. */
  readonly outbox: readonly RequestView[];
  /** Requests to a steward's agents; a human may respond, but need not. */
  readonly stewards: readonly RequestView[];
}

export function humanRequests(view: View): HumanRequests {
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

export type RequestBox = keyof HumanRequests;

interface Row {
  readonly folder: OpenFolder;
  readonly request: RequestView;
  readonly box: RequestBox;
}

export function requestItem(folders: Folders, { folder, request, box }: Row): ListRow {
  const item: ListRow = { label: rowLabel(request.subject) };
  const state = request.overdue ? l10n.t('overdue') : stateWords(request);
  const other = box === 'inbox' ? request.origin_responsibility_id : request.target_responsibility_id;
  item.id = `${folder.uri.toString()} ${box} ${request.id} ${request.status}`;
  item.description = [other, state, ...folderPart(folders, folder)].join(' · ');
  item.icon = request.overdue
    ? { id: 'watch', color: 'list.warningForeground' }
    : { id: request.status === 'accepted' ? 'check' : 'inbox' };
  item.contextValue = `request.${request.status}`;
  item.tooltip = tooltip(request);
  item.spoken = [l10n.t('request'), firstLine(plain(request.subject), 200), item.description].join(', ');
  item.command = {
    command: ids.commands.openForm,
    title: l10n.t('Open'),
    arguments: [folders.keyOf(folder, request.id)],
  };
  return item;
}

function stateWords({ status, due_at, available_at }: RequestView): string {
  if (status === 'accepted') return l10n.t('accepted');
  if (status === 'created' || status === 'deferred') return l10n.t('from {0}', when(available_at));
  return due_at === null ? l10n.t('waiting') : l10n.t('due {0}', when(due_at));
}

/** Plain text on purpose: an agent wrote most of it. */
function tooltip({
  id,
  origin_responsibility_id,
  target_responsibility_id,
  subject,
  summary,
  created_at,
}: RequestView): string {
  return [
    `${id} · ${origin_responsibility_id} → ${target_responsibility_id}`,
    subject,
    summary.slice(0, 300),
    l10n.t('Asked {0}', when(created_at)),
  ].join('\n');
}
