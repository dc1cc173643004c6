/**
 * The texts of a webview: English where they are used, translated by what the page's HTML has for its language (see
 * src/ui/kit/pageTexts.ts). `{name}` marks a place. Messages are literals, so that translators get them.
 */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';

type Values = Readonly<Record<string, string | number>>;

// Tests of single modules run without a page.
const page = typeof document === 'undefined' ? undefined : document;
const language = knownLocale(page?.documentElement.lang);
const plural = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);
const contents = page?.getElementById('texts')?.textContent;
if (contents) l10n.config({ contents });

/** The browser may not know the host's language tag. */
function knownLocale(tag = 'en'): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

export function locale(): string {
  return language;
}

export function t(message: string, values: Values = {}): string {
  return l10n.t(message, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, formatValue(value)])));
}

export function formatValue<T>(value: T): T | string {
  return typeof value === 'number' ? shownNumber(value) : value;
}

/** 10,000 in English, 10.000 in Dutch. */
export function shownNumber(value: number): string {
  return numbers.format(value);
}

/** A text that counts `n` things. */
export function tn(n: number, one: string, other: string, values: Values = {}): string {
  return t(plural.select(n) === 'one' ? one : other, { n, ...values });
}

/** Translates with templates as values (highlighted names, times with tooltips). */
export function th(message: string, values: Readonly<Record<string, unknown>>): TemplateResult {
  return fill(l10n.t(message), values);
}

/** For a table of texts, which `t` has translated without values. */
export function fill(text: string, values: Readonly<Record<string, unknown>>): TemplateResult {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : formatValue(values[part] ?? '')))}`;
}
