/** A reason of a gate, as `--json` prints it. */
import type { GateReason } from '../../core/hold/gate.ts';
import { isRfc } from '../../core/hold/holds.ts';
import { allFiles } from '../../core/records/widening.ts';
import { effectOf } from '../../core/state/answerEffect.ts';

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
