/**
 * Markdown from agents, made safe in three steps: markdown-it passes no HTML through, DOMPurify keeps only a short list
 * of elements, and links are rebuilt here from an allow-list of schemes. Images are not loaded: those of the workspace
 * appear when a person requests them from the host.
 */
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { languageOf, watchCode } from './codeBlocks.ts';
import { markHidden, visibleText } from './elements.ts';
import type { OpensFiles } from './signing.ts';
import { t } from './strings.ts';

// Images of the workspace in a document: only named until a person requests one, which the host then sends.

/** The host's reply to a request: the image, or why it is not shown. */
interface SentImage {
  readonly path: string;
  readonly data?: string | undefined;
  readonly problem?: string | undefined;
}

const asked = new Map<string, Set<HTMLElement>>();
const names = new WeakMap<HTMLElement, string>();

function imageButton(path: string, name: string, show: (path: string) => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.classList.add('link', 'image-open');
  button.title = visibleText(path);
  button.textContent = t('Show image: {name}', { name: visibleText(name === '' ? path : name) });
  names.set(button, visibleText(name === '' ? path : name));
  button.addEventListener('click', (event) => {
    if (!event.isTrusted) return;
    asked.set(path, (asked.get(path) ?? new Set()).add(button));
    show(path);
  });
  return button;
}

/** Inserts an image where it was requested. */
export function placeImage({ path, data, problem }: SentImage): void {
  for (const button of asked.get(path) ?? []) {
    if (data === undefined) {
      const note = document.createElement('span');
      note.className = 'quiet';
      note.textContent = problem ?? '';
      button.replaceWith(note);
    } else {
      const image = document.createElement('img');
      image.className = 'document-image';
      image.src = data;
      image.alt = names.get(button) ?? '';
      button.replaceWith(image);
    }
  }
  asked.delete(path);
}

// HTML comments in a document: collapsed, but never hidden. Their content is text, never HTML.

/** Elements that only comments produce, since the parser takes no HTML. */
const commentTags = ['details', 'summary', 'ins'] as const;

type CommentParser = InstanceType<typeof MarkdownIt>;

/** A comment on its own lines is a block; one within a line is inline. An unclosed comment is plain text. */
function readComments(parser: CommentParser): void {
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
    `<details><summary></summary><pre>${escapeHtml(commentContent(tokens[index]?.content))}</pre></details>\n`;
  parser.renderer.rules['comment_inline'] = (tokens, index) =>
    `<ins>${escapeHtml(commentContent(tokens[index]?.content))}</ins>`;
}

/** Removes the additional dashes at the start and end of some comments. */
function commentContent(content = ''): string {
  return content.replace(/^-+|-+$/g, '').trim();
}

/** Adds labels and behaviour to the parsed comments. */
function foldComments(fragment: DocumentFragment): void {
  for (const details of fragment.querySelectorAll('details')) {
    details.className = 'comment';
    const said = details.querySelector('pre')?.textContent ?? '';
    const summary = details.querySelector('summary');
    if (summary) summary.textContent = t('Comment: {start}', { start: shortLine(said) });
  }
  for (const inline of fragment.querySelectorAll('ins')) inline.replaceWith(...inlineComment(inline.textContent));
}

