/**
 * The policy's form: its values under a policy, and the change that is signed. The page and docs/policy.md follow from
 * the same table (policyTable.ts).
 */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { urgencies } from '../../core/kit/words.ts';
import { policyMembers } from '../../core/records/policy.ts';
import { defaultPolicy, type Policy } from '../../core/state/state.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import type { FieldDef, Values } from '../kit/view.ts';
import { policyTable, type Offered } from './policyTable.ts';

export const policyFields = (offered: Offered): FieldDef[] => policyTable(offered).map(({ field }) => field);

export function valuesOf(policy: Policy, offered: Offered): Values {
  return Object.assign({}, ...policyTable(offered).map(({ of }) => of(policy))) as Values;
}

/** Sets of values to start from; each is in force once it is saved. */
export function presets(offered: Offered): { label: string; more: string; values: Values }[] {
  const usual = valuesOf(defaultPolicy, offered);
  const of = (change: Values) => {
    const named = ['how', 'remind'].flatMap((name) => urgencies.map((one) => `${name}-${one}`));
    return { ...Object.fromEntries([...named, 'end'].map((name) => [name, usual[name] ?? ''])), ...change };
  };
  return [
    {
      ...{ label: l10n.t('Quiet'), more: l10n.t('Only critical questions interrupt you; the rest is in the list.') },
      values: of({ 'how-high': 'silent', 'remind-high': '' }),
    },
    {
      label: l10n.t('Standard'),
      more: l10n.t('High and critical questions notify you and are repeated; the rest is in the list.'),
      values: of({}),
    },
    {
      label: l10n.t('Strict'),
      more: l10n.t('Every question notifies you and is repeated, and becomes critical if unanswered.'),
      values: of({
        ...{ 'how-medium': 'now', 'how-low': 'now', end: 'escalate' },
        ...{ 'remind-high': '15', 'remind-medium': '60', 'remind-low': '240' },
      }),
    },
  ];
}

/**
 * The change to sign: only what differs, so that other settings stay. Null if nothing changes.
 * @throws ZodError for a value that is not valid
 */
export function changedPolicy(policy: Policy, values: Values, offered: Offered): Policy | null {
  const wanted = policyTable(offered).reduce((before, { of, as }) => {
    const texts = of(policy);
    const given = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, values[name] ?? text]));
    if (isSame(texts, given)) return before;
    const after = { ...before, ...as(given, before) };
    return isSame(texts, of(after)) ? before : after;
  }, policy);
  const changed = Object.entries(wanted).filter(
    ([name, now]) => !isSame(policy[name as keyof Policy] ?? { rules: [] }, now),
  );
  if (changed.length === 0) return null;
  const { questionLifeHours, onExpiry } = policy;
  return z.object(policyMembers()).parse({ questionLifeHours, onExpiry, ...Object.fromEntries(changed) });
}

/** Somebody whom the rules name and no key here has; null for nobody. */
export function unknownPerson({ quorum }: Pick<Policy, 'quorum'>, ring: readonly string[]): string | null {
  return quorum?.rules.flatMap(({ people }) => people).find((name) => !ring.includes(name)) ?? null;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}
