/**
 * Characters that change what a reader sees without being seen: bidirectional controls, zero-width and other ignorable
 * code points, control characters, tag characters. Text from agents shows each as its code point, so that what a human
 * approves is what is there.
 */
import { html } from 'lit';
import type { TemplateResult } from 'lit';

const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2028\u2029\u2800]/u;
const everyHidden = new RegExp(hidden.source, 'gu');

/** Joiners are spelling in scripts that join letters, and build emoji: there they stay. */
const joined =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]/u;
const emoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;

export interface Piece {
  readonly text: string;
  /** Set for one that would not be seen: U+202E. */
  readonly code?: string;
}

/** Splits a text into what is seen and what would not be. */
export function pieces(text: string): Piece[] {
  if (!hidden.test(text)) return [{ text }];
  const result: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(everyHidden)) {
    if (isHarmless(match[0], text, match.index)) continue;
    if (match.index > from) result.push({ text: text.slice(from, match.index) });
    result.push({ text: match[0], code: codeOf(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) result.push({ text: text.slice(from) });
  return result;
}

/** As a template: hidden characters become small marks. */
export function visible(text: string): string | TemplateResult {
  const parts = pieces(text);
  if (parts.every((part) => part.code === undefined)) return text;
  return html`${parts.map((part) => (part.code === undefined ? part.text : html`<span class="unseen">${part.code}</span>`))}`;
}

/** As plain text, for tooltips and labels. */
export function visibleText(text: string): string {
  return pieces(text)
    .map((part) => (part.code === undefined ? part.text : `[${part.code}]`))
    .join('');
}

/** In a tree of nodes, in place. */
export function markHidden(root: Node, document: Document): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && hidden.test(node.data)) found.push(node);
  }
  for (const node of found) {
    const parts = pieces(node.data);
    if (parts.every((part) => part.code === undefined)) continue;
    node.replaceWith(
      ...parts.map((part) => {
        if (part.code === undefined) return part.text;
        const mark = document.createElement('span');
        mark.className = 'unseen';
        mark.textContent = part.code;
        return mark;
      }),
    );
  }
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function isHarmless(character: string, text: string, index: number): boolean {
  if (character === '\n' || character === '\r' || character === '\t') return true;
  const before = lastOf(text.slice(0, index));
  const after = firstOf(text.slice(index + character.length));
  if (character === '\u200C') return joined.test(before) && joined.test(after);
  if (character === '\u200D')
    return (joined.test(before) && joined.test(after)) || (emoji.test(before) && emoji.test(after));
  if (character === '\uFE0F' || character === '\uFE0E') return /[\p{Emoji}]/u.test(before);
  return false;
}

function lastOf(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? '';
}

function firstOf(text: string): string {
  return Array.from(text.slice(0, 2))[0] ?? '';
}
