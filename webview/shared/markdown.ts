/**
 * Markdown from agents, made safe in three steps: markdown-it passes no HTML through, DOMPurify keeps only a short list
 * of elements, and links are rebuilt here from an allow-list of schemes. Images are not loaded: those of the workspace
 * appear when a person requests them from the host.
 */
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import { languageOf, watchCode } from './codeBlocks.ts';
import { imageButton } from './images.ts';
import { commentTags, foldComments, readComments } from './markdownComments.ts';
import { markHidden, visibleText } from './visible.ts';

/** A place in a file that Markdown links to. */
export interface FileLink {
  readonly path: string;
  readonly line?: number;
}

/**
 * `message`: a line break is one, and headings are bold lines, since the page has its own outline. `document`: lines
 * are rewrapped, and headings are nested below the section's own heading.
 */
export type TextKind = 'message' | 'document';

type Parser = InstanceType<typeof MarkdownIt>;

const parsers: Record<TextKind, Parser> = { message: parser('message'), document: parser('document') };

function parser(kind: TextKind): Parser {
  const made = new MarkdownIt({ html: false, linkify: true, breaks: kind === 'message' });
  // Only full URLs become links: auth.rs and notes.md are files, not hosts.
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  // Every link survives parsing; `rebuildLinks` decides what it becomes.
  made.validateLink = () => true;
  // Column alignment needs inline styles, which the page's content security policy blocks.
  for (const cell of ['th_open', 'td_open'])
    made.renderer.rules[cell] = (tokens, index) => `<${tokens[index]?.tag ?? 'td'}>`;
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
  ALLOWED_ATTR: ['href', 'start', 'lang', 'alt', 'title'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // The host resolves relative links and `file:`, only inside the workspace.
  ALLOWED_URI_REGEXP: /^(?:https?:|file:|[^a-z]|[a-z0-9+.-]+(?:[^a-z0-9+.:-]|$|:\d+$))/i,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** Targets in a text: workspace files, and images if the page can show them. */
export interface Openers {
  readonly openFile: (link: FileLink) => void;
  readonly showImage?: ((path: string) => void) | undefined;
}

export function renderMarkdown(
  text: string,
  { openFile, showImage }: Openers,
  kind: TextKind = 'message',
): DocumentFragment {
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
export function parseFileLink(href: string): FileLink | undefined {
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
