/** Whether files are read-only while they are held. */
import type { TemplateResult } from 'lit';
import { radios } from '../shared/radios.ts';
import { t } from '../shared/strings.ts';

const options = [
  { value: 'off', label: 'policy.fenceOff', more: 'policy.fenceOffMore' },
  { value: 'on', label: 'policy.fenceOn', more: 'policy.fenceOnMore' },
] as const;

export function fenceWords(fence: boolean): string {
  return t(fence ? 'policy.fenceOn' : 'policy.fenceOff');
}

interface Editing {
  readonly disabled: boolean;
  readonly edit: (fence: boolean) => void;
}

export function fenceField(fence: boolean, { disabled, edit }: Editing): TemplateResult {
  return radios({
    name: 'fence',
    legend: t('policy.fence'),
    options: options.map(({ value, label, more }) => ({ value, label: t(label), more: t(more) })),
    picked: fence ? 'on' : 'off',
    disabled,
    pick: (value) => {
      edit(value === 'on');
    },
  });
}
