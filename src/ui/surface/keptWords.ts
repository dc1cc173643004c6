/** What forms and rows say about decisions that take several people. */
import * as l10n from '@vscode/l10n';
import type { QuorumView } from '../../app/workspace/quorums.ts';
import type { QuorumRule } from '../../core/records/quorum.ts';
import { answerLine } from '../../core/kit/answerLine.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { Answer } from '../../core/records/records.ts';
import type { Progress } from '../../core/state/quorumWords.ts';

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
