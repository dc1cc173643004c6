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
import type { RequestView } from '../../app/request/views.ts';
import type { RfcSummary } from '../../app/rfc/views.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import { decisionWords } from '../rfc/model.ts';
import { formKey } from '../surface/workspaceForms.ts';
import { leadOf, type AlikeNode, type AssumptionsNode } from './alikeRows.ts';
import type { Node, RequestNode } from './nodes.ts';

export function listRow(folders: Folders, node: Node): ListRow {
  return withHiddenShown(itemOf(folders, node));
}

function itemOf(folders: Folders, node: Node): ListRow {
  switch (node.kind) {
    case 'recent': {
      const label = l10n.t('Answered recently');
      const description = String(node.nodes.length);
      return { ...{ id: 'recent', label, description, children: 'collapsed' }, icon: { id: 'history' } };
    }
    case 'rest': {
      const label = l10n.t('{0} more', questionsIn(node.waiting));
      const description = l10n.t('less urgent');
      return { ...{ id: `rest ${node.of}`, label, description, children: 'collapsed' }, icon: { id: 'ellipsis' } };
    }
    case 'group':
      return {
        ...{ id: `group ${node.label}`, label: node.label, description: String(node.count), children: 'expanded' },
      };
    case 'folded':
      return {
        ...{ id: `folded ${node.label}`, label: node.label, children: 'collapsed' },
        description: String(node.nodes.length),
      };
    case 'unknown':
      return itemRow(folders, node.folder, {
        ...{ id: 'unknown', label: node.title, icon: { id: 'error', color: 'errorForeground' } },
        ...{ tooltip: [node.message], spoken: [node.title, node.message] },
        ...{ opens: formKey(folders, node.folder, 'journal'), title: l10n.t('Show what to do') },
      });
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

/** The parts of a row; empty lines of its tooltip are left out. */
interface RowParts extends Pick<ListRow, 'label' | 'icon' | 'contextValue' | 'children'> {
  /** Within its folder. */
  readonly id: string;
  readonly description?: readonly string[];
  readonly spoken?: readonly string[];
  readonly tooltip: readonly string[];
  /** The key that a click opens. */
  readonly opens: string;
  readonly command?: string;
  readonly title?: string;
}

function itemRow(folders: Folders, folder: OpenFolder, parts: RowParts): ListRow {
  const { id, description = [], spoken, tooltip, opens, ...row } = parts;
  const { command = ids.commands.openForm, title = l10n.t('Open'), ...rest } = row;
  const place = folderPart(folders, folder);
  return {
    ...rest,
    id: `${folder.uri.toString()} ${id}`,
    description: [...description, ...place].join(' · '),
    tooltip: tooltip.filter((line) => line !== '').join('\n'),
    // Without this, a screen reader says the tooltip.
    spoken: [...(spoken ?? [parts.label]), ...place].join(', '),
    command: { command, title, arguments: [opens] },
  };
}

function alikeItem(folders: Folders, node: AlikeNode): ListRow {
  const { folder, text, waiting, holding } = node;
  const agents = [
    ...new Set(waiting.map(({ question }) => shownAgent(question.agent_name, folder.workspace.person()))),
  ];
  const urgency = waiting[0]?.question.urgency ?? 'medium';
  const count =
    holding && agents.length > 1 ? l10n.t('{0} agents wait', agents.length) : l10n.t('{0} questions', waiting.length);
  return itemRow(folders, folder, {
    ...{ id: `alike ${leadOf(node)}`, label: rowLabel(text), children: 'collapsed', contextValue: 'alike' },
    icon: stateIcon({ holding, urgency }),
    description: [count, ...agents.slice(0, 1)],
    spoken: [urgencyWord(urgency), count, text, ...agents],
    tooltip: [text, listNames(agents), l10n.t('Open it to answer them together, or expand it to open one.')],
    opens: formKey(folders, folder, 'together', leadOf(node)),
  });
}

function questionItem(folders: Folders, folder: OpenFolder, question: QuestionView): ListRow {
  const { id, text, resolution } = question;
  const changed = changedWords(folder, id);
  const waitingIcon = isAskedBack(question) ? askedBackIcon(question) : stateIcon(question);
  const isGiven = resolution === 'answered' && !isRefused(question);
  return itemRow(folders, folder, {
    ...{ id: `${id} ${resolution ?? 'open'}`, label: rowLabel(text) },
    icon: resolution === null ? waitingIcon : { id: isGiven ? 'check' : 'circle-slash' },
    contextValue: resolution === null ? 'question.waiting' : 'question.done',
    description: [...changed, ...describe(question)],
    spoken: [...spokenParts(question), ...changed],
    tooltip: [...changed, ...tooltip(question)],
    opens: folders.keyOf(folder, id),
  });
}

function questionsIn(rows: Extract<Node, { kind: 'rest' }>['waiting']): number {
  return rows.reduce((sum, row) => sum + (row.kind === 'alike' ? row.waiting.length : 1), 0);
}

function assumptionsItem(folders: Folders, { folder, agent, count }: AssumptionsNode): ListRow {
  return itemRow(folders, folder, {
    ...{ id: `assumptions ${agent ?? ''}`, label: l10n.t('Confirm all {0} assumptions…', count) },
    ...{ icon: { id: 'checklist' }, contextValue: 'assumptions' },
    tooltip: [l10n.t('Lists what agents assume while their questions wait. Nothing is signed yet.')],
    opens: formKey(folders, folder, 'assumptions', agent),
  });
}

function proposalItem(folders: Folders, folder: OpenFolder, event: EventView): ListRow {
  const { id, text, proposal } = event;
  const proposed = proposal ? proposalWords(proposal) : '';
  return itemRow(folders, folder, {
    ...{ id: `${id} proposal`, label: rowLabel(text), icon: { id: 'comment' }, contextValue: 'proposal' },
    description: [proposed],
    spoken: [l10n.t('proposal'), firstLine(plainText(text), 200), proposed],
    tooltip: [id, text.slice(0, backgroundAtMost), proposed, proposal?.reason ?? ''],
    ...{ opens: folders.keyOf(folder, id), command: ids.commands.openEvent },
  });
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
  const { status, time_waiting_ms: ms } = question;
  const state = isAskedBack(question)
    ? l10n.t('waiting for the agent’s reply')
    : status === 'expired'
      ? l10n.t('expired, still held')
      : waitingFor(ms);
  return [state, ...assumedWords(question), ...parkedWords(question), ...heldWords(question.holds_work)];
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
function tooltip(question: QuestionView): string[] {
  const { id, urgency, type, agent_name: agent, background, work, answer } = question;
  const held = [...question.blocks, ...question.cascade].map(({ title }) => title);
  return [
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
}

function clipText(text: string): string {
  const line = onOneLine(text);
  return line.length <= backgroundAtMost ? line : `${line.slice(0, backgroundAtMost)}…`;
}

// Requests to and from humans and stewards, and RFCs. All of it is plain text on purpose: an agent wrote most of it.

function requestItem(folders: Folders, { folder, request, box }: RequestNode): ListRow {
  const { id, subject, summary, overdue, status, created_at } = request;
  const { origin_responsibility_id: origin, target_responsibility_id: target } = request;
  const described = [box === 'inbox' ? origin : target, overdue ? l10n.t('overdue') : stateWords(request)];
  return itemRow(folders, folder, {
    ...{ id: `${box} ${id} ${status}`, label: rowLabel(subject), contextValue: `request.${status}` },
    icon: overdue
      ? { id: 'watch', color: 'list.warningForeground' }
      : { id: status === 'accepted' ? 'check' : 'inbox' },
    description: described,
    spoken: [l10n.t('request'), firstLine(plainText(subject), 200), ...described],
    tooltip: [
      `${id} · ${origin} → ${target}`,
      subject,
      summary.slice(0, backgroundAtMost),
      l10n.t('Asked {0}', timeText(created_at)),
    ],
    opens: folders.keyOf(folder, id),
  });
}

function stateWords({ status, due_at, available_at }: RequestView): string {
  if (status === 'accepted') return l10n.t('accepted');
  if (status === 'created' || status === 'deferred') return l10n.t('from {0}', timeText(available_at));
  return due_at === null ? l10n.t('waiting') : l10n.t('due {0}', timeText(due_at));
}

function rfcItem(folders: Folders, folder: OpenFolder, rfc: RfcSummary): ListRow {
  const { id, title, waiting, holding, agent_name: agent } = rfc;
  const changed = changedWords(folder, id);
  const to = rfc.for === null ? [] : [l10n.t('for {0}', rfc.for)];
  const signed = [countWords(rfc.quorum) ?? []].flat();
  const decided = rfc.last_decision ? decisionWords(rfc.last_decision) : rfc.place;
  const since = [waitingFor(rfc.time_waiting_ms), ...heldWords(rfc.holds_work)];
  const held = [...rfc.affected_workflows, ...rfc.blocked_tasks, ...rfc.cascade].map((one) => one.title);
  return itemRow(folders, folder, {
    ...{ id: `${id} ${waiting ? 'open' : rfc.status}`, label: rowLabel(title) },
    icon: waiting ? stateIcon({ holding, urgency: 'high' }) : { id: 'check' },
    contextValue: waiting ? 'rfc.waiting' : 'rfc.done',
    description: waiting
      ? [...changed, l10n.t('RFC'), age(rfc.time_waiting_ms), ...signed, ...to, agent]
      : [...changed, decided, ...(holding ? signed : [])],
    spoken: [
      id,
      ...(waiting ? [stoppedWord(holding), title, ...to, agent, ...since] : [title, decided, agent]),
      ...changed,
    ],
    tooltip: [
      ...changed,
      [id, agent, l10n.t('revision {0}', rfc.revision)].join(' · '),
      waiting ? [stoppedWords(holding), since.join(', ')].join(' ') : '',
      rfc.for === null ? '' : l10n.t('For {0}; everyone can review it', rfc.for),
      rfc.quorum?.text ?? '',
      title,
      holding && held.length > 0 ? l10n.t('Holds: {0}', listNames(held)) : '',
      allFilesWords(rfc),
      rfc.amendment === null ? '' : l10n.t('An amendment: the approved revision stays in force.'),
      l10n.t('Proposed {0}', timeText(rfc.proposed_at)),
      rfc.last_decision ? decisionWords(rfc.last_decision) : '',
      signedWords(rfc.last_decision?.signed_with ?? null),
    ],
    ...{ opens: folders.keyOf(folder, id), command: ids.commands.openRfc, title: l10n.t('Review') },
  });
}

function heldWords(held: number): string[] {
  return held === 0 ? [] : [l10n.t('holds {0}', held)];
}
