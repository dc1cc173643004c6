/** Fields of forms: those that are data, and a few with more to them. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Signer } from '../../src/ui/kit/view.ts';
import { byHuman, urgencyWords, visible } from './elements.ts';
import type { FormPage, Missing } from './signing.ts';
import { t, th } from './strings.ts';

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

/** Values of a form by field, as entered. */
export type Values = Readonly<Record<string, string>>;

export interface Option<T extends string = string> {
  readonly value: T;
  readonly label: string;
  readonly more?: string;
}

/**
 * A field as data. Its name is the element's, and the one under which drafts and messages know it. `times` and `ways` are
 * four fields, `name-critical` to `name-low`: numbers, and choices among the options.
 */
export interface FieldDef {
  readonly type:
    'line' | 'code' | 'time' | 'text' | 'lines' | 'select' | 'radios' | 'ticks' | 'number' | 'times' | 'ways';
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly example?: string;
  readonly options?: readonly Option[];
  /** The longest text, the most lines, or the largest number. */
  readonly max?: number;
  readonly least?: number;
  readonly unit?: (n: number) => string;
  /** What is wrong with a number, or with a line. */
  readonly wrong?: string | ((line: string) => string | undefined);
  readonly tooMany?: (n: number, max: number) => string;
  readonly split?: (text: string) => string[];
  /** The value in words, for a list of changes: of a number, or of nothing. */
  readonly words?: (n: number) => string;
  readonly none?: string;
  readonly joined?: string;
  /** Below the hint. */
  readonly more?: unknown;
}

/** What the fields of a form have in common. */
export interface Filled {
  readonly values: Values;
  readonly disabled: boolean;
  readonly edit: (change: Values) => void;
}

export const urgencies = ['critical', 'high', 'medium', 'low'] as const;

const each = (name: string): string[] => urgencies.map((one) => `${name}-${one}`);

function numberOf({ least = 0, max = 0 }: FieldDef, text = ''): number | undefined {
  const value = /^\d{0,4}$/.test(text.trim()) ? Number(text) : NaN;
  return value >= least && value <= max ? value : undefined;
}

export function entriesOf({ split = linesOf }: Pick<FieldDef, 'split'>, text = ''): string[] {
  return split(text);
}

/** What is missing or wrong in a field. */
export function problemOf(def: FieldDef, values: Values): Missing | undefined {
  const { type, name, max = Infinity, wrong, tooMany } = def;
  if (type === 'number' || type === 'times') {
    const field = (type === 'times' ? each(name) : [name]).find((one) => numberOf(def, values[one]) === undefined);
    return field === undefined ? undefined : { field, text: typeof wrong === 'string' ? wrong : '' };
  }
  if (type !== 'lines') return undefined;
  const lines = entriesOf(def, values[name]);
  const text = typeof wrong === 'function' ? lines.map(wrong).find((one) => one !== undefined) : undefined;
  if (text !== undefined) return { field: name, text };
  const n = lines.length;
  return n > max
    ? { field: name, text: tooMany?.(n, max) ?? t('{n} lines; the limit is {max}.', { n, max }) }
    : undefined;
}

/** The same for equal values, however they were typed. */
export function sameText(def: FieldDef, values: Values): string {
  const { type, name } = def;
  if (type === 'number') return String(numberOf(def, values[name]));
  if (type === 'times')
    return each(name)
      .map((one) => String(numberOf(def, values[one])))
      .join();
  if (type === 'ways')
    return each(name)
      .map((one) => values[one])
      .join();
  return type === 'lines' || type === 'ticks' ? entriesOf(def, values[name]).join('\n') : (values[name] ?? '').trim();
}

/** A value in words. */
export function wordsOf(def: FieldDef, values: Values): string {
  const { type, name, options = [], words = String, none = t('none'), joined = ', ' } = def;
  const label = (value = '') => options.find((one) => one.value === value)?.label ?? value;
  const listed = (all: readonly string[]) => (all.length === 0 ? none : all.join(joined));
  if (type === 'number') return words(numberOf(def, values[name]) ?? 0);
  if (type === 'times' || type === 'ways')
    return urgencies
      .map((urgency) => {
        const text = values[`${name}-${urgency}`];
        const time = type === 'ways' ? label(text) : words(numberOf(def, text) ?? 0);
        return t('{urgency}: {time}', { urgency: urgencyWords[urgency], time });
      })
      .join(', ');
  if (type === 'ticks') return listed(entriesOf(def, values[name]).map(label));
  if (type === 'lines') return listed(entriesOf(def, values[name]));
  return label(values[name]).trim();
}

/** Draws a field: its label, its control, what is wrong with it, and a hint. */
export function field(page: FormPage, def: FieldDef, form: Filled): TemplateResult {
  const { type, name, label, hint, options = [], more = nothing } = def;
  const { values, disabled, edit } = form;
  const below = html`${hint === undefined ? nothing : html`<p class="quiet small" id="${name}-hint">${hint}</p>`}
  ${more}`;
  if (type === 'radios')
    return radios({
      ...{ name, legend: label, options, disabled, picked: values[name] },
      pick: (value) => edit({ [name]: value }),
    });
  if (
    type === 'text' ||
    type === 'lines' ||
    type === 'number' ||
    type === 'select' ||
    type === 'line' ||
    type === 'code' ||
    type === 'time'
  )
    return html`<div class="field">
      <label class="field-label" for=${name}>${label}</label>
      ${type === 'number' ? html`<p class="amount">${numberInput(page, name, def, form)}</p>` : control(page, def, form)}
      ${hintFor(page, name)} ${below}
    </div>`;
  const rows =
    type === 'ticks'
      ? options.map((one) => tick(def, one, form))
      : urgencies.map((urgency) => {
          const one = `${name}-${urgency}`;
          return html`<div>
              <label for=${one}>${urgencyWords[urgency]}</label>
              ${type === 'times' ? numberInput(page, one, def, form) : control(page, { ...def, type: 'select', name: one }, form)}
            </div>
            ${hintFor(page, one)}`;
        });
  return html`<fieldset
    class=${type === 'ticks' ? 'field' : 'by-urgency'}
    ?disabled=${disabled}
    aria-describedby=${type === 'ticks' ? `${name}-hint` : nothing}
  >
    <legend class="field-label">${label}</legend>
    ${rows} ${below}
  </fieldset>`;
}

