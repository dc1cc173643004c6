/** Text fields of the forms. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Signer } from '../../src/ui/kit/view.ts';
import { byHuman } from './elements.ts';
import type { FormPage } from './signing.ts';
import { t } from './strings.ts';

/** The length of a text, shown only when it approaches the limit. */
function count(length: number, max: number): TemplateResult | typeof nothing {
  if (length < max * 0.8) return nothing;
  const over = length - max;
  return over > 0
    ? html`<p class="count error" role="alert">
        ${t('{n} of {max}: shorten it by {over}.', { n: length, max, over })}
      </p>`
    : html`<p class="count">${t('{n} of {max}', { n: length, max })}</p>`;
}

/** The validation message beside its field, which refers to it. */
export function hintFor(page: FormPage, field: string): TemplateResult | typeof nothing {
  const hint = page.hint();
  return hint?.field === field ? html`<p class="hint error" id="hint-${field}" role="alert">${hint.text}</p>` : nothing;
}

interface TextBox {
  readonly label: string;
  readonly value: string;
  readonly max: number;
  readonly disabled: boolean;
  /** Instead of a visible label. */
  readonly placeholder?: string;
  /** Receives the typed text. */
  readonly edit: (text: string) => void;
  /** The field's name, if a page has several. */
  readonly name?: string;
}

/** Grows with its text. */
export function textBox(
  page: FormPage,
  { label, value, max, disabled, placeholder, edit, name = 'text' }: TextBox,
): TemplateResult {
  const bad = page.hint()?.field === name;
  return html`
    <label class=${placeholder === undefined ? 'field-label' : 'sr-only'} for=${name}>${label}</label>
    <textarea
      id=${name}
      class="text"
      dir="auto"
      rows="2"
      spellcheck="true"
      data-focus=${name}
      placeholder=${placeholder ?? nothing}
      aria-invalid=${bad ? 'true' : nothing}
      aria-describedby="under-${name}"
      ?disabled=${disabled}
      .value=${live(value)}
      @input=${(event: Event) => {
        edit((event.currentTarget as HTMLTextAreaElement).value);
      }}
    ></textarea>
    <div class="under-text" id="under-${name}">
      ${value.trim().length > max ? nothing : hintFor(page, name)}${count(value.trim().length, max)}
    </div>
  `;
}

/** A field with its label above and its validation message below. */
interface Field {
  /** The field's name, which drafts and hints share. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly edit: (value: string) => void;
  /** The class of the surrounding element. */
  readonly kind: 'appoint-field' | 'policy-field' | 'until';
}

interface InputField extends Field {
  /** A hint. */
  readonly hint?: string | undefined;
  /** For ids: turns off the spelling checker. */
  readonly isCode?: boolean;
  readonly maxLength?: number;
}

/** One line. */
export function inputField(
  page: FormPage,
  { name, label, value, disabled, edit, kind, hint, isCode = false, maxLength }: InputField,
): TemplateResult {
  return html`<div class=${kind}>
    <label class="field-label" for=${name}>${label}</label>
    <input
      id=${name}
      class="text"
      type=${kind === 'until' ? 'datetime-local' : 'text'}
      autocomplete="off"
      spellcheck=${isCode ? 'false' : nothing}
      maxlength=${maxLength ?? nothing}
      data-focus=${name}
      aria-invalid=${page.hint()?.field === name ? 'true' : nothing}
      aria-describedby=${hint === undefined ? nothing : `${name}-more`}
      ?disabled=${disabled}
      .value=${live(value)}
      @input=${(event: Event) => {
        edit((event.currentTarget as HTMLInputElement).value);
      }}
    />
    ${hintFor(page, name)} ${hint === undefined ? nothing : html`<p class="quiet small" id="${name}-more">${hint}</p>`}
  </div>`;
}

/** A drop-down list. */
export function selectField(
  page: FormPage,
  { name, label, value, disabled, edit, kind }: Field,
  options: readonly { readonly value: string; readonly text: string }[],
): TemplateResult {
  return html`<div class=${kind}>
    <label class="field-label" for=${name}>${label}</label>
    <select
      id=${name}
      class="text heir"
      data-focus=${name}
      aria-invalid=${page.hint()?.field === name ? 'true' : nothing}
      ?disabled=${disabled}
      @change=${(event: Event) => {
        edit((event.target as HTMLSelectElement).value);
      }}
    >
      ${options.map((one) => html`<option value=${one.value} .selected=${live(value === one.value)}>${one.text}</option>`)}
    </select>
    ${hintFor(page, name)}
  </div>`;
}

/**
 * The signer's name: at first use, and where it can be changed.
 * @param typed the form's own value, if the page does not keep it
 */
export function nameField(
  page: FormPage,
  { name, remote = false }: Pick<Signer, 'name' | 'remote'>,
  disabled: boolean,
  typed?: { readonly value: string; readonly edit: (name: string) => void },
): TemplateResult {
  const { value, edit } = typed ?? { value: page.nameFor(name), edit: page.setName };
  return html`<div class="name-field">
    <vscode-text-field
      class="wide"
      data-focus="name"
      .value=${value}
      ?disabled=${disabled}
      @input=${(event: Event) => {
        edit((event.currentTarget as HTMLInputElement).value);
      }}
      ><span class="field-label">${t('Your name')}</span></vscode-text-field
    >
    ${hintFor(page, 'name')}
    <p class="quiet small">
      ${remote ? t('Signs your answers; agents see it. Your key is on the remote machine, where agents run.') : t('Signs your answers; agents see it.')}
    </p>
  </div>`;
}

interface NumberInput {
  readonly name: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly edit: (value: string) => void;
  /** The element that describes it, if several fields share one. */
  readonly hint?: string;
}

/** A short field for a whole number; its unit is the element `<name>-unit`. */
export function numberInput(
  page: FormPage,
  { name, value, disabled, edit, hint = `${name}-hint` }: NumberInput,
): TemplateResult {
  return html`<input
    id=${name}
    class="text short"
    inputmode="numeric"
    autocomplete="off"
    maxlength="4"
    data-focus=${name}
    aria-invalid=${page.hint()?.field === name ? 'true' : nothing}
    aria-describedby="${name}-unit ${hint}"
    ?disabled=${disabled}
    .value=${live(value)}
    @input=${(event: Event) => {
      edit((event.currentTarget as HTMLInputElement).value);
    }}
  />`;
}

// Radio buttons in rows, each with an explanation.

interface Radios<T extends string> {
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

/** The lines of a text that say something. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}
