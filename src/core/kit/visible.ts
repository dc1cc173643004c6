/**
 * Characters that change what a reader sees without being seen: bidirectional controls, zero-width and other ignorable
 * code points, control characters, tag characters; and floods of combining marks that cover their neighbours. Whatever
 * shows a human text that somebody else wrote (webviews, tree, notifications, terminal, mirrors, prompts) shows each as
 * its code point, so that what a human approves is what is there. The one such function of the project; it imports
 * nothing, because webviews carry it too.
 */

/** No script puts as many marks on one letter; what comes after them is told, not drawn. */
const marksAtMost = 6;
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2028\u2029\u2800]/u;
/** The marks of a flood come first: some of them are ignorable too, and one code stands for all. */
const everyHidden = new RegExp(`(?<=\\p{M}{${String(marksAtMost)}})\\p{M}+|${hidden.source}`, 'gu');
const suspect = new RegExp(`\\p{M}{${String(marksAtMost + 1)}}|${hidden.source}`, 'u');

/** Joiners are spelling in scripts that join letters, and build emoji: there they stay. */
const joined =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]/u;
const emoji = /\p{Extended_Pictographic}/u;
const emojiSoFar = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?$/u;

export interface Piece {
  readonly text: string;
  /** Set for one that would not be seen: U+202E. */
  readonly code?: string;
}

/** Splits a text into what is seen and what would not be. */
export function pieces(text: string): Piece[] {
  if (!suspect.test(text)) return [{ text }];
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

/** Whether anything in a text would not be seen as it is. */
export function hidesSomething(text: string): boolean {
  return pieces(text).some(({ code }) => code !== undefined);
}

/** The text with each hidden character as its code: `[U+202E]`. Line breaks and tabs stay. */
export function visibleText(text: string): string {
  return pieces(text)
    .map((part) => (part.code === undefined ? part.text : `[${part.code}]`))
    .join('');
}

/** JSON on one line, with the same value as ever: what would not be seen in it is written as JSON's own escapes. */
export function visibleJson(value: unknown): string {
  return pieces(JSON.stringify(value))
    .map(({ text, code }) => (code === undefined ? text : escaped(text)))
    .join('');
}

function escaped(text: string): string {
  return text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One code, and how many marks it stands for where it is a flood of them. */
function codeOf(found: string): string {
  const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const count = Array.from(found).length;
  return count === 1 ? code : `${code} ×${String(count)}`;
}

function isHarmless(character: string, text: string, index: number): boolean {
  if (character === '\n' || character === '\t') return true;
  // By itself it takes a terminal back to the start of the line, over what was said there.
  if (character === '\r') return text[index + 1] === '\n';
  const before = lastOf(text.slice(0, index));
  const after = firstOf(text.slice(index + character.length));
  if (character === '\u200C') return joined.test(before) && joined.test(after);
  if (character === '\u200D')
    return (
      (joined.test(before) && joined.test(after)) ||
      (emojiSoFar.test(text.slice(Math.max(0, index - 4), index)) && emoji.test(after))
    );
  if (character === '\uFE0F' || character === '\uFE0E') return /[\p{Emoji}]/u.test(before);
  return false;
}

function lastOf(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? '';
}

function firstOf(text: string): string {
  return Array.from(text.slice(0, 2))[0] ?? '';
}
