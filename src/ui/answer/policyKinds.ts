/** Kinds of fields of the policy's form: how a value of each is written, and read again. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { urgencies, type Urgency } from '../../core/kit/words.ts';
import type { Interruptions, Lease } from '../../core/records/policy.ts';
import { interruptionsOf } from '../../core/waiting/reminders.ts';
import { defaultLease, type Policy } from '../../core/state/state.ts';
import type { FieldDef, Option, Values } from '../kit/view.ts';

export interface Value {
  readonly field: FieldDef;
  of(policy: Policy): Values;
  /** The members of a policy that say so. @throws ZodError for a text that is not valid */
  as(values: Values, policy: Policy): Partial<Policy>;
}

interface Member<T> {
  of(policy: Policy): T;
  as(value: T, policy: Policy): Partial<Policy>;
}

type ByUrgency<T> = Readonly<Record<Urgency, T>>;
type Field = Omit<FieldDef, 'type'>;

export function number(field: Field, { of, as }: Member<number>): Value {
  return {
    field: { ...field, type: 'number' },
    of: (policy) => ({ [field.name]: amount(of(policy)) }),
    as: (values, policy) => as(numberIn(values[field.name]), policy),
  };
}

export function byUrgency(
  field: FieldDef & { readonly type: 'times' | 'ways' },
  { of, as }: Member<ByUrgency<string>>,
): Value {
  const key = (urgency: Urgency) => `${field.name}-${urgency}`;
  return {
    field,
    of: (policy) => Object.fromEntries(urgencies.map((one) => [key(one), of(policy)[one]])),
    as: (values, policy) =>
      as(
        forEach((one) => values[key(one)] ?? ''),
        policy,
      ),
  };
}

export const times = (field: Field, { of, as }: Member<ByUrgency<number>>): Value =>
  byUrgency(
    { ...field, type: 'times' },
    {
      of: (policy) => forEach((one) => amount(of(policy)[one])),
      as: (texts, policy) =>
        as(
          forEach((one) => numberIn(texts[one])),
          policy,
        ),
    },
  );

export function choice<T extends string>(
  field: FieldDef & { readonly type: 'select' | 'radios' },
  schema: z.ZodType<T>,
  { of, as }: { of(policy: Policy): T | undefined; as: Member<T>['as'] },
): Value {
  return {
    field,
    of: (policy) => ({ [field.name]: of(policy) ?? '' }),
    as: (values, policy) => as(schema.parse(values[field.name]), policy),
  };
}

const rowsSchema = z.array(z.record(z.string(), z.string()));

export function rows(field: Field, { of, as }: Member<readonly Values[]>): Value {
  return {
    field: { ...field, type: 'rows' },
    of: (policy) => ({ [field.name]: JSON.stringify(of(policy)) }),
    as(values, policy) {
      const all = rowsSchema.parse(JSON.parse(values[field.name] ?? '[]'));
      return as(
        all.filter((row) => Object.values(row).some((one) => one.trim() !== '')),
        policy,
      );
    },
  };
}

export const list = (
  field: Field,
  column: Omit<FieldDef, 'type' | 'name'>,
  { of, as }: Member<readonly string[]>,
): Value =>
  rows(
    { ...field, columns: [{ ...column, type: 'line', name: 'it' }] },
    {
      of: (policy) => of(policy).map((it) => ({ it })),
      as: (all, policy) => as([...new Set(all.map(({ it = '' }) => it.trim()))], policy),
    },
  );

export const inInterruptions = <K extends keyof Interruptions>(key: K): Member<Interruptions[K]> => ({
  of: (policy) => interruptionsOf(policy)[key],
  as: (value, policy) => ({ interruptions: { ...interruptionsOf(policy), [key]: value } }),
});

export const inLease = <K extends keyof Lease>(key: K): Member<Lease[K]> => ({
  of: ({ lease = defaultLease }) => lease[key],
  as: (value, { lease = defaultLease }) => ({ lease: { ...lease, [key]: value } }),
});

export const amount = (n: number): string => (n === 0 ? '' : String(n));
export const numberIn = (text = '') => z.int().parse(Number(text.trim()));
export const linesIn = (text = '') => text.split('\n').filter((line) => line !== '');
export const forEach = <T>(of: (urgency: Urgency) => T) =>
  Object.fromEntries(urgencies.map((one) => [one, of(one)])) as unknown as ByUrgency<T>;

/** From 0, a field can be left empty. */
export const amountOf = (least: number, max: number) => ({
  ...{ least, max },
  wrong:
    least === 0
      ? l10n.t('Enter a whole number up to {max}, or leave it empty.', { max: max.toLocaleString('en') })
      : l10n.t('Enter a whole number from {least} to {max}.', { least, max: max.toLocaleString('en') }),
});

export const units = {
  hours: () => ({ unit: [l10n.t('hour'), l10n.t('hours')], words: l10n.t('{n} h') }) as const,
  minutes: () => ({ unit: [l10n.t('minute'), l10n.t('minutes')], words: l10n.t('{n} min') }) as const,
  seconds: () => ({ unit: [l10n.t('second'), l10n.t('seconds')], words: l10n.t('{n} s') }) as const,
  days: () => ({ unit: [l10n.t('day'), l10n.t('days')], words: l10n.t('{n} days') }) as const,
};

export const minutesOrNever = () => ({ ...amountOf(0, 1_440), ...units.minutes(), none: l10n.t('never') });

export const options = (...all: readonly (readonly [value: string, label: string, more?: string])[]): Option[] =>
  all.map(([value, label, more]) => ({ value, label, ...(more === undefined ? {} : { more }) }));

export const ways = () => options(['now', l10n.t('immediately')], ['silent', l10n.t('only in the list')]);

export const urgencyOptions = () =>
  options(
    ['critical', l10n.t('critical')],
    ['high', l10n.t('high')],
    ['medium', l10n.t('medium')],
    ['low', l10n.t('low')],
  );
