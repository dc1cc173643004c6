/**
 * The texts of a webview: its first snapshot has them, translated (see src/protocol/strings/strings.ts). `{name}`
 * marks a place; keys that count end in `.one` and `.other`.
 */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { visibleText } from '../../src/core/kit/visible.ts';
import type { StringKey } from '../../src/protocol/strings/strings.ts';

export type Key = StringKey;
type CountedKey = Key extends infer K ? (K extends `${infer Base}.other` ? Base : never) : never;
type Values = Record<string, string | number>;

let words: Readonly<Record<string, string>> = {};
let language = 'en';
let plural = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');

/** Called with every snapshot; without texts, those of an earlier one stay. */
export function setLanguage(tag: string, strings?: Readonly<Record<string, string>>): void {
  words = strings ?? words;
  if (tag === language) return;
  language = isLanguage(tag) ? tag : 'en';
  plural = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(language);
}

/** The browser may not know the host's language tag. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

export function locale(): string {
  return language;
}

export function t(key: Key, values: Values = {}): string {
  return pattern(key).replace(/\{(\w+)\}/g, (whole, name: string) => written(values[name] ?? whole));
}

function written(value: string | number): string {
  return typeof value === 'number' ? shownNumber(value) : value;
}

/** 10,000 in English, 10.000 in Dutch. */
export function shownNumber(value: number): string {
  return numbers.format(value);
}

/** Whether a composed key has a text. */
export function has(key: string): key is Key {
  return Object.hasOwn(words, key);
}

/** A string that counts `n` things. */
export function tn(base: CountedKey, n: number, values: Values = {}): string {
  const key = `${base}.${plural.select(n) === 'one' ? 'one' : 'other'}` as Key;
  return t(key, { n, ...values });
}

/** The same with templates as values (highlighted names, times with tooltips). */
export function th(key: Key, values: Record<string, unknown>): TemplateResult {
  const parts = pattern(key).split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? '')))}`;
}

/** A composed key without a text shows its value, like any text from outside. */
function pattern(key: Key): string {
  return words[key] ?? visibleText(key);
}
