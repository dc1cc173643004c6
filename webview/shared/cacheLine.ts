/** What waiting costs the agent: until when its prompt cache lasts. Nothing where that is unknown. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { PromptCache } from '../../src/protocol/kit/promptCache.ts';
import { icon } from './icons.ts';
import { t, th } from './strings.ts';
import { ago, timeTag, until } from './time.ts';
import { tokensText } from './tokens.ts';

export function cacheLine({ cache }: { readonly cache?: PromptCache | undefined }): TemplateResult | typeof nothing {
  if (!cache) return nothing;
  const { expiresAt, tokens } = cache;
  const rest = until(expiresAt);
  const time = timeTag(expiresAt, rest ?? ago(expiresAt));
  const said = { time, tokens: tokensText(tokens) };
  return html`<p class="cache-line quiet" data-part="cache" title=${t('cache.hint')}>
    ${icon(rest === undefined ? 'history' : 'watch')}
    <span>${rest === undefined ? th('cache.expired', said) : th('cache.left', said)}</span>
  </p>`;
}