/** Anything that a person types or picks in one element. */
function control(
  page: FormPage,
  { type, name, hint, example, options = [], max }: FieldDef,
  form: Filled,
): TemplateResult {
  const { values, disabled, edit } = form;
  const value = values[name] ?? '';
  const bad = page.hint()?.field === name ? 'true' : nothing;
  const described = hint === undefined ? nothing : `${name}-hint`;
  const typed = ({ currentTarget }: Event) => {
    edit({ [name]: (currentTarget as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement).value });
  };
  if (type === 'select')
    return html`<select
      id=${name}
      class="text"
      data-focus=${name}
      aria-invalid=${bad}
      ?disabled=${disabled}
      @change=${typed}
    >
      ${options.map((one) => html`<option value=${one.value} .selected=${live(value === one.value)}>${one.label}</option>`)}
    </select>`;
  if (type === 'lines' || type === 'text')
    return html`<textarea
      id=${name}
      class="text"
      dir=${type === 'lines' && example !== undefined ? 'ltr' : 'auto'}
      rows="2"
      spellcheck=${example === undefined}
      autocomplete="off"
      autocapitalize=${example === undefined ? nothing : 'off'}
      placeholder=${example ?? nothing}
      data-focus=${name}
      aria-invalid=${bad}
      aria-describedby=${described}
      ?disabled=${disabled}
      .value=${live(value)}
      @input=${typed}
    ></textarea>`;
  return html`<input
    id=${name}
    class="text"
    type=${type === 'time' ? 'datetime-local' : 'text'}
    autocomplete="off"
    spellcheck=${type === 'code' ? 'false' : nothing}
    maxlength=${max ?? nothing}
    data-focus=${name}
    aria-invalid=${bad}
    aria-describedby=${described}
    ?disabled=${disabled}
    .value=${live(value)}
    @input=${typed}
  />`;
}

/** A short field for a whole number, and its unit. */
function numberInput(page: FormPage, name: string, def: FieldDef, { values, disabled, edit }: Filled): TemplateResult {
  return html`<input
      id=${name}
      class="text short"
      inputmode="numeric"
      autocomplete="off"
      maxlength="4"
      data-focus=${name}
      aria-invalid=${page.hint()?.field === name ? 'true' : nothing}
      aria-describedby="${name}-unit ${def.name}-hint"
      ?disabled=${disabled}
      .value=${live(values[name] ?? '')}
      @input=${(event: Event) => {
        edit({ [name]: (event.currentTarget as HTMLInputElement).value });
      }}
    /><span id="${name}-unit">${def.unit?.(numberOf(def, values[name]) ?? 0) ?? nothing}</span>`;
}

/** One of several that can all be on; the field has a line for each. */
function tick(def: FieldDef, { value, label }: Option, { values, edit }: Filled): TemplateResult {
  const on = entriesOf(def, values[def.name]);
  const isOn = on.includes(value);
  const change = () => {
    const all = (def.options ?? []).map((one) => one.value);
    edit({ [def.name]: all.filter((one) => (one === value ? !isOn : on.includes(one))).join('\n') });
  };
  return html`<label class="tick">
    <input type="checkbox" data-focus="${def.name}-${value}" .checked=${live(isOn)} @change=${change} />
    <span>${label}</span>
  </label>`;
}

/** The signer's name, as the settings change it. */
export function nameField(
  page: FormPage,
  {
    value,
    disabled,
    edit,
  }: { readonly value: string; readonly disabled: boolean; readonly edit: (name: string) => void },
): TemplateResult {
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
    <p class="quiet small">${t('Signs your answers; agents see it.')}</p>
  </div>`;
}

/** At the first signature: its name, which git or the system has. */
export function signsAs({ name, editable }: Signer): TemplateResult | typeof nothing {
  if (!editable) return nothing;
  return html`<p class="quiet small" data-part="signs-as">
    ${th('Signed as {name}. You can change your name in the settings.', { name: html`<bdi>${visible(name)}</bdi>` })}
  </p>`;
}

// Radio buttons in rows, each with an explanation.

interface Radios<T extends string> {
  /** The group's id, which prefixes the ids of its elements. */
  readonly name: string;
  readonly legend: string;
  readonly options: readonly Option<T>[];
  readonly picked: string | undefined;
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
          aria-describedby=${more === undefined ? nothing : `${name}-${value}`}
          @click=${byHuman(() => group.pick(value))}
        />
        <span class="choice-body">
          <span class="choice-label">${label}</span>
          ${more === undefined ? nothing : html`<span class="choice-more" id="${name}-${value}">${more}</span>`}
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
