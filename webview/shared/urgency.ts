import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { ReleaseAllView } from '../../src/ui/answer/workspace.ts';
import { icon } from './icons.ts';
import type { IconName } from './icons.ts';
import { t } from './strings.ts';

export const urgencyWords: Record<Urgency, string> = {
  low: t('low'),
  medium: t('medium'),
  high: t('high'),
  critical: t('critical'),
};

type Urgency = ReleaseAllView['questions'][number]['urgency'];

/** Never by colour alone: each urgency has its own shape and word. */
const urgencyIcon: Record<Urgency, IconName> = {
  critical: 'error',
  high: 'warning',
  medium: 'circle-filled',
  low: 'circle-outline',
};

export function urgencyMark(urgency: Urgency): TemplateResult {
  return html`<span class="urgency urgency-${urgency}">${icon(urgencyIcon[urgency])}${urgencyWords[urgency]}</span>`;
}
