/** What gates print with `--json`. */
import type { GateAnswer } from '../../app/hold/gate.ts';
import { sharedData } from '../../app/workspace/freshness.ts';
import type { GateReason } from '../../core/hold/gate.ts';
import { isRfc } from '../../core/hold/holds.ts';
import { allFiles } from '../../core/state/heldChanges.ts';
import { effectOf } from '../../core/state/answerEffect.ts';
import { jsonOf } from '../kit/outputs.ts';

export function reasonData({ code, subject, holder }: Pick<GateReason, 'code' | 'subject' | 'holder'>) {
  return {
    code,
    subject,
    question: holder && !isRfc(holder) ? holder.id : null,
    effect: holder && !isRfc(holder) ? effectOf(holder) : null,
    rfc: holder && isRfc(holder) ? holder.id : null,
    all_files: holder && allFiles(holder),
  };
}

export function gateJson(answer: GateAnswer, requests: number, text: string): string {
  const { verdict, state, conditions, constraints } = answer;
  const reasons = answer.reasons.map((reason) => ({ ...reasonData(reason), people: reason.people ?? null }));
  return jsonOf({
    schema: 'gate',
    data: {
      ...{ result: resultOf(verdict), verdict, state, reasons, conditions, constraints },
      shared: sharedData(answer.shared),
      requests_waiting: requests,
      text,
    },
  });
}

export function resultOf(verdict: 'allow' | 'deny'): 'proceed' | 'denied' {
  return verdict === 'allow' ? 'proceed' : 'denied';
}
