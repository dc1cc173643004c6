/** Where a remote window signs, and how to sign on one's own machine. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { SetupView } from '../../src/protocol/hosts/setup.ts';
import { icon } from '../shared/icons.ts';
import type { IconName } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';

type Signing = NonNullable<SetupView['signing']>;

export function signingPart(signing: Signing): TemplateResult {
  const { side, text, steps } = signing;
  const look = lookOf(signing);
  return html`<section class="host" data-signing=${side} aria-labelledby="signing">
    <h2 id="signing">
      ${t('setup.key')}
      <span class="verdict ${look.tone}"
        >${icon(look.icon)}<span>${t(side === 'theirs' ? 'setup.keyTheirs' : 'setup.keyHere')}</span></span
      >
    </h2>
    <p class="about">${visible(text)}</p>
    ${
      steps.length === 0
        ? nothing
        : html`<h3>${t('setup.keySteps')}</h3>
            <ol class="steps">
              ${steps.map((step) => html`<li>${visible(step)}</li>`)}
            </ol>`
    }
  </section>`;
}

function lookOf({ side, declined }: Signing): { icon: IconName; tone: string } {
  if (side === 'theirs') return { icon: 'pass', tone: '' };
  return declined === true ? { icon: 'circle-outline', tone: 'quiet' } : { icon: 'warning', tone: 'warning' };
}
