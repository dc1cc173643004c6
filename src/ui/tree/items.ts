/** The appearance of nodes in the "Waiting for you" tree. */
import * as l10n from '@vscode/l10n';
import type { EventView } from '../../app/memory/events.ts';
import { isRefused, type QuestionView } from '../../app/question/views.ts';
import { plainText, rowLabel, firstLine, onOneLine } from '../../core/kit/text.ts';
import { askedInHost } from '../../core/question/question.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import {
  allFilesWords,
  proposalWords,
  listNames,
  typeWord,
  urgencyWord,
  waitingFor,
  timeText,
  age,
  askedBackIcon,
  folderPart,
  stateIcon,
  stoppedWord,
  stoppedWords,
  withHiddenShown,
  type ListRow,
} from '../kit/rows.ts';
import { ids } from '../kit/ids.ts';
import { changedWords } from '../surface/heldFiles.ts';
import { countWords, signedWords } from '../surface/standing.ts';
import { requestItem, rfcItem } from './requests.ts';
import { formKey } from '../surface/workspaceForms.ts';
import { alikeItem, type AssumptionsNode } from './alikeRows.ts';
import type { Node } from './nodes.ts';

export function listRow(folders: Folders, node: Node): ListRow {
  return withHiddenShown(itemOf(folders, node));
}

function itemOf(folders: Folders, node: Node): ListRow {
  switch (node.kind) {
    case 'recent': {
      const item: ListRow = { label: l10n.t('Answered recently'), children: 'collapsed' };
      item.id = 'recent';
      item.icon = { id: 'history' };
      item.description = String(node.nodes.length);
      return item;
    }
    case 'rest': {
      const item: ListRow = { label: l10n.t('{0} more', questionsIn(node.waiting)), children: 'collapsed' };
      item.id = `rest ${node.of}`;
      item.icon = { id: 'ellipsis' };
      item.description = l10n.t('less urgent');
      return item;
    }
    case 'group': {
      const item: ListRow = { label: node.label, children: 'expanded' };
      item.id = `group ${node.label}`;
      item.description = String(node.count);
      return item;
    }
    case 'folded': {
      const item: ListRow = { label: node.label, children: 'collapsed' };
      item.id = `folded ${node.label}`;
      item.description = String(node.nodes.length);
      return item;
    }
    case 'unknown': {
      const item: ListRow = { label: node.title };
      item.id = `unknown ${node.folder.uri.toString()}`;
      item.icon = { id: 'error', color: 'errorForeground' };
      item.tooltip = node.message;
      item.command = {
        command: ids.commands.openForm,
        title: l10n.t('Show what to do'),
        arguments: [formKey(folders, node.folder, 'journal')],
      };
      return item;
    }
    case 'alike':
      return alikeItem(folders, node);
    case 'assumptions':
      return assumptionsItem(folders, node);
    case 'proposal':
      return proposalItem(folders, node.folder, node.event);
    case 'question':
      return questionItem(folders, node.folder, node.question);
    case 'rfc':
      return rfcItem(folders, node.folder, node.rfc);
    case 'request':
      return requestItem(folders, node);
  }
}

function questionItem(folders: Folders, folder: OpenFolder, question: QuestionView): ListRow {
  const item: ListRow = { label: rowLabel(question.text) };
  const place = folderPart(folders, folder);
  const changed = changedWords(folder, question.id);
  item.id = `${folder.uri.toString()} ${question.id} ${question.resolution ?? 'open'}`;
  item.description = [...changed, ...describe(question), ...place].join(' · ');
  item.icon =
    question.resolution === null
      ? isAskedBack(question)
        ? askedBackIcon(question)
        : stateIcon(question)
      : { id: question.resolution === 'answered' && !isRefused(question) ? 'check' : 'circle-slash' };
  item.contextValue = contextOf(question);
  item.tooltip = [...changed, tooltip(question)].join('\n');
  item.spoken = [...spokenParts(question), ...changed, ...place].join(', ');
  item.command = {
    command: ids.commands.openForm,
    title: l10n.t('Open'),
    arguments: [folders.keyOf(folder, question.id)],
  };
  return item;
}

