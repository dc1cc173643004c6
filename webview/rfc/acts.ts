/** Turns a draft into a decision message, or reports missing input. Pure. */
import type { Comment, RfcAct } from '../../src/ui/rfc/messages.ts';
import type { RfcSnapshot, RfcView } from '../../src/ui/rfc/model.ts';
import { isHoldPanel, type HoldPanel } from '../shared/parts.ts';
import { mark, type Missing } from '../shared/signing.ts';
import { t, tn } from '../shared/strings.ts';
import type { Draft, Panel, TextField } from './saved.ts';

type Limits = RfcSnapshot['limits'];

export interface Asked {
  readonly view: RfcView;
  readonly draft: Draft;
}

/** Why the RFC cannot be approved now, in the order of resolving it; empty if it can. */
export function whyNotApproved(
  { revision, latest, missing, locked }: RfcView,
  pending: Draft['pending'] = [],
): string[] {
  const blocking = pending.filter((one) => one.blocking).length;
  return [
    ...(locked ? [locked.why] : []),
    ...notLatest({ revision, latest }),
    ...(missing.threads === 0
      ? []
      : [tn(missing.threads, '{n} blocking thread is open.', '{n} blocking threads are open.')]),
    ...(missing.questions === 0
      ? []
      : [tn(missing.questions, '{n} question needs your answer.', '{n} questions need your answer.')]),
    ...(blocking === 0
      ? []
      : [
          tn(
            blocking,
            '{n} comment of your review blocks the approval.',
            '{n} comments of your review block the approval.',
          ),
        ]),
  ];
}

/** Unanswered questions: an approval waives each of them by name. */
export function openQuestions({ missing }: Pick<RfcView, 'missing'>): NonNullable<RfcView['missing']['open']> {
  return missing.open ?? [];
}

/** Every decision is about the latest revision, which therefore has to be displayed. */
export function notLatest({ revision, latest }: Pick<RfcView, 'revision' | 'latest'>): string[] {
  return revision === latest
    ? []
    : [t('This is revision {n}, the latest is {latest}. Read that one first.', { n: revision, latest })];
}

/** One entry for each non-empty line. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const reasonOf = {
  requestChanges: { field: 'requestChanges', missing: t('Describe the changes first.') },
  reject: { field: 'reject', missing: t('Enter a reason first; the agent will read it.') },
  withdraw: { field: 'withdraw', missing: t('Enter a reason first; the agent will read it.') },
} as const satisfies Record<Exclude<Panel, 'approve' | HoldPanel>, { field: TextField; missing: string }>;

/** The input that is missing before the act of a panel can be sent. */
export function missingFor(panel: Panel, { view, draft }: Asked, limits: Limits): Missing | undefined {
  if (panel === 'approve') return missingApproval(view, draft, limits);
  return isHoldPanel(panel) ? missingLatest(view) : missingReason(panel, view, draft, limits);
}

function missingApproval(view: RfcView, draft: Draft, limits: Limits): Missing | undefined {
  const [why] = whyNotApproved(view, draft.pending);
  if (why !== undefined) return { field: 'decide', text: t('You cannot approve yet: {why}', { why }) };
  if (openQuestions(view).some(({ key }) => !draft.waived.includes(key)))
    return { field: 'waive', text: t('Answer the other questions first, or select them as well.') };
  return wrongLines('conditions', draft, limits) ?? wrongLines('constraints', draft, limits);
}

function wrongLines(field: 'conditions' | 'constraints', draft: Draft, limits: Limits): Missing | undefined {
  const lines = linesOf(draft.text[field]);
  if (lines.length > limits.lines)
    return { field, text: t('{n} lines; the limit is {max}.', { n: lines.length, max: limits.lines }) };
  const long = lines.findIndex((line) => line.length > limits.text);
  if (long < 0) return undefined;
  return {
    field,
    text: t('Line {line} has {n} characters; the limit is {max}.', {
      line: long + 1,
      n: lines[long]?.length ?? 0,
      max: limits.text,
    }),
  };
}

function missingLatest(view: RfcView): Missing | undefined {
  const [why] = notLatest(view);
  return why === undefined ? undefined : { field: 'decide', text: why };
}

function missingReason(panel: keyof typeof reasonOf, view: RfcView, draft: Draft, limits: Limits): Missing | undefined {
  const { field, missing } = reasonOf[panel];
  return missingLatest(view) ?? missingText(field, draft.text[field], missing, limits);
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

/** An approved revision stays in force, so rejecting its amendment cannot stop work. */
function wayOf({ inForce }: RfcView, { way }: Draft): Draft['way'] {
  return inForce ? 'otherWay' : way;
}

function waivers(view: RfcView, draft: Draft): { waived?: string[] } {
  const waived = openQuestions(view).flatMap(({ key }) => (draft.waived.includes(key) ? [key] : []));
  return waived.length === 0 ? {} : { waived };
}

/** The comments to send. Those on a section that this revision no longer has are about the whole RFC. */
export function commentsOf({ sections }: RfcView, pending: Draft['pending']): Comment[] {
  const whole = sections.at(-1)?.id ?? '';
  return pending.map(({ section, type, text, blocking, quote }) => ({
    section: sections.some(({ id }) => id === section) ? section : whole,
    ...{ feedback: type, content: text.trim(), blocking },
    ...(quote === '' ? {} : { quote }),
  }));
}

export function decision(panel: Panel, { view, draft }: Asked, act: string): RfcAct {
  const common = mark(view, act);
  const comments = draft.pending.length === 0 ? {} : { comments: commentsOf(view, draft.pending) };
  switch (panel) {
    case 'approve':
      return {
        type: 'approve',
        ...common,
        revision: view.revision,
        conditions: linesOf(draft.text.conditions),
        constraints: linesOf(draft.text.constraints),
        ...waivers(view, draft),
        ...comments,
      };
    case 'requestChanges':
      return { type: 'requestChanges', ...common, reason: draft.text.requestChanges.trim(), ...comments };
    case 'reject':
      return { type: 'reject', ...common, reason: draft.text.reject.trim(), way: wayOf(view, draft), ...comments };
    case 'withdraw':
      return { type: 'withdraw', ...common, reason: draft.text.withdraw.trim() };
    case 'holdAll':
    case 'holdNamed':
      return { type: panel, ...common };
  }
}
