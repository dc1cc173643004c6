/**
 * The text of a briefing, for agents and the command line. A token budget leaves out whole items from the end; critical
 * warnings and items waiting for a human always stay.
 */
import { fewNames, onOneLine, plural } from '../kit/text.ts';
import type { BriefedEvent, Briefing, DecisionConflict, Group, WaitingItem } from './briefing.ts';
import { toolGuide, type Guide } from '../kit/guide.ts';
import { eventType, perEventType, type EventType } from '../kit/words.ts';

// The subject line of an entry: its first line, as in a commit message. What follows is the body.

/** A first line that is longer is not a subject line: then the whole text is shown. */
const subjectAtMost = 120;

interface Subject {
  readonly subject: string;
  /** Empty where the text is only a subject. */
  readonly body: string;
}

function splitSubject(text: string): Subject {
  const [, first = '', rest = ''] = /^\s*(?:#{1,6}[ \t]+)?([^\r\n]*)(.*)$/su.exec(text) ?? [];
  const [subject, body] = [first.trim(), rest.trim()];
  if (subject === '' || body === '' || Array.from(subject).length > subjectAtMost)
    return { subject: text.trim(), body: '' };
  return { subject, body };
}

/** A text with a subject line above it. A text that begins with it stays as it is. */
export function withSubject(subject: string, text: string): string {
  return splitSubject(text).subject === subject.trim() ? text : `${subject.trim()}\n\n${text}`;
}

const relevantHeadings: Readonly<Record<EventType, string>> = {
  warning: 'Warnings',
  decision: 'Decisions',
  mutation: 'Recent Changes',
  discovery: 'Discoveries',
  outcome: 'Outcomes',
};

const shownAtMost = 500;

export function briefingText(briefing: Briefing, guide: Guide = toolGuide): string {
  const eventLines = (group: Group<BriefedEvent>) => lines(group, (event) => eventLine(event, guide));
  const { project, focus, relevant, conflicts } = briefing;
  const groups = eventType.options.flatMap((type) => {
    const { items, more } = relevant[type];
    return items.length + more === 0 ? [] : [`### ${relevantHeadings[type]}`, ...eventLines(relevant[type])];
  });
  const disputed = lines(conflicts, conflictLine);
  return [
    ...(project === null ? [] : [`# Briefing: ${onOneLine(project)}`]),
    ...section('Critical Warnings', eventLines(briefing.critical_warnings)),
    ...section(
      'Waiting for a Human',
      lines(briefing.waiting, (item) => waitingLine(item, guide)),
    ),
    ...(disputed.length === 0 ? [] : section('Decisions on the Same Scope', [...disputed, disputedNext])),
    ...(focus === null ? [] : section(`Relevant to ${focus}`, groups)),
    ...section('Other Active Items', [...eventLines(briefing.other), ...agedLines(briefing)]),
    ...section(
      'Recently Resolved',
      lines(briefing.recently_resolved, (event) => closedLine(event, guide)),
    ),
  ].join('\n');
}

function section(heading: string, content: readonly string[]): string[] {
  return [`## ${heading}`, ...(content.length === 0 ? ['None.'] : content)];
}

function lines<T>({ items, more }: Group<T>, line: (item: T) => string): string[] {
  return [...items.map(line), ...(more === 0 ? [] : [`- and ${String(more)} more`])];
}

function eventLine(event: BriefedEvent, guide: Guide = toolGuide): string {
  const where = event.scopes.length === 0 ? '' : ` [${fewNames(event.scopes)}]`;
  const mark = event.author_kind === 'human' ? ' (human)' : event.imported ? ' (imported, not verified)' : '';
  const who = `${event.author}${mark}, ${day(event.posted_at)}`;
  const { subject, body } = splitSubject(event.text);
  const head = `- ${event.id} ${event.priority} ${event.type}${where}`;
  if (body === '') return `${head}: ${shortenEvent(event, guide)} (${who})`;
  return `${head}: ${onOneLine(subject)} (${who})\n  ${shortenEvent({ ...event, text: body }, guide)}`;
}

function conflictLine({ scope, decisions }: DecisionConflict): string {
  const [newer, older] = decisions.map(({ id, text }) => `${id} "${onOneLine(splitSubject(text).subject)}"`);
  return `- ${scope}: ${newer ?? ''} and ${older ?? ''} are both active`;
}

const disputedNext =
  'If one of two no longer applies, supersede it. If both apply, post a decision that explains how they fit together and names both as related.';

function agedLines({ aged }: Briefing): string[] {
  if (aged === 0) return [];
  return [
    `- ${plural(aged, 'older note')} without a recent mention: a search finds ${aged === 1 ? 'it' : 'them'}, and a new note that mentions ${aged === 1 ? 'it' : 'one'} brings it back`,
  ];
}

function closedLine(event: BriefedEvent, guide: Guide): string {
  const how =
    event.status === 'superseded'
      ? `superseded by ${event.superseded_by_event_id ?? 'another event'}`
      : `resolved: ${onOneLine(event.resolved_reason ?? '')}`;
  return `- ${event.id} ${event.type} ${how} (was: ${shortenEvent(event, guide, 200)})`;
}

const waitWords = {
  human: 'waits for a human',
  author: 'is a draft that its author has not submitted',
  agent: 'waits for the reply of its agent to a human',
} as const satisfies Record<WaitingItem['waits_on'], string>;

function waitingLine(item: WaitingItem, guide: Guide): string {
  const { kind, id, text, agent_id, holds_work, all_files_by, concerns_focus, waits_on, answer, asks_changes } = item;
  if (kind === 'answer') return `- ${id} answered for ${agent_id}: "${onOneLine(answer ?? '')}" (asked: "${text}")`;
  if (kind === 'ask_back')
    return `- ${id} "${text}": a human asks ${agent_id} "${onOneLine(answer ?? '')}"; reply with ${guide.name('reply_question', { id, text: '…' })}`;
  if (kind === 'terms')
    return `- ${id} "${text}" was decided, with terms that are in force: ${onOneLine(answer ?? '')}`;
  const focus = concerns_focus ? ', holds the focus' : '';
  const work = holds_work === 0 ? '' : `, holds ${plural(holds_work, 'work item')}`;
  const files = all_files_by === null ? '' : `, ${all_files_by} widened it to every file`;
  const to = item.for === undefined ? '' : `, for ${onOneLine(item.for)}`;
  const changes = asks_changes ? ', and the AI reviewer asks its author for changes' : '';
  return `- ${id} "${text}" ${waitWords[waits_on]}${to}${changes} (${agent_id}${work}${files}${focus})`;
}

function shortenEvent({ id, text }: BriefedEvent, guide: Guide, atMost = shownAtMost): string {
  const line = onOneLine(text);
  const characters = Array.from(line.slice(0, atMost * 2 + 2));
  if (characters.length <= atMost) return line;
  return `${characters.slice(0, atMost).join('').trimEnd()}… (${guide.name('search_events', { id })} shows all of it)`;
}

/** `2026-11-20 14:02 UTC` */
function day(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** Estimate: one token per four characters. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Shrinks a briefing to a token budget: leaves out whole items, last ones first, and counts them as "more". */
export function withinTokens(briefing: Briefing, maxTokens: number): Briefing {
  let fitting: Briefing = {
    ...briefing,
    relevant: perEventType((type) => emptyGroup(briefing.relevant[type])),
    conflicts: emptyGroup(briefing.conflicts),
    other: emptyGroup(briefing.other),
    recently_resolved: emptyGroup(briefing.recently_resolved),
  };
  if (!grow((conflicts) => ({ ...fitting, conflicts }), briefing.conflicts)) return fitting;
  for (const type of eventType.options)
    if (!grow((kept) => ({ ...fitting, relevant: { ...fitting.relevant, [type]: kept } }), briefing.relevant[type]))
      return fitting;
  if (!grow((other) => ({ ...fitting, other }), briefing.other)) return fitting;
  grow((recently_resolved) => ({ ...fitting, recently_resolved }), briefing.recently_resolved);
  return fitting;

  /** Adds items of one group while they fit. False once the budget is spent. */
  function grow<T>(withGroup: (group: Group<T>) => Briefing, { items, more }: Group<T>): boolean {
    for (let count = 1; count <= items.length; count++) {
      const next = withGroup({ items: items.slice(0, count), more: more + items.length - count });
      if (tokensOf(briefingText(next)) > maxTokens) return false;
      fitting = next;
    }
    return true;
  }
}

function emptyGroup<T>({ items, more }: Group<T>): Group<T> {
  return { items: [], more: items.length + more };
}
