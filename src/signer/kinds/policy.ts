/** The policy: each value that changes, before and after. */
import * as z from 'zod';
import { json, main, shows } from './kind.ts';
import type { Decision } from './kind.ts';

const policyModel = z.record(z.string(), z.unknown());

export const shownPolicy = shows<Decision<'policy.changed'>, z.infer<typeof policyModel>>({
  model: policyModel,
  fits: () => true,
  describe: ({ record, content: before }, l10n) => {
    const { kind: _, v: __, ...after } = record;
    const values = after as Readonly<Record<string, unknown>>;
    const names = [...new Set([...Object.keys(before), ...Object.keys(values)])];
    return {
      title: l10n.t('Change the policy'),
      rows: names
        .map((name) => ({ name, now: json(values[name] ?? null), was: json(before[name] ?? null) }))
        .filter(({ now, was }) => now !== was)
        .map(({ name, now, was }) => main(name, l10n.t('{0}, instead of {1}', now, was))),
    };
  },
});