function shortLine(text: string): string {
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

/** A place in a file that Markdown links to. */
interface FileLink {
  readonly path: string;
  readonly line?: number;
}

/**
 * `message`: a line break is one, and headings are bold lines, since the page has its own outline. `document`: lines
 * are rewrapped, and headings are nested below the section's own heading.
 */
type TextKind = 'message' | 'document';

type Parser = InstanceType<typeof MarkdownIt>;

const parsers: Record<TextKind, Parser> = { message: parser('message'), document: parser('document') };

function parser(kind: TextKind): Parser {
  const made = new MarkdownIt({ html: false, linkify: true, breaks: kind === 'message' });
  // Only full URLs become links: auth.rs and notes.md are files, not hosts.
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  // Every link survives parsing; `rebuildLinks` decides what it becomes.
  made.validateLink = () => true;
  // The page's content security policy blocks the inline style that says how a column is aligned.
  for (const cell of ['th_open', 'td_open'])
    made.renderer.rules[cell] = (tokens, index) => {
      const align = /right|center/.exec(String(tokens[index]?.attrGet('style')))?.[0];
      return `<${tokens[index]?.tag ?? 'td'}${align === undefined ? '' : ` align="${align}"`}>`;
    };
  const { escapeHtml } = made.utils;
  // Without a source nothing is loaded; `placeImages` decides what it becomes.
  made.renderer.rules['image'] = (tokens, index) => {
    const token = tokens[index];
    return `<img alt="${escapeHtml(token?.content ?? '')}" title="${escapeHtml(String(token?.attrGet('src') ?? ''))}">`;
  };
  made.renderer.rules['fence'] = (tokens, index) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    return `<pre><code lang="${languageOf(info)}">${escapeHtml(content)}</code></pre>\n`;
  };
  showDefinitions(made);
  if (kind === 'document') {
    readComments(made);
    made.core.ruler.push('outline', ({ tokens }) => {
      outline(tokens);
    });
    return made;
  }
  made.renderer.rules['heading_open'] = () => '<p><strong>';
  made.renderer.rules['heading_close'] = () => '</strong></p>';
  return made;
}

/** Keeps the definition of a link in sight: its name and title are words that no link may show. */
function showDefinitions(made: Parser): void {
  const alone = new MarkdownIt();
  alone.block.ruler.enableOnly(['reference']);
  const [read] = alone.block.ruler.getRules('');
  made.block.ruler.at('reference', (state, startLine, endLine, silent) => {
    if (!read?.(state, startLine, endLine, silent)) return false;
    if (!silent)
      state.push('definition', '', 0).content = state.getLines(startLine, state.line, state.blkIndent, false);
    return true;
  });
  const { escapeHtml } = made.utils;
  made.renderer.rules['definition'] = (tokens, index) => `<p>${escapeHtml(tokens[index]?.content ?? '')}</p>\n`;
}

/** A section's heading has level 2, so those inside it start at 3, without gaps in the levels. */
function outline(tokens: readonly { type: string; tag: string }[]): void {
  let above = 2;
  for (const token of tokens) {
    if (token.type === 'heading_open') above = Math.min(Math.max(Number(token.tag.slice(1)), 3), above + 1);
    if (token.type.startsWith('heading_')) token.tag = `h${above}`;
  }
}

