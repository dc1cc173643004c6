/** The page, as the form of questions of the same shape uses it: the ticked ones, and the one answer to them. */
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import type { Choice, Alike, TogetherView } from '../../src/ui/answer/together.ts';
import type { AnswerTogetherMessage } from '../../src/ui/answer/messages.ts';
import type { Missing } from '../shared/formPage.ts';
import { missingName } from '../shared/marks.ts';
import type { FieldsDraft, FormActs, OneFormPage } from '../shared/oneForm.ts';
import { t } from '../shared/strings.ts';
import { effects } from './saved.ts';

export interface TogetherOptions {
  readonly acts: FormActs<AnswerTogetherMessage>;
  readonly view: () => TogetherView | undefined;
  readonly nameFor: OneFormPage['nameFor'];
  /** The longest text of an answer. */
  readonly maxText: () => number;
}

export type TogetherPage = OneFormPage &
  ReturnType<typeof createTogetherActs> & {
    /** Whether not all of it has been on the screen. */
    readonly mustRead: () => boolean;
    readonly dispatch: (
      message:
        | { readonly type: 'back' }
        | { readonly type: 'select' | 'openInBrowser'; readonly key: string }
        | { readonly type: 'openFile'; readonly key: string; readonly path: string; readonly line?: number },
    ) => void;
  };

export function createTogetherActs({ acts, view, nameFor, maxText }: TogetherOptions) {
  const draftOf = ({ key }: TogetherView): FieldsDraft | undefined => acts.fieldsOf(key);
  const fieldOf = (of: TogetherView, name: string): string => draftOf(of)?.fields[name] ?? '';

  /** All are ticked at first. One that comes or changes while the reader writes is ticked only by a click. */
  const isTicked = (of: TogetherView, { shown }: Alike): boolean => {
    const draft = draftOf(of);
    return (draft?.fields[shown] ?? (draft && draft.shown !== of.shown ? 'no' : 'yes')) === 'yes';
  };
  /** Keeps every tick as it is displayed. */
  const keep = (of: TogetherView, fields: FieldsDraft['fields']) => {
    const ticks = of.questions.map((one): [string, string] => [one.shown, isTicked(of, one) ? 'yes' : 'no']);
    acts.keepFields(of, { ...draftOf(of)?.fields, ...Object.fromEntries(ticks), ...fields });
  };
  const togetherTicked = (of: TogetherView): Alike[] => of.questions.filter((one) => isTicked(of, one));
  const togetherPicked = (of: TogetherView): Choice[] =>
    of.choices.filter(({ label }) => fieldOf(of, choiceField(label)) === 'yes');
  const togetherText = (of: TogetherView): string => fieldOf(of, 'text');

  function lacking(of: TogetherView): Missing | undefined {
    if (togetherTicked(of).length === 0) return { field: 'ticks', text: t('Select at least one.') };
    if (togetherPicked(of).length === 0) return { field: 'choices', text: t('Choose one first.') };
    const [n, max] = [togetherText(of).trim().length, maxText()];
    if (n > max) return { field: 'text', text: t('{n} of {max}: shorten it by {over}.', { n, max, over: n - max }) };
    return missingName(of.answersAs, nameFor(of.answersAs.name));
  }

  return {
    togetherTicked,
    togetherPicked,
    togetherText,
    togetherDraft: draftOf,
    longestTogether: maxText,

    tickAlike(one: Alike): void {
      const of = view();
      if (of) keep(of, { [one.shown]: isTicked(of, one) ? 'no' : 'yes' });
    },

    pickTogether(label: string): void {
      const of = view();
      if (!of) return;
      const others = of.multiple ? [] : of.choices.map((one): [string, string] => [choiceField(one.label), 'no']);
      const next = fieldOf(of, choiceField(label)) === 'yes' ? 'no' : 'yes';
      keep(of, { ...Object.fromEntries(others), [choiceField(label)]: next });
    },

    writeTogether(text: string): void {
      const of = view();
      if (of) keep(of, { text });
    },

    answerTogether(): void {
      const of = view();
      if (!of || of.locked !== undefined || of.inBrowser !== undefined) return;
      acts.attempt({
        ...{ target: of, lacking: lacking(of) },
        make: (marks) => ({
          type: 'answerTogether',
          ...marks,
          ticked: togetherTicked(of).map(({ id }) => id),
          choices: togetherPicked(of).map(({ label }) => label),
          text: togetherText(of).trim(),
        }),
      });
    },
  };
}

const choiceField = (label: string): string => `choice ${label}`;

/** What the picked choices mean: the strictest of them. */
export function effectTogether(picked: readonly Choice[]): AnswerEffect {
  return effects.findLast((effect) => picked.some((choice) => choice.effect === effect)) ?? 'proceed';
}
