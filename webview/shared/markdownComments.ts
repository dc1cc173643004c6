/** HTML comments in a document: collapsed, but never hidden. Their content is text, never HTML. */
import type MarkdownIt from 'markdown-it';
import { t } from './strings.ts';

/** Elements that only comments produce, since the parser takes no HTML. */
export const commentTags = ['details', 'summary', 'ins'] as const;

type Parser = InstanceType<typeof MarkdownIt>;

/** A comment on its own lines is a block; one within a line is inline. An unclosed comment is plain text. */
export function readComments(parser: Parser): void {
  const { escapeHtml } = parser.utils;
  parser.block.ruler.before(
    'paragraph',
    'comment',
    (state, startLine, endLine, silent) => {
      const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
      if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4 || !state.src.startsWith('<!--', start)) return false;
      const end = state.eMarks[endLine - 1] ?? state.src.length;
      const closed = state.src.slice(0, end).indexOf('-->', start + 4);
      if (closed < 0) return false;
      let last = startLine;
      while ((state.eMarks[last] ?? end) < closed) last++;
      // Text after it makes it part of a line.
      if (state.src.slice(closed + 3, state.eMarks[last]).trim() !== '') return false;
      if (silent) return true;
      const token = state.push('comment_block', '', 0);
      token.content = state.src.slice(start + 4, closed);
      token.map = [startLine, last + 1];
      state.line = last + 1;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
  parser.inline.ruler.before('html_inline', 'comment', (state, silent) => {
    if (!state.src.startsWith('<!--', state.pos)) return false;
    const closed = state.src.indexOf('-->', state.pos + 4);
    if (closed < 0) return false;
    if (!silent) state.push('comment_inline', '', 0).content = state.src.slice(state.pos + 4, closed);
    state.pos = closed + 3;
    return true;
  });
  parser.renderer.rules['comment_block'] = (tokens, index) =>
    `<details><summary></summary><pre>${escapeHtml(bare(tokens[index]?.content))}</pre></details>\n`;
  parser.renderer.rules['comment_inline'] = (tokens, index) => `<ins>${escapeHtml(bare(tokens[index]?.content))}</ins>`;
}

/** Removes the additional dashes at the start and end of some comments. */
function bare(content = ''): string {
  return content.replace(/^-+|-+$/g, '').trim();
}

/** Adds labels and behaviour to the parsed comments. */
export function foldComments(fragment: DocumentFragment): void {
  for (const details of fragment.querySelectorAll('details')) {
    details.className = 'comment';
    const said = details.querySelector('pre')?.textContent ?? '';
    const summary = details.querySelector('summary');
    if (summary) summary.textContent = t('Comment: {start}', { start: started(said) });
  }
  for (const inline of fragment.querySelectorAll('ins')) inline.replaceWith(...inlineComment(inline.textContent));
}

function started(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

function inlineComment(said: string): Element[] {
  const button = document.createElement('button');
  button.type = 'button';
  button.classList.add('link', 'comment-mark');
  button.textContent = t('Comment');
  button.setAttribute('aria-expanded', 'false');
  const text = document.createElement('span');
  text.className = 'comment-text';
  text.hidden = true;
  text.textContent = said;
  button.addEventListener('click', () => {
    text.hidden = !text.hidden;
    button.setAttribute('aria-expanded', String(!text.hidden));
  });
  return [button, text];
}
