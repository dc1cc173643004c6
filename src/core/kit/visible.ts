/**
 * Hidden characters: those that change what a reader sees without being visible themselves. Bidirectional controls,
 * zero-width and other ignorable code points, control characters, tag characters, and floods of combining marks that
 * cover their neighbours. Text by others is shown to humans (webviews, tree, notifications, terminal, mirrors, prompts)
 * with each as its code point, so that a human approves what is really there. The only such function of the project. It
 * has no imports, because webviews bundle it too.
 */

/** No script puts more marks on one letter; further ones are shown as a code. */
const marksAtMost = 6;
/** What is not hidden, and most text is. */
const plain = /^[\t\n -~]*$/;

/** Made when they are first needed: gates start often, and these take 2 ms. */
let found: ReturnType<typeof makePatterns> | undefined;
function patterns() {
  return (found ??= makePatterns());
}

function makePatterns() {
  const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2028\u2029\u2800]/u.source;
  return {
    /** The flood alternative comes first: some marks are also ignorable, and one code must stand for all. */
    everyHidden: new RegExp(`(?<=\\p{M}{${String(marksAtMost)}})\\p{M}+|${hidden}`, 'gu'),
    suspect: new RegExp(`\\p{M}{${String(marksAtMost + 1)}}|${hidden}`, 'u'),
    /** Joiners are part of the spelling in joining scripts and emoji; they stay. */
    joined:
      /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]/u,
    emoji: /\p{Extended_Pictographic}/u,
    emojiSoFar: /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?$/u,
  };
}

/**
 * A text as a reader takes it in: without hidden characters, and in one form of letters that look alike. Texts of which
 * this is equal are one text; where it is empty, there is nothing to read.
 */
export function seenText(text: string): string {
  if (plain.test(text)) return text.trim().replace(/\s+/g, ' ');
  const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]/gu;
  return text.normalize('NFKC').replace(/\s+/gu, ' ').replace(hidden, '').trim().replace(/ +/g, ' ');
}

interface Piece {
  readonly text: string;
  /** The code of a hidden character: U+202E. */
  readonly code?: string;
}

export function pieces(text: string): Piece[] {
  if (plain.test(text)) return [{ text }];
  const { suspect, everyHidden } = patterns();
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

export function hidesSomething(text: string): boolean {
  return pieces(text).some(({ code }) => code !== undefined);
}

/** The text with each hidden character as its code: `[U+202E]`. Keeps line breaks and tabs. */
export function visibleText(text: string): string {
  return pieces(text)
    .map((part) => (part.code === undefined ? part.text : `[${part.code}]`))
    .join('');
}

/** JSON on one line with the same value; hidden characters are written as JSON escapes. */
export function visibleJson(value: unknown): string {
  return pieces(JSON.stringify(value))
    .map(({ text, code }) => (code === undefined ? text : escapeCharacter(text)))
    .join('');
}

function escapeCharacter(text: string): string {
  return text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The code, and for a flood the number of marks. */
function codeOf(found: string): string {
  const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const count = Array.from(found).length;
  return count === 1 ? code : `${code} ×${String(count)}`;
}

function isHarmless(character: string, text: string, index: number): boolean {
  if (character === '\n' || character === '\t') return true;
  // A lone carriage return would let a terminal overwrite the line.
  if (character === '\r') return text[index + 1] === '\n';
  const { joined, emoji, emojiSoFar } = patterns();
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
