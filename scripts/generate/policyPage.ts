/** The table of docs/policy.md, from the fields of the policy's form. */
import { urgencies } from '../../src/core/kit/words.ts';
import { defaultPolicy } from '../../src/core/state/state.ts';
import { policyFields, valuesOf } from '../../src/ui/answer/policy.ts';
import type { FieldDef, Values } from '../../src/ui/kit/view.ts';

const offered = { isShared: true, people: [], responsibilities: [] };

function policyTable(): string {
  const values = valuesOf(defaultPolicy, offered);
  const rows = policyFields(offered)
    .filter(({ when }) => when === undefined)
    .map((field) => {
      const { label, hint, options = [], columns = [], subject = '' } = field;
      const choices = options.map((one) => `“${one.label}”`).join(', ');
      const parts =
        columns.length < 2 ? [] : [`Each row: ${columns.map((one) => one.label.toLowerCase()).join(', ')}.`];
      return `| ${[label, subject, usual(field, values), [hint ?? choices, ...parts].join(' ')].join(' | ')} |`;
    });
  return ['| rule | under “Advanced” | default | effect |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

/** The default in words; one for all urgencies where they have the same. */
function usual({ type, name, options = [], words = '{n}', none = '' }: FieldDef, values: Values): string {
  const inWords = (text = '') => {
    if (type === 'number' || type === 'times') return text === '' ? none : words.replace('{n}', text);
    return options.find(({ value }) => value === text)?.label ?? none;
  };
  if (type !== 'times' && type !== 'ways') return inWords(values[name]);
  const each = urgencies.map((one) => inWords(values[`${name}-${one}`]));
  return new Set(each).size === 1 ? (each[0] ?? '') : urgencies.map((one, at) => `${one} ${each[at] ?? ''}`).join(', ');
}

/** The page with the table as it should be. */
export const policyPage = (page: string): string =>
  page.replace(/(\n## Policy\n\n)(?:\|.*\n)+/, (_, head: string) => head + policyTable());
