/** A field of the policy with one entry per line. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { hintFor } from '../shared/fields.ts';
import type { FormPage } from '../shared/signing.ts';

export interface LinesField {
  /** Its element, and the field that a hint is about. */
  readonly name: string;
  readonly label: string;
  readonly example: string;
  readonly hint: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly edit: (text: string) => void;
  /** Below the hint. */
  readonly more?: TemplateResult | typeof nothing;
}

export function linesField(page: FormPage, field: LinesField): TemplateResult {
  const { name, label, example, hint, value, disabled, edit, more = nothing } = field;
  return html`<div class="policy-field">
    <label class="field-label" for=${name}>${label}</label>
    <textarea
      id=${name}
      class="text"
      dir="ltr"
      rows="2"
      spellcheck="false"
      autocomplete="off"
      autocapitalize="off"
      placeholder=${example}
      data-focus=${name}
      aria-invalid=${page.hint()?.field === name ? 'true' : nothing}
      aria-describedby="${name}-hint"
      ?disabled=${disabled}
      .value=${live(value)}
      @input=${(event: Event) => {
        edit((event.currentTarget as HTMLTextAreaElement).value);
      }}
    ></textarea>
    ${hintFor(page, name)}
    <p class="quiet small" id="${name}-hint">${hint}</p>
    ${more}
  </div>`;
}