const allowed = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a', 'hr'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'h3', 'h4', 'h5', 'h6', 'img'],
    ...commentTags,
  ],
  ALLOWED_ATTR: ['href', 'start', 'lang', 'alt', 'title', 'align'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // The host resolves relative links and `file:`, only inside the workspace.
  ALLOWED_URI_REGEXP: /^(?:https?:|file:|[^a-z]|[a-z0-9+.-]+(?:[^a-z0-9+.:-]|$|:\d+$))/i,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** Targets in a text: workspace files, and images if the page can show them. */
interface Openers {
  readonly openFile: (link: FileLink) => void;
  readonly showImage?: ((path: string) => void) | undefined;
}

function renderMarkdown(text: string, { openFile, showImage }: Openers, kind: TextKind = 'message'): DocumentFragment {
  const fragment = DOMPurify.sanitize(parsers[kind].render(text), {
    ...allowed,
    ALLOWED_TAGS: [...allowed.ALLOWED_TAGS],
    ALLOWED_ATTR: [...allowed.ALLOWED_ATTR],
  });
  placeImages(fragment, showImage);
  rebuildLinks(fragment, openFile);
  watchCode(fragment, kind === 'document');
  foldComments(fragment);
  makeScrollable(fragment);
  markHidden(fragment, document);
  return fragment;
}

/** Images outside the workspace are only named; those within a link are part of its text. */
function placeImages(fragment: DocumentFragment, show: Openers['showImage']): void {
  for (const image of fragment.querySelectorAll('img')) {
    const file = parseFileLink(image.title);
    const name = image.alt === '' ? '…' : image.alt;
    if (show && file && !image.closest('a')) image.replaceWith(imageButton(file.path, image.alt, show));
    else {
      const words = document.createElement('em');
      words.textContent = name;
      image.replaceWith(words);
    }
  }
}

function rebuildLinks(fragment: DocumentFragment, openFile: (link: FileLink) => void): void {
  for (const anchor of fragment.querySelectorAll('a')) {
    const href = anchor.getAttribute('href') ?? '';
    const file = parseFileLink(href);
    if (/^https?:\/\//i.test(href)) {
      anchor.rel = 'noopener noreferrer';
      anchor.title = visibleText(href);
    } else if (file) {
      anchor.replaceWith(fileButton(file, anchor, openFile));
    } else {
      anchor.replaceWith(...anchor.childNodes);
    }
  }
}

function fileButton(file: FileLink, content: Element, openFile: (link: FileLink) => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  button.title = visibleText(file.line === undefined ? file.path : `${file.path}:${file.line}`);
  button.append(...content.childNodes);
  button.addEventListener('click', (event) => {
    if (event.isTrusted) openFile(file);
  });
  return button;
}

/** `src/a.ts`, `src/a.ts:12`, `src/a.ts#L12`, `file:///…`. Anything with another scheme, a host or only a fragment is not a file. */
function parseFileLink(href: string): FileLink | undefined {
  let path = href.replace(/^file:(?:\/\/)?(?=\/)/i, '');
  if (path === '' || /^(?:#|\/\/|\\|[a-z][a-z0-9+.-]*:(?!\d+$))/i.test(path)) return undefined;
  const place = /(?:#L(\d+)(?:-L?\d+)?|:(\d+))$/i.exec(path);
  if (place) path = path.slice(0, place.index);
  path = path.replace(/[?#].*$/, '');
  try {
    path = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const line = Number(place?.[1] ?? place?.[2] ?? 0);
  if (path === '') return undefined;
  return line > 0 ? { path, line } : { path };
}

/** Code and tables can be wider than the view: they scroll on their own, also by keyboard. */
function makeScrollable(fragment: DocumentFragment): void {
  for (const table of fragment.querySelectorAll('table')) {
    const box = document.createElement('div');
    box.className = 'scroll-x';
    table.replaceWith(box);
    box.append(table);
  }
  for (const box of fragment.querySelectorAll<HTMLElement>('pre, .scroll-x')) box.tabIndex = 0;
}

interface Rendered {
  readonly text: string;
  readonly node: HTMLElement;
}

/** Rendered texts by place, so that redrawing neither parses nor replaces existing ones. */
const slots = new Map<string, Rendered>();
/** More than a page shows at once; the oldest are dropped first. */
const maxSlots = 2_000;

/** A message in Markdown as one element; links into the workspace go through the host. */
export function markdown(page: OpensFiles, key: string, place: string, text: string): HTMLElement {
  return markdownOf(page, { key, place, text, kind: 'message' });
}

interface MarkdownText {
  readonly key: string;
  readonly place: string;
  readonly text: string;
  readonly kind: TextKind;
}

/** Markdown of a text of any kind. */
export function markdownOf(page: OpensFiles, { key, place, text, kind }: MarkdownText): HTMLElement {
  const slot = `${key}\n${place}`;
  const known = slots.get(slot);
  if (known?.text === text) return known.node;
  const node = document.createElement('div');
  node.className = 'markdown';
  node.dir = 'auto';
  const openFile = ({ path, line }: FileLink) => {
    page.dispatch({ type: 'openFile', key, path, ...(line === undefined ? {} : { line }) });
  };
  const showImage = kind === 'document' && page.showImage ? imageOpener(page.showImage, key) : undefined;
  node.append(renderMarkdown(text, { openFile, showImage }, kind));
  const [oldest] = slots.keys();
  if (slots.size >= maxSlots && oldest !== undefined) slots.delete(oldest);
  slots.set(slot, { text, node });
  return node;
}

function imageOpener(show: NonNullable<OpensFiles['showImage']>, key: string): (path: string) => void {
  return (path) => {
    show({ type: 'showImage', key, path });
  };
}
