/** Fields of forms: those that are data, and a few with more to them. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FieldDef, Option, Values, Signer } from '../../src/ui/kit/view.ts';
import { button, byHuman, urgencyWords, visible, visibleText } from './elements.ts';
import type { FormPage, Missing } from './signing.ts';
import { shownNumber, t, th } from './strings.ts';

export type { FieldDef, Option, Values };

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

/** The validation message next to its field, which refers to it. */
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
  readonly name?: string;
}

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

/** The rows of a field, without empty ones. */
export function rowsOf(text = '[]'): Values[] {
  const all = JSON.parse(text) as Values[];
  return all.filter((row) => Object.values(row).some((one) => one.trim() !== ''));
}

export function fieldsFor(fields: readonly FieldDef[], values: Values): FieldDef[] {
  return fields.filter(({ when }) => when === undefined || values[when[0]] === when[1]);
}

const cell = (name: string, row: number, column: string) => `${name}-${String(row)}-${column}`;

export function problemOf(def: FieldDef, values: Values): Missing | undefined {
  const { type, name, max = Infinity, least = 0, longest = Infinity, pattern, wrong = '' } = def;
  const value = values[name] ?? '';
  const at = (field: string, text = wrong) => ({ field, text });
  const said = (line: string) =>
    wrong.replace('{text}', visibleText(line.length > 100 ? `${line.slice(0, 40)}…` : line));
  switch (type) {
    case 'number':
    case 'times': {
      const field = (type === 'times' ? each(name) : [name]).find((one) => numberOf(def, values[one]) === undefined);
      return field === undefined ? undefined : at(field);
    }
    case 'lines': {
      const lines = linesOf(value);
      const long = lines.find((line) => line.length > longest);
      if (long !== undefined) return at(name, overBy(long.length, longest));
      return lines.length > max ? at(name, t('{n} lines; the limit is {max}.', { n: lines.length, max })) : undefined;
    }
    case 'rows': {
      const rows = rowsOf(value);
      if (rows.length > max) return at(`${name}-add`, t('{n} rows; the limit is {max}.', { n: rows.length, max }));
      for (const [index, row] of rows.entries())
        for (const column of fieldsFor(def.columns ?? [], row)) {
          const found = problemOf(column, row);
          if (found) return at(cell(name, index, column.name), found.text);
        }
      return undefined;
    }
    case 'ticks':
      return linesOf(value).length < least ? at(name) : undefined;
    case 'line':
    case 'select':
      if (value.trim().length < least) return at(name);
      return pattern !== undefined && !new RegExp(pattern).test(value.trim()) ? at(name, said(value)) : undefined;
    default:
      return undefined;
  }
}

/** How much too long a text is. */
export function overBy(n: number, max: number): string {
  return t('{n} of {max}: shorten it by {over}.', { n, max, over: n - max });
}

/** A text that is equal for equal values, however they were typed. */
export function sameText(def: FieldDef, values: Values): string {
  const { type, name } = def;
  if (type === 'times' || type === 'ways')
    return each(name)
      .map((one) => (type === 'times' ? String(numberOf(def, values[one])) : values[one]))
      .join();
  if (type === 'number') return String(numberOf(def, values[name]));
  if (type === 'rows') return JSON.stringify(rowsOf(values[name]));
  return type === 'lines' || type === 'ticks' ? linesOf(values[name] ?? '').join('\n') : (values[name] ?? '').trim();
}

/** A value in words: one text, or one for each urgency, line or row. */
export function wordsOf(def: FieldDef, values: Values): string[] {
  const { type, name, options = [], columns = [], words = '{n}', none = t('none') } = def;
  const label = (value = '') => options.find((one) => one.value === value)?.label ?? value;
  const counted = (text: string | undefined) => {
    const n = numberOf(def, text) ?? 0;
    return n === 0 && def.none !== undefined ? none : words.replace('{n}', shownNumber(n));
  };
  const listed = (all: readonly string[]) => (all.length === 0 ? [none] : [...all]);
  const value = values[name] ?? '';
  switch (type) {
    case 'number':
      return [counted(value)];
    case 'times':
    case 'ways':
      return urgencies.map((urgency) => {
        const text = values[`${name}-${urgency}`];
        const time = type === 'ways' ? label(text) : counted(text);
        return t('{urgency}: {time}', { urgency: urgencyWords[urgency], time });
      });
    case 'ticks':
    case 'lines':
      return listed(linesOf(value).map(label));
    case 'rows':
      return listed(
        rowsOf(value).map((row) => {
          const shown = fieldsFor(columns, row);
          const [first, ...more] = shown.map((one) => {
            const text = wordsOf(one, row).join(', ');
            return shown.length === 1 ? text : t('{name}: {value}', { name: one.label, value: text });
          });
          return [first, ...more].join(' · ');
        }),
      );
    default:
      return [value.trim() === '' && def.none !== undefined ? none : label(value).trim()];
  }
}

