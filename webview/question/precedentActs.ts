/** The page, as the form of precedents uses it: what was typed, and the acts that sign and end one. */
import type { PrecedentFields, PrecedentMessage, PrecedentsView } from '../../src/protocol/question/precedents.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';
import { t } from '../shared/strings.ts';

export interface PrecedentOptions {
  readonly acts: FormActs<PrecedentMessage>;
  readonly view: () => PrecedentsView | undefined;
  readonly look: (message: {
    readonly type: 'lookAtPrecedent';
    readonly key: string;
    readonly fields: PrecedentFields;
  }) => void;
}

export type PrecedentsPage = OneFormPage &
  ReturnType<typeof createPrecedentActs>['acts'] & {
    readonly dispatch: (
      message: { readonly type: 'back' } | { readonly type: 'select' | 'openInBrowser'; readonly key: string },
    ) => void;
  };

/** The name of the field with the reason for ending one. */
const reasonOf = (id: string) => `end.${id}`;

export function createPrecedentActs({ acts, view, look }: PrecedentOptions) {
  const typed = ({ key }: PrecedentsView): Readonly<Record<string, string>> => acts.fieldsOf(key)?.fields ?? {};

  function fieldsOf(of: PrecedentsView): PrecedentFields {
    const known = of.draft?.fields ?? {};
    return Object.fromEntries(Object.entries(known).map(([name, text]) => [name, typed(of)[name] ?? text]));
  }

  /** Whether the host has not yet shown what was typed. */
  function isBehind(of: PrecedentsView): boolean {
    const now = fieldsOf(of);
    return Object.entries(of.draft?.fields ?? {}).some(([name, text]) => now[name] !== text);
  }

  /** What the host was asked to show last, until it has shown that or something else was opened. */
  let asked: string | undefined;

  function ask(of: PrecedentsView): void {
    const fields = fieldsOf(of);
    asked = JSON.stringify([of.key, fields]);
    look({ type: 'lookAtPrecedent', key: of.key, fields });
  }

  return {
    /** The host forgets what was typed once something else is opened, so it is asked again, once. */
    received(): void {
      const of = view();
      if (!of || !isBehind(of)) asked = undefined;
      else if (asked !== JSON.stringify([of.key, fieldsOf(of)])) ask(of);
    },

    acts: {
      precedentFields: fieldsOf,
      isPrecedentBehind: isBehind,

      setPrecedentField(name: string, text: string): void {
        const of = view();
        if (!of?.draft) return;
        acts.keepFields(of, { ...typed(of), [name]: text });
        ask(of);
      },

      signPrecedent(): void {
        const of = view();
        if (
          !of?.draft ||
          of.locked !== undefined ||
          of.inBrowser !== undefined ||
          of.draft.problem !== undefined ||
          isBehind(of)
        )
          return;
        acts.attempt({
          ...{ target: of, lacking: undefined, twice: true },
          make: (marks) => ({ type: 'setPrecedent', ...marks, confirmed: true }),
        });
      },

      endReason: (of: PrecedentsView, id: string): string => typed(of)[reasonOf(id)] ?? '',
      setEndReason(id: string, text: string): void {
        const of = view();
        if (of) acts.keepFields(of, { ...typed(of), [reasonOf(id)]: text });
      },

      endPrecedent(id: string): void {
        const of = view();
        if (!of || of.locked !== undefined) return;
        const why = (typed(of)[reasonOf(id)] ?? '').trim();
        const lacking = why === '' ? { field: reasonOf(id), text: t('precedents.endMissing') } : undefined;
        acts.attempt({
          ...{ target: of, lacking },
          make: (marks) => ({ type: 'endPrecedent', ...marks, id, reason: why }),
        });
      },
    },
  };
}
