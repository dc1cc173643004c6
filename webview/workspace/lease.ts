/** How a shared workspace works without its server: the fields and their values. Shown only in shared workspaces. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { visibleText } from '../shared/elements.ts';
import { hintFor, numberInput, selectField } from '../shared/fields.ts';
import type { FormPage, Missing } from '../shared/signing.ts';
import { t, tn } from '../shared/strings.ts';
import { linesField } from './linesField.ts';

type Lease = NonNullable<PolicyView['lease']>;

/** As entered. Null where the workspace is not shared. */
export interface LeaseDraft {
  readonly seconds: string;
  /** One per line. */
  readonly globs: string;
  readonly after: NonNullable<Lease['after']>;
}

const afterWords = {
  deny: t('Agents change nothing until the server answers'),
  allow: t('Agents continue with work that is not held'),
};
const mostSeconds = 3_600;
const mostGlobs = 100;
const longestGlob = 300;

export function leaseShown(lease: Lease | undefined): LeaseDraft | null {
  return lease
    ? { seconds: String(lease.seconds), globs: lease.strictGlobs.join('\n'), after: lease.after ?? 'deny' }
    : null;
}

/** Undefined if the seconds are not a whole number in range; empty is 0. */
export function leaseOf({ seconds, globs, after }: LeaseDraft): Lease | undefined {
  const text = seconds.trim();
  const value = text === '' ? 0 : /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  return value <= mostSeconds
    ? { seconds: value, strictGlobs: globsOf(globs), ...(after === 'allow' ? { after } : {}) }
    : undefined;
}

function globsOf(globs: string): string[] {
  const lines = globs.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

export function missingLease(draft: LeaseDraft | null): Missing | undefined {
  if (!draft) return undefined;
  const lease = leaseOf(draft);
  if (!lease) return { field: 'lease', text: t('Enter a whole number of seconds up to 3,600.') };
  const { strictGlobs } = lease;
  if (strictGlobs.length > mostGlobs)
    return { field: 'globs', text: t('{n} patterns; the limit is {max}.', { n: strictGlobs.length, max: mostGlobs }) };
  const long = strictGlobs.find(({ length }) => length > longestGlob);
  return long === undefined
    ? undefined
    : {
        field: 'globs',
        text: t('“{name}…” is longer than {max} characters.', {
          name: visibleText(long.slice(0, 40)),
          max: longestGlob,
        }),
      };
}

/** What differs from the form as it was shown. */
export function leaseChanges(
  draft: LeaseDraft | null,
  shown: Lease | undefined,
): ('lease' | 'afterLease' | 'strict')[] {
  const lease = draft && leaseOf(draft);
  if (!lease || !shown) return draft && shown ? ['lease'] : [];
  return [
    ...(lease.seconds === shown.seconds ? [] : ['lease' as const]),
    ...(lease.after === shown.after ? [] : ['afterLease' as const]),
    ...(lease.strictGlobs.join('\n') === shown.strictGlobs.join('\n') ? [] : ['strict' as const]),
  ];
}

export function leaseWords(lease: Lease | undefined): Readonly<Record<'lease' | 'afterLease' | 'strict', string>> {
  const { seconds, strictGlobs, after = 'deny' } = lease ?? { seconds: 0, strictGlobs: [] };
  return {
    lease: seconds === 0 ? t('not at all') : t('{n} s', { n: seconds }),
    afterLease: afterWords[after],
    strict: strictGlobs.length === 0 ? t('none') : strictGlobs.join(', '),
  };
}

interface Editing {
  readonly disabled: boolean;
  readonly edit: (draft: LeaseDraft) => void;
}

export function leaseFields(
  page: FormPage,
  draft: LeaseDraft | null,
  { disabled, edit }: Editing,
): TemplateResult | typeof nothing {
  if (!draft) return nothing;
  const n = leaseOf(draft)?.seconds ?? 0;
  return html`<div class="policy-field">
      <label class="field-label" for="lease">${t('Without the team’s server, agents can continue for')}</label>
      <p class="hours">
        ${numberInput(page, { name: 'lease', value: draft.seconds, disabled, edit: (seconds) => edit({ ...draft, seconds }) })}
        <span id="lease-unit">${tn(n, 'second', 'seconds')}</span>
      </p>
      ${hintFor(page, 'lease')}
      <p class="quiet small" id="lease-hint">${t('Held work stays held. At most an hour (3,600).')}</p>
    </div>
    ${selectField(
      page,
      {
        ...{ name: 'after', label: t('After this time'), value: draft.after, disabled, kind: 'policy-field' },
        edit: (after) => {
          edit({ ...draft, after: after === 'allow' ? after : 'deny' });
        },
      },
      (['deny', 'allow'] as const).map((value) => ({ value, text: afterWords[value] })),
    )}
    ${linesField(page, {
      name: 'globs',
      label: t('Files that always need the server'),
      example: t('for example payments/**'),
      hint: t('Agents cannot change these while the server does not answer. One path or pattern per line.'),
      value: draft.globs,
      disabled,
      edit: (globs) => {
        edit({ ...draft, globs });
      },
    })}`;
}
