/** RFCs in the tree: those waiting for a review, and decided ones. */
import * as l10n from '@vscode/l10n';
import type { RfcSummary } from '../../app/rfc/views.ts';
import { rowLabel } from '../../core/kit/plain.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { allFilesWords, listed, waitingFor, when } from '../kit/format.ts';
import { ids } from '../kit/ids.ts';
import { age, folderPart, stateIcon, stoppedWord, stoppedWords } from '../kit/rowText.ts';
import { changedWords } from '../surface/changesModel.ts';
import { signedWords } from '../surface/inBrowser.ts';
import { countWords } from '../surface/keptWords.ts';
import { decisionWords } from '../rfc/model.ts';
import type { ListRow } from '../kit/listRow.ts';

export function rfcItem(folders: Folders, folder: OpenFolder, rfc: RfcSummary): ListRow {
  const item: ListRow = { label: rowLabel(rfc.title) };
  const place = folderPart(folders, folder);
  const changed = changedWords(folder, rfc.id);
  item.id = `${folder.uri.toString()} ${rfc.id} ${rfc.waiting ? 'open' : rfc.status}`;
  item.description = [...changed, ...describe(rfc), ...place].join(' · ');
  item.icon = rfc.waiting ? stateIcon({ holding: rfc.holding, urgency: 'high' }) : { id: 'check' };
  item.contextValue = rfc.waiting ? 'rfc.waiting' : 'rfc.done';
  item.tooltip = [...changed, tooltip(rfc)].join('\n');
  item.spoken = [...spoken(rfc), ...changed, ...place].join(', ');
  item.command = {
    command: ids.commands.openRfc,
    title: l10n.t('Review'),
    arguments: [folders.keyOf(folder, rfc.id)],
  };
  return item;
}

function describe(rfc: RfcSummary): string[] {
  const signed = countWords(rfc.quorum);
  if (!rfc.waiting) return [decided(rfc), ...(rfc.holding && signed !== null ? [signed] : [])];
  const to = rfc.for === null ? [] : [l10n.t('for {0}', rfc.for)];
  return [l10n.t('RFC'), age(rfc.time_waiting_ms), ...(signed === null ? [] : [signed]), ...to, rfc.agent_name];
}

/** The row's text and the meaning of its icon, for screen readers. */
function spoken(rfc: RfcSummary): string[] {
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
    : [id, title, decided(rfc), agent];
}

function decided({ last_decision: last, place }: RfcSummary): string {
  return last ? decisionWords(last) : place;
}

function waitingWords(rfc: RfcSummary): string[] {
  const held = rfc.holds_work;
  const state = waitingFor(rfc.time_waiting_ms);
  return held === 0 ? [state] : [state, l10n.t('blocks {0}', held)];
}

/** Plain text on purpose: an agent wrote most of it. */
function tooltip(rfc: RfcSummary): string {
  const held = [...rfc.affected_workflows, ...rfc.blocked_tasks, ...rfc.cascade].map(({ title }) => title);
  const lines = [
    [rfc.id, rfc.agent_name, l10n.t('revision {0}', rfc.revision)].join(' · '),
    rfc.waiting ? [stoppedWords(rfc.holding), waitingWords(rfc).join(', ')].join(' ') : '',
    rfc.for === null ? '' : l10n.t('For {0}; everyone can review it', rfc.for),
    rfc.quorum?.text ?? '',
    rfc.title,
    rfc.holding && held.length > 0 ? l10n.t('Blocks: {0}', listed(held)) : '',
    allFilesWords(rfc),
    rfc.amendment === null ? '' : l10n.t('An amendment: the approved revision stays in force.'),
    l10n.t('Proposed {0}', when(rfc.proposed_at)),
    rfc.last_decision ? decisionWords(rfc.last_decision) : '',
    signedWords(rfc.last_decision?.signed_with ?? null),
  ];
  return lines.filter((line) => line !== '').join('\n');
}
