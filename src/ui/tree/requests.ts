/** Requests in the "Waiting for you" tree: to and from humans and stewards. */
import * as l10n from '@vscode/l10n';
import { assistedStewards, humanResponsibilities, listRequests, type RequestView } from '../../app/request/views.ts';
import { isHumansTurn } from '../../core/request/request.ts';
import { openRequestStatus } from '../../core/records/request.ts';
import { plainText, rowLabel, firstLine } from '../../core/kit/text.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import {
  timeText,
  folderPart,
  allFilesWords,
  listNames,
  waitingFor,
  age,
  stateIcon,
  stoppedWord,
  stoppedWords,
  type ListRow,
} from '../kit/rows.ts';
import { ids } from '../kit/ids.ts';
import type { RfcSummary } from '../../app/rfc/views.ts';
import { changedWords } from '../surface/heldFiles.ts';
import { signedWords, countWords } from '../surface/standing.ts';
import { decisionWords } from '../rfc/model.ts';

const outboxAtMost = 20;
const stewardsAtMost = 20;

export interface HumanRequests {
  /** Requests waiting for a human, best first. */
  readonly inbox: readonly RequestView[];
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
  item.spoken = [l10n.t('request'), firstLine(plainText(request.subject), 200), item.description].join(', ');
  item.command = {
    command: ids.commands.openForm,
    title: l10n.t('Open'),
    arguments: [folders.keyOf(folder, request.id)],
  };
  return item;
}

function stateWords({ status, due_at, available_at }: RequestView): string {
  if (status === 'accepted') return l10n.t('accepted');
  if (status === 'created' || status === 'deferred') return l10n.t('from {0}', timeText(available_at));
  return due_at === null ? l10n.t('waiting') : l10n.t('due {0}', timeText(due_at));
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
    l10n.t('Asked {0}', timeText(created_at)),
  ].join('\n');
}

// RFCs in the tree: those waiting for a review, and decided ones.

export function rfcItem(folders: Folders, folder: OpenFolder, rfc: RfcSummary): ListRow {
  const item: ListRow = { label: rowLabel(rfc.title) };
  const place = folderPart(folders, folder);
  const changed = changedWords(folder, rfc.id);
  item.id = `${folder.uri.toString()} ${rfc.id} ${rfc.waiting ? 'open' : rfc.status}`;
  item.description = [...changed, ...describe(rfc), ...place].join(' · ');
  item.icon = rfc.waiting ? stateIcon({ holding: rfc.holding, urgency: 'high' }) : { id: 'check' };
  item.contextValue = rfc.waiting ? 'rfc.waiting' : 'rfc.done';
  item.tooltip = [...changed, rfcTooltip(rfc)].join('\n');
  item.spoken = [...spokenParts(rfc), ...changed, ...place].join(', ');
  item.command = {
    command: ids.commands.openRfc,
    title: l10n.t('Review'),
    arguments: [folders.keyOf(folder, rfc.id)],
  };
  return item;
}

function describe(rfc: RfcSummary): string[] {
  const signed = countWords(rfc.quorum);
  if (!rfc.waiting) return [decisionText(rfc), ...(rfc.holding && signed !== null ? [signed] : [])];
  const to = rfc.for === null ? [] : [l10n.t('for {0}', rfc.for)];
  return [l10n.t('RFC'), age(rfc.time_waiting_ms), ...(signed === null ? [] : [signed]), ...to, rfc.agent_name];
}

/** The row's text and the meaning of its icon, for screen readers. */
function spokenParts(rfc: RfcSummary): string[] {
  const { id, title, agent_name: agent, holding } = rfc;
  return rfc.waiting
    ? [
        id,
        stoppedWord(holding),
        title,
        ...(rfc.for === null ? [] : [l10n.t('for {0}', rfc.for)]),
        agent,
        ...waitingWords(rfc),
      ]
    : [id, title, decisionText(rfc), agent];
}

function decisionText({ last_decision: last, place }: RfcSummary): string {
  return last ? decisionWords(last) : place;
}

function waitingWords(rfc: RfcSummary): string[] {
  const held = rfc.holds_work;
  const state = waitingFor(rfc.time_waiting_ms);
  return held === 0 ? [state] : [state, l10n.t('holds {0}', held)];
}

/** Plain text on purpose: an agent wrote most of it. */
function rfcTooltip(rfc: RfcSummary): string {
  const held = [...rfc.affected_workflows, ...rfc.blocked_tasks, ...rfc.cascade].map(({ title }) => title);
  const lines = [
    [rfc.id, rfc.agent_name, l10n.t('revision {0}', rfc.revision)].join(' · '),
    rfc.waiting ? [stoppedWords(rfc.holding), waitingWords(rfc).join(', ')].join(' ') : '',
    rfc.for === null ? '' : l10n.t('For {0}; everyone can review it', rfc.for),
    rfc.quorum?.text ?? '',
    rfc.title,
    rfc.holding && held.length > 0 ? l10n.t('Holds: {0}', listNames(held)) : '',
    allFilesWords(rfc),
    rfc.amendment === null ? '' : l10n.t('An amendment: the approved revision stays in force.'),
    l10n.t('Proposed {0}', timeText(rfc.proposed_at)),
    rfc.last_decision ? decisionWords(rfc.last_decision) : '',
    signedWords(rfc.last_decision?.signed_with ?? null),
  ];
  return lines.filter((line) => line !== '').join('\n');
}
