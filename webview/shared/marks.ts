/** The fields of every decision, and the signer's name. */
import type { Signer } from '../../src/ui/kit/view.ts';
import type { Missing } from './formPage.ts';
import { t } from './strings.ts';

export function mark(
  view: { key: string; shown: string; render: string; answersAs: Signer },
  act: string,
  name: string,
) {
  const { key, shown, render } = view;
  return { act, key, shown, render, ...(view.answersAs.editable ? { name: name.trim() } : {}) };
}

export function missingName(signer: Signer, name: string): Missing<'name'> | undefined {
  return signer.editable && name.trim() === '' ? { field: 'name', text: t('Enter your name first.') } : undefined;
}