function questionsIn(rows: Extract<Node, { kind: 'rest' }>['waiting']): number {
  return rows.reduce((sum, row) => sum + (row.kind === 'alike' ? row.waiting.length : 1), 0);
}

function assumptionsItem(folders: Folders, { folder, agent, count }: AssumptionsNode): ListRow {
  const label = l10n.t('Confirm all {0} assumptions…', count);
  const inFolder = folderPart(folders, folder);
  const item: ListRow = { label: label };
  item.id = `assumptions ${folder.uri.toString()} ${agent ?? ''}`;
  item.description = inFolder.join('');
  item.icon = { id: 'checklist' };
  item.tooltip = l10n.t('Lists what agents assume while their questions wait. Nothing is signed yet.');
  item.contextValue = 'assumptions';
  // Or else a screen reader says the tooltip.
  item.spoken = [label, ...inFolder].join(', ');
  item.command = {
    command: ids.commands.openForm,
    title: l10n.t('Open'),
    arguments: [formKey(folders, folder, 'assumptions', agent)],
  };
  return item;
}

function proposalItem(folders: Folders, folder: OpenFolder, event: EventView): ListRow {
  const { id, text, proposal } = event;
  const item: ListRow = { label: rowLabel(text) };
  const proposed = proposal ? proposalWords(proposal) : '';
  item.id = `${folder.uri.toString()} ${id} proposal`;
  item.description = [proposed, ...folderPart(folders, folder)].join(' · ');
  item.icon = { id: 'comment' };
  item.contextValue = 'proposal';
  item.tooltip = [id, text.slice(0, backgroundAtMost), proposed, proposal?.reason ?? '']
    .filter((line) => line !== '')
    .join('\n');
  item.spoken = [l10n.t('proposal'), firstLine(plainText(text), 200), proposed].join(', ');
  item.command = {
    command: ids.commands.openEvent,
    title: l10n.t('Open'),
    arguments: [folders.keyOf(folder, id)],
  };
  return item;
}

/** The row's text and the meaning of its icon, for screen readers. */
function spokenParts(question: QuestionView): string[] {
  const text = firstLine(plainText(question.text), 200);
  const { resolution, urgency, holding, agent_name: agent } = question;
  if (resolution !== null)
    return [isRefused(question) ? l10n.t('refused') : l10n.t('done'), text, resolutionText(question), agent];
  const to = question.for === null ? [] : [l10n.t('for {0}', question.for)];
  const host = hostWords(question);
  return [urgencyWord(urgency), stoppedWord(holding), text, ...to, ...host, agent, ...waitingWords(question)];
}

/** The time first: a narrow row may cut the end of the agent's name. */
function describe(question: QuestionView): string[] {
  const { resolution, status, agent_name: agent, time_waiting_ms: ms } = question;
  if (resolution !== null) return [resolutionText(question)];
  if (isAskedBack(question)) return [l10n.t('waiting for the agent'), agent];
  const to = question.for === null ? [] : [l10n.t('for {0}', question.for)];
  const signed = countWords(question.quorum);
  return [
    status === 'expired' ? l10n.t('expired') : age(ms),
    ...assumedWords(question),
    ...parkedWords(question),
    ...(signed === null ? [] : [signed]),
    ...to,
    ...hostWords(question),
    agent,
  ];
}

/** The host asks its user by itself: the answer is given there. */
function hostWords({ payload_json: payload }: QuestionView): string[] {
  const asked = askedInHost(payload);
  return asked === null ? [] : [l10n.t('asked by {0} itself', asked.host)];
}

/** What its agent continues with. */
function assumedWords({ assumption }: QuestionView): string[] {
  return assumption === null ? [] : [l10n.t('assumes {0}', firstLine(plainText(assumption), 40))];
}

