/** Decisions that take several people: what is needed, and who has signed what so far. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { People } from '../../src/ui/kit/view.ts';
import { link } from './buttons.ts';
import { icon } from './icons.ts';
import { t } from './strings.ts';
import { visible } from './visible.ts';

type Fill = NonNullable<People['proposals'][number]['fill']>;

/** @param fill fills the form with what the others signed; undefined where nothing can be decided now */
export function peopleLines(
  people: People | undefined,
  fill: ((what: Fill) => void) | undefined,
): TemplateResult | typeof nothing {
  if (!people) return nothing;
  return html`<section class="people" data-part="people" aria-label=${t('People who must decide')}>
    <p class="people-needs">
      ${icon('organization')}<span><bdi>${visible(people.needs)}</bdi></span>
    </p>
    ${
      people.proposals.length === 0
        ? nothing
        : html`<ul class="people-signed">
            ${people.proposals.map(
              ({ text, mine, fill: what }) =>
                html`<li>
                  <bdi>${visible(text)}</bdi>
                  ${mine ? html`<span class="quiet">${t('(you)')}</span>` : nothing}
                  ${
                    mine || what === undefined || fill === undefined
                      ? nothing
                      : link(t('Use this answer'), () => fill(what), { act: 'sign-same' })
                  }
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}
