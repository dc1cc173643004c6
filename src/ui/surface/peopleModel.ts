/** Decisions that take several people, for forms: what is needed, who has signed, and whether this human may. */
import * as l10n from '@vscode/l10n';
import { isListed, rulesFor } from '../../core/state/quorum.ts';
import { progressOf } from '../../core/state/quorumWords.ts';
import type { PendingDecision } from '../../core/records/quorum.ts';
import type { Answer } from '../../core/records/records.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import type { Question, State } from '../../core/state/state.ts';
import type { People } from '../kit/view.ts';
import { approvedWords, needsWords } from './keptWords.ts';
import type { SignerStanding } from './keys.ts';

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

/** Why this human's decision would not count; undefined when it does. */
export function unlistedWords(state: State, item: Question | Rfc, standing: SignerStanding): string | undefined {
  const rules = rulesFor(state, item);
  if (standing.kind !== 'enrolled' || rules.length === 0) return undefined;
  if (rules.some((rule) => isListed(rule, standing))) return undefined;
  return l10n.t('The policy does not name {0}, so your decision would have no effect.', standing.name);
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
  const { reason, then, waived } = record as { reason?: string; then?: string; waived?: { question: number }[] };
  return {
    panel: record.kind === 'rfc.approved' ? 'approve' : record.kind === 'rfc.rejected' ? 'reject' : 'withdraw',
    text: reason ?? '',
    conditions: list('conditions'),
    constraints: list('constraints'),
    waived: (waived ?? []).map(({ question }) => String(question)),
    way: then === 'stop' ? 'stop' : 'otherWay',
  };
}