/** Its agent ended its turn and left a resume brief. */
function parkedWords({ parked }: QuestionView): string[] {
  return parked === null ? [] : [l10n.t('parked')];
}

function isAskedBack({ waiting_for }: QuestionView): boolean {
  return waiting_for === 'agent';
}

function waitingWords(question: QuestionView): string[] {
  const held = question.holds_work;
  const { status, time_waiting_ms: ms } = question;
  const state = isAskedBack(question)
    ? l10n.t('waiting for the agent’s reply')
    : status === 'expired'
      ? l10n.t('expired, still held')
      : waitingFor(ms);
  const words = [state, ...assumedWords(question), ...parkedWords(question)];
  return held === 0 ? words : [...words, l10n.t('holds {0}', held)];
}

function resolutionText(question: QuestionView): string {
  switch (question.resolution) {
    case 'withdrawn': {
      const asked = askedInHost(question.payload_json);
      return asked === null ? l10n.t('withdrawn') : l10n.t('ended in {0}', asked.host);
    }
    case 'cancelled':
      return l10n.t('no longer needed');
    case 'released':
      return l10n.t('dismissed');
    default:
      return answeredWords(question);
  }
}

function contextOf({ resolution }: QuestionView): string {
  return resolution === null ? 'question.waiting' : 'question.done';
}

/** Shows that the answer was reused by other agents. */
function answeredWords(question: QuestionView): string {
  const { answered_by: by, reuse_count: again, revoked, effect, lifted } = question;
  if (lifted !== null) return l10n.t('refusal lifted by {0}', lifted.by);
  if (effect === 'stop') return l10n.t('stopped by {0}', by ?? '');
  if (effect === 'do_not') return l10n.t('refused by {0}', by ?? '');
  if (revoked !== null) return l10n.t('no longer reused');
  const answered = l10n.t('answered by {0}', by ?? '');
  return again === 0 ? answered : l10n.t('reused {0}× · {1}', again, answered);
}

const backgroundAtMost = 300;

/** The agent, question, reason and deadline. Plain text on purpose: an agent wrote most of it. */
function tooltip(question: QuestionView): string {
  const { id, urgency, type, agent_name: agent, background, work, answer } = question;
  const held = [...question.blocks, ...question.cascade].map(({ title }) => title);
  const lines = [
    [id, urgencyWord(urgency), typeWord(type), agent].join(' · '),
    question.resolution === null ? [stoppedWords(question.holding), waitingWords(question).join(', ')].join(' ') : '',
    question.for === null ? '' : l10n.t('For {0}; everyone can answer', question.for),
    question.quorum?.text ?? '',
    question.text,
    background === null ? '' : l10n.t('Why: {0}', clipText(background)),
    work === null || held.length === 0 ? '' : l10n.t('Holds: {0}', listNames(held)),
    allFilesWords(question),
    ...question.ask_backs
      .slice(-1)
      .flatMap(({ asked_by, text, reply, replied_by }) => [
        l10n.t('{0} asked the agent: {1}', asked_by, clipText(text)),
        reply === null ? '' : l10n.t('{0} replied: {1}', replied_by ?? '', clipText(reply)),
      ]),
    answer === null ? '' : l10n.t('Answer: {0}', clipText([...answer.choices, answer.text ?? ''].join(' '))),
    question.note === null ? '' : l10n.t('Note: {0}', clipText(question.note)),
    l10n.t('Asked {0}', timeText(question.raised_at)),
    question.resolution === null && question.expires_at !== null
      ? l10n.t('Expires {0}', timeText(question.expires_at))
      : '',
    question.answered_at === null ? '' : l10n.t('Decided {0}', timeText(question.answered_at)),
    signedWords(question.signed_with),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function clipText(text: string): string {
  const line = onOneLine(text);
  return line.length <= backgroundAtMost ? line : `${line.slice(0, backgroundAtMost)}…`;
}
