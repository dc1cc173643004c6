/** The drafts of a review: the bar's, and one for each box in the document; and the decisions made of them. Pure. */
import type { RfcMessage, RfcAct } from '../../src/ui/rfc/messages.ts';
import type { Values } from '../../src/ui/kit/view.ts';
import { holdPanels, isHoldPanel, type HoldPanel } from '../shared/parts.ts';
import { mark, type Entered, type Missing } from '../shared/signing.ts';
import type { RfcSnapshot, RfcView } from '../../src/ui/rfc/model.ts';
import { visibleText } from '../shared/elements.ts';
import { linesOf, problemOf } from '../shared/fields.ts';
import { t, tn } from '../shared/strings.ts';

// Names of the places where acts happen: the bar, a section's comment box, a thread, an open question.

export const bar = 'bar';

export function commentOn(section: string): string {
  return `comment:${section}`;
}

export function replyTo(thread: number): string {
  return `reply:${String(thread)}`;
}

export function questionPlace(question: number): string {
  return `question:${String(question)}`;
}

export const changesPlace = 'changes';

export const panels = [
  'approve',
  'requestChanges',
  'reject',
  'withdraw',
  ...holdPanels,
] as const satisfies RfcMessage['type'][];
export type Panel = (typeof panels)[number];

export type TextField = 'conditions' | 'requestChanges' | 'reject' | 'withdraw';

/** What was entered in a box of the document: a comment, a reply or an answer. */
export interface Box {
  readonly text: string;
  /** Of a comment: the quoted words, or empty for the whole section. */
  readonly quote: string;
  readonly blocking: boolean;
  /** Of an answer. */
  readonly choices: readonly string[];
}

/** What was entered in the bar. */
export interface Draft {
  readonly panel: Panel | 'none';
  readonly text: Readonly<Record<TextField, string>>;
  readonly way: 'stop' | 'otherWay';
  /** The place of the open box in the document. */
  readonly open: string;
  /** The `shown` when the panel was opened: a different one means that the RFC has changed since. */
  readonly shown: string;
}

/** @param shown of the displayed RFC, for a new draft */
export function draftOf(entered: Entered | undefined, shown: string): Draft {
  const {
    panel,
    way,
    open = '',
    conditions = '',
    requestChanges = '',
    reject = '',
    withdraw = '',
  } = entered?.fields ?? {};
  return {
    panel: panels.find((one) => one === panel) ?? 'none',
    text: { conditions, requestChanges, reject, withdraw },
    way: way === 'otherWay' ? way : 'stop',
    ...{ open, shown: entered?.shown ?? shown },
  };
}

export function fieldsOf({ panel, text, way, open }: Omit<Draft, 'shown'>): Values {
  return { panel, way, open, ...text };
}

export function boxOf({ text = '', quote = '', blocking, choice }: Values = {}): Box {
  return { text, quote, blocking: blocking === 'yes', choices: choice === undefined || choice === '' ? [] : [choice] };
}

export function fieldsOfBox({ text, quote, blocking, choices: [choice = ''] }: Box): Values {
  return { text, quote, blocking: blocking ? 'yes' : '', choice };
}

// Turns a draft into a decision message, or reports missing input.

type Limits = RfcSnapshot['limits'];

export interface Asked {
  readonly view: RfcView;
  readonly draft: Draft;
}

/** Why the RFC cannot be approved now, in the order of resolving it; empty if it can. */
export function whyNotApproved({ revision, latest, missing, locked }: RfcView): string[] {
  return [
    ...(locked ? [locked.why] : []),
    ...notLatest({ revision, latest }),
    ...(missing.threads === 0
      ? []
      : [tn(missing.threads, '{n} blocking thread is open.', '{n} blocking threads are open.')]),
    ...(missing.questions === 0
      ? []
      : [tn(missing.questions, '{n} question needs an answer.', '{n} questions need an answer.')]),
  ];
}

/** Every decision is about the latest revision, which therefore has to be displayed. */
export function notLatest({ revision, latest }: Pick<RfcView, 'revision' | 'latest'>): string[] {
  return revision === latest
    ? []
    : [t('This is revision {n}, the latest is {latest}. Read that one first.', { n: revision, latest })];
}

const missingReasons: Readonly<Record<Exclude<Panel, 'approve' | HoldPanel>, string>> = {
  requestChanges: t('Describe the changes first.'),
  reject: t('Enter a reason first; the agent will read it.'),
  withdraw: t('Enter a reason first; the agent will read it.'),
};

/** The input that is missing before the act of a panel can be sent. */
export function missingFor(panel: Panel, { view, draft }: Asked, limits: Limits): Missing | undefined {
  if (panel === 'approve') return missingApproval(view, draft, limits);
  if (isHoldPanel(panel)) return missingLatest(view);
  return missingLatest(view) ?? missingText(panel, draft.text[panel], missingReasons[panel], limits);
}

function missingApproval(view: RfcView, { text }: Draft, { lines, text: longest }: Limits): Missing | undefined {
  const [why] = whyNotApproved(view);
  if (why !== undefined) return { field: 'decide', text: t('You cannot approve yet: {why}', { why }) };
  return problemOf({ type: 'lines', name: 'conditions', label: '', max: lines, longest }, text);
}

function missingLatest(view: RfcView): Missing | undefined {
  const [why] = notLatest(view);
  return why === undefined ? undefined : { field: 'decide', text: why };
}

export function missingText(field: string, text: string, missing: string, limits: Limits): Missing | undefined {
  const { length } = text.trim();
  if (length === 0) return { field, text: missing };
  if (length <= limits.text) return undefined;
  return {
    field,
    text: t('{n} of {max}: shorten it by {over}.', { n: length, max: limits.text, over: length - limits.text }),
  };
}

/** The hash of a revision: short enough to read aloud, long enough to distinguish revisions. */
export function hashOf({ revisions }: RfcView, number: number): string {
  return visibleText(revisions.find((one) => one.number === number)?.hash ?? '').slice(0, 8);
}

/** The approved revision while a later one is not approved: null without one. */
export function inForce({ approval, latest }: RfcView): RfcView['approval'] {
  return approval?.revision === latest ? null : approval;
}

/** An approved revision stays in force, so rejecting its amendment cannot stop work. */
function wayOf(view: RfcView, { way }: Draft): Draft['way'] {
  return inForce(view) ? 'otherWay' : way;
}

export function decision(panel: Panel, { view, draft }: Asked, act: string): RfcAct {
  const common = mark(view, act);
  switch (panel) {
    case 'approve':
      return {
        type: 'approve',
        ...common,
        revision: view.revision,
        conditions: linesOf(draft.text.conditions),
      };
    case 'requestChanges':
      return { type: 'requestChanges', ...common, reason: draft.text.requestChanges.trim() };
    case 'reject':
      return { type: 'reject', ...common, reason: draft.text.reject.trim(), way: wayOf(view, draft) };
    case 'withdraw':
      return { type: 'withdraw', ...common, reason: draft.text.withdraw.trim() };
    case 'holdAll':
    case 'holdNamed':
      return { type: panel, ...common };
  }
}
