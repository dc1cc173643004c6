/** Decisions that need several people, for forms: who is needed, who has signed, and whether this human may. */
import * as l10n from '@vscode/l10n';
import { isListed, rulesFor, progressOf, type Progress } from '../../core/state/quorum.ts';
import type { PendingDecision, QuorumRule } from '../../core/records/policy.ts';
import type { Answer } from '../../core/records/records.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { People } from '../kit/view.ts';
import type { SignerStanding } from './standing.ts';
import type { QuorumView } from '../../app/workspace/quorums.ts';
import { firstLine, answerLine } from '../../core/kit/text.ts';

/** Nothing for an item that any human can decide. */
export function peopleModel(state: State, item: Question | Rfc, standing: SignerStanding): { people?: People } {
  const rules = rulesFor(state, item);
  if (rules.length === 0) return {};
  const you = standing.kind === 'enrolled' ? standing.name : null;
  return {
    people: {
      needs: needsWords(rules),
      proposals: progressOf(state, item.id, rules).map((progress) => {
        const fill = fillOf(progress.pending.record);
        return {
          text: approvedWords(progress),
          mine: progress.approvals.some(({ name }) => name === you),
          ...(fill === undefined ? {} : { fill }),
        };
      }),
    },
  };
}

/** Why this human's decision would not be valid; undefined when it is. */
export function unlistedWords(state: State, item: Question | Rfc, standing: SignerStanding): string | undefined {
  const rules = rulesFor(state, item);
  if (standing.kind !== 'enrolled' || rules.length === 0) return undefined;
  if (rules.some((rule) => isListed(rule, standing))) return undefined;
  return l10n.t('The policy does not list {0}, so your decision would have no effect.', standing.name);
}

type Fill = NonNullable<People['proposals'][number]['fill']>;

function fillOf(record: PendingDecision['record']): Fill | undefined {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : '');
  switch (record.kind) {
    case 'question.answered': {
      const { choices, text: said = '', effect } = record['answer'] as Answer;
      return { panel: 'answer', choices: [...choices], text: said, ...(effect === undefined ? {} : { effect }) };
    }
    case 'question.cancelled':
      return { panel: 'cancel', choices: [], text: text('reason') };
    case 'question.released':
      return { panel: 'release', choices: [], text: text('note') };
    case 'refusal.lifted':
      return { panel: 'lift', choices: [], text: text('reason') };
    case 'rfc.approved':
    case 'rfc.rejected':
    case 'rfc.withdrawn':
      return rfcFill(record);
    default:
      return undefined;
  }
}

function rfcFill(record: PendingDecision['record']): Fill {
  const list = (name: string) => {
    const value = record[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  };
  const { reason, then } = record as { reason?: string; then?: string };
  return {
    panel: record.kind === 'rfc.approved' ? 'approve' : record.kind === 'rfc.rejected' ? 'reject' : 'withdraw',
    text: reason ?? '',
    conditions: [...list('conditions'), ...list('constraints')],
    way: then === 'stop' ? 'stop' : 'otherWay',
  };
}

// What forms and rows say about decisions that take several people.

/** After a decision that needs more people. */
export function keptWords(quorum: QuorumView | null): string {
  const [best] = quorum?.proposals ?? [];
  return best
    ? l10n.t('Signed: {0} of {1}. Nothing is released until the others sign the same decision.', best.have, best.of)
    : l10n.t('Signed. Nothing is released until the others sign the same decision.');
}

/** "2 of ada, grace, linus must decide this." */
export function needsWords(rules: readonly QuorumRule[]): string {
  const each = rules.map(({ count, people }) => l10n.t('{0} of {1} must decide this.', count, people.join(', ')));
  return [...new Set(each)].join(' ');
}

/** "1 of 2: grace approved “JWT”" */
export function approvedWords({ pending: { record }, approvals, have, of }: Progress): string {
  const names = approvals.map(({ name }) => name).join(', ');
  return [l10n.t('{0} of {1}', have, of), actWords(record, names)].join(': ');
}

function actWords(record: Progress['pending']['record'], names: string): string {
  switch (record.kind) {
    case 'question.answered':
      return l10n.t('{0} approved “{1}”', names, firstLine(answerLine(record['answer'] as Answer), 200));
    case 'question.cancelled':
      return l10n.t('{0} approved dismissing it as no longer needed', names);
    case 'question.released':
      return l10n.t('{0} approved dismissing it', names);
    case 'refusal.lifted':
      return l10n.t('{0} approved lifting the refusal', names);
    case 'hold.narrowed':
      return l10n.t('{0} approved holding only the named files', names);
    case 'hold.changeAccepted':
      return l10n.t('{0} accepted the changes of held files', names);
    case 'rfc.rejected':
      return l10n.t('{0} rejected it', names);
    case 'rfc.withdrawn':
      return l10n.t('{0} approved withdrawing it', names);
    case 'rfc.approved': {
      const terms = [record['conditions'], record['constraints']].flat().filter((one) => typeof one === 'string');
      return terms.length === 0
        ? l10n.t('{0} approved', names)
        : l10n.t('{0} approved, on these terms: {1}', names, firstLine(terms.join('; '), 200));
    }
    default:
      return l10n.t('{0} approved', names);
  }
}

/** "1 of 2", for rows; null without a signature, or for an item that one person decides. */
export function countWords(quorum: QuorumView | null): string | null {
  const [best] = quorum?.proposals ?? [];
  return best ? l10n.t('{0} of {1}', best.have, best.of) : null;
}
