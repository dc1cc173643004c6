/** Radio buttons in rows, each with an explanation. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { byHuman } from './trusted.ts';

export interface Radios<T extends string> {
  /** The group's id, which prefixes the ids of its elements. */
  readonly name: string;
  readonly legend: string;
  readonly options: readonly { readonly value: T; readonly label: string; readonly more: string }[];
  readonly picked: T | undefined;
  readonly disabled: boolean;
  readonly pick: (value: T) => void;
  /** The group's name for moving focus to it. */
  readonly focus?: string;
}

export function radios<T extends string>(group: Radios<T>): TemplateResult {
  const { name, legend, options, disabled, focus } = group;
  return html`<fieldset
    class="choices"
    ?disabled=${disabled}
    data-focus=${focus ?? nothing}
    tabindex=${focus === undefined ? nothing : '-1'}
  >
    <legend class="field-label">${legend}</legend>
    ${options.map(({ value, label, more }) => {
      const picked = group.picked === value;
      return html`<label class="choice ${picked ? 'picked' : ''}">
        <input
          type="radio"
          name=${name}
          value=${value}
          .checked=${live(picked)}
          aria-describedby="${name}-${value}"
          @click=${byHuman(() => group.pick(value))}
        />
        <span class="choice-body">
          <span class="choice-label">${label}</span>
          <span class="choice-more" id="${name}-${value}">${more}</span>
        </span>
      </label>`;
    })}
  </fieldset>`;
}
