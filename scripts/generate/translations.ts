/** Compares translations with the English texts: missing ones, stale ones, and wrong placeholders. */
import type { Message } from './words.ts';

export type English = Readonly<Record<string, string | Message>>;
export type Translation = Readonly<Record<string, string>>;

/** Languages that ship, besides English. */
export const languages = ['de'] as const;

/** English texts without a translation. */
export function missingFrom(english: English, translation: Translation): string[] {
  return Object.keys(english).filter((key) => (translation[key] ?? '').trim() === '');
}

/** Translations of removed texts. */
export function staleIn(english: English, translation: Translation): string[] {
  return Object.keys(translation).filter((key) => !(key in english));
}

/** Translations whose placeholders, icons, links or code differ from the English text. */
export function brokenIn(english: English, translation: Translation): string[] {
  return Object.entries(translation).flatMap(([key, text]) => {
    const source = english[key];
    if (source === undefined) return [];
    const message = typeof source === 'string' ? source : source.message;
    return fixedParts(message).join() === fixedParts(text).join() ? [] : [`${key}: ${text}`];
  });
}

/** The translation without stale texts, in the order of the English texts. */
export function pruned(english: English, translation: Translation): Translation {
  return Object.fromEntries(
    Object.keys(english).flatMap((key) => (translation[key] === undefined ? [] : [[key, translation[key]]])),
  );
}

/** The parts that every language keeps: `{0}`, `{name}`, `$(icon)`, link targets, `code`. */
function fixedParts(text: string): string[] {
  return [...text.matchAll(/\{\w+\}|\$\([\w~-]+\)|\]\([^)]+\)|`[^`]+`/g)].map(([part]) => part).sort();
}
