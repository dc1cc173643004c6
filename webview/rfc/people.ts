import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { t } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';

/** "You", or the name. Names come from outside, so they keep their own text direction. */
export function personName({ name, you }: { readonly name: string; readonly you: boolean }): string | TemplateResult {
  return you ? t('You') : html`<bdi>${visible(name)}</bdi>`;
}