/**
 * Draws a field: its label, its control, what is wrong with it, and a hint.
 * @param more below the hint
 */
export function field(page: FormPage, def: FieldDef, form: Filled, more: unknown = nothing): TemplateResult {
  const { type, name, label, hint, options = [] } = def;
  const { values, disabled, edit } = form;
  const below = html`${hint === undefined ? nothing : html`<p class="quiet small" id="${name}-hint">${hint}</p>`}
  ${more}`;
  if (type === 'rows') return rowsField(page, def, form, more);
  if (type === 'radios')
    return html`${radios({
      ...{ name, legend: label, options, disabled, picked: values[name] },
      pick: (value) => edit({ [name]: value }),
    })}${below}`;
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
    ${rows} ${type === 'ticks' ? hintFor(page, name) : nothing} ${below}
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
    placeholder=${example ?? nothing}
    data-focus=${name}
    aria-invalid=${bad}
    aria-describedby=${described}
    ?disabled=${disabled}
    .value=${live(value)}
    @input=${typed}
  />`;
}

/** A list of rows, each with the same controls; rows are added and removed by buttons. */
function rowsField(page: FormPage, def: FieldDef, { values, disabled, edit }: Filled, more: unknown): TemplateResult {
  const { name, label, hint, columns = [] } = def;
  const rows = JSON.parse(values[name] ?? '[]') as Values[];
  const change = (all: readonly Values[], focus?: string) => {
    edit({ [name]: JSON.stringify(all) });
    if (focus === undefined) return;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-focus="${focus}"]`)?.focus());
  };
  const first = (column: FieldDef) => (column.type === 'select' ? (column.options?.[0]?.value ?? '') : '');
  const add = () => {
    const [start] = columns;
    const row = Object.fromEntries(columns.map((one) => [one.name, one.type === 'number' ? '1' : first(one)]));
    const at = cell(name, rows.length, start?.name ?? '');
    change([...rows, row], start?.type === 'ticks' ? `${at}-${start.options?.[0]?.value ?? ''}` : at);
  };
  const row = (one: Values, index: number) => {
    return html`<li class="row">
      ${fieldsFor(columns, one).map((column) => {
        const at = cell(name, index, column.name);
        const { hint: _, ...drawn } = { ...column, name: at };
        return field(page, drawn, {
          ...{ values: { [at]: one[column.name] ?? '' }, disabled },
          edit: (given) => change(rows.with(index, { ...one, [column.name]: given[at] ?? '' })),
        });
      })}
      ${button(t('Remove'), () => change(rows.toSpliced(index, 1), `${name}-add`), { act: `remove-${name}`, label: t('Remove {n} of {name}', { n: index + 1, name: label }), disabled })}
    </li>`;
  };
  return html`<fieldset class="field row-list" ?disabled=${disabled} aria-describedby="${name}-hint">
    <legend class="field-label">${label}</legend>
    ${hint === undefined ? nothing : html`<p class="quiet small" id="${name}-hint">${hint}</p>`}
    <ul>
      ${rows.map(row)}
    </ul>
    <div class="actions">
      ${button(t('Add'), add, { act: `add-${name}`, focus: `${name}-add`, label: t('Add to {name}', { name: label }), disabled })}
    </div>
    ${hintFor(page, `${name}-add`)} ${more}
  </fieldset>`;
}

/** A short field for a whole number, and its unit. */
function numberInput(page: FormPage, name: string, def: FieldDef, { values, disabled, edit }: Filled): TemplateResult {
  return html`<input
      id=${name}
      class="text short"
      inputmode="numeric"
      autocomplete="off"
      maxlength="4"
      placeholder=${def.none ?? nothing}
      data-focus=${name}
      aria-invalid=${page.hint()?.field === name ? 'true' : nothing}
      aria-describedby="${name}-unit ${def.name}-hint"
      ?disabled=${disabled}
      .value=${live(values[name] ?? '')}
      @input=${(event: Event) => {
        edit({ [name]: (event.currentTarget as HTMLInputElement).value });
      }}
    /><span id="${name}-unit"
      >${def.unit ? def.unit[(numberOf(def, values[name]) ?? 0) === 1 ? 0 : 1] : nothing}</span
    >`;
}

/** One of several that can all be on; the field has a line for each. */
function tick(def: FieldDef, { value, label }: Option, { values, edit }: Filled): TemplateResult {
  const on = linesOf(values[def.name] ?? '');
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

/** At the first signature: its name, which git or the system has. */
export function signsAs({ name, editable }: Signer): TemplateResult | typeof nothing {
  if (!editable || name === '') return nothing;
  return html`<p class="quiet small" data-part="signs-as">
    ${th('Signed as {name}. You can change your name in “You and your devices”.', { name: html`<bdi>${visible(name)}</bdi>` })}
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

export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}
