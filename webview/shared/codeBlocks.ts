/** Code in documents: highlighted when it scrolls into view, so that a long document costs no more than a short one. */
import type { DiagramOrder, DiagramReply } from '../diagram/frame.ts';
import { t } from './strings.ts';

// The page's theme as values, since the frame has none of the editor's variables.

/** The editor's colours by their use in a diagram; the first one that the theme defines applies. */
const colours = {
  background: ['editor-background'],
  foreground: ['editor-foreground', 'foreground'],
  line: ['contrastBorder', 'descriptionForeground'],
  raised: ['editorWidget-background', 'editor-background'],
  accent: ['focusBorder'],
} as const;

function diagramLooks(): Omit<DiagramOrder, 'text'> {
  const probe = document.createElement('span');
  document.body.append(probe);
  const { style } = probe;
  const looks = getComputedStyle(probe);
  const named = Object.entries(colours).map(([name, variables]) => {
    style.color = variables.reduceRight((rest, one) => `var(--vscode-${one}${rest && `,${rest}`})`, '');
    return [name, looks.color];
  });
  const font = { family: looks.fontFamily, size: Number.parseFloat(looks.fontSize) };
  probe.remove();
  const dark = document.body.matches('.vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)');
  return { dark, font, colours: Object.fromEntries(named) as DiagramOrder['colours'] };
}

function onLooksChanged(changed: () => void): void {
  let last = JSON.stringify(diagramLooks());
  const observer = new MutationObserver(() => {
    const now = JSON.stringify(diagramLooks());
    if (now === last) return;
    last = now;
    changed();
  });
  observer.observe(document.documentElement, { attributes: true });
  observer.observe(document.body, { attributes: true });
}

// The frame of one diagram. The diagram comes from an agent, so Mermaid runs without an origin or network and receives
// the text as data. The frame can only reply with a size, and nothing in it can be clicked.

/** Maximum size in pixels, in either direction. */
const largest = 6_000;
const replyMs = 20_000;

type Problem = 'failed' | 'large';

/** Inserts a drawing at the start of the box. Resolves to the problem if there is none. */
async function startDrawing(box: Element, text: string): Promise<Problem | undefined> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = t('Diagram');
  frame.tabIndex = -1;
  frame.srcdoc = page(await program());
  const scroller = document.createElement('div');
  scroller.className = 'scroll-x diagram-drawing';
  scroller.tabIndex = 0;
  scroller.append(frame);

  const order = (): void => {
    frame.contentWindow?.postMessage({ text, ...diagramLooks() }, '*');
  };
  return new Promise((resolve) => {
    const end = (problem: Problem): void => {
      // A finished drawing stays, whatever its frame sends later.
      if (scroller.classList.contains('drawn')) return;
      clearTimeout(timer);
      window.removeEventListener('message', listen);
      scroller.remove();
      resolve(problem);
    };
    const listen = ({ data, source }: MessageEvent<unknown>): void => {
      if (source === null || source !== frame.contentWindow) return;
      const reply = replyOf(data);
      // A frame that moves within the page starts over.
      if (reply?.type === 'ready') order();
      else if (reply?.type === 'failed') end('failed');
      else if (reply?.type === 'drawn' && !fits(reply)) end('large');
      else if (reply?.type === 'drawn') {
        frame.width = String(Math.ceil(reply.width));
        frame.height = String(Math.ceil(reply.height));
        scroller.classList.add('drawn');
        clearTimeout(timer);
        resolve(undefined);
      }
    };
    const timer = setTimeout(end, replyMs, 'failed');
    window.addEventListener('message', listen);
    onLooksChanged(order);
    box.prepend(scroller);
  });
}

function replyOf(data: unknown): DiagramReply | undefined {
  return typeof data === 'object' && data !== null && 'type' in data ? (data as DiagramReply) : undefined;
}

function fits({ width, height }: { readonly width: unknown; readonly height: unknown }): boolean {
  return [width, height].every((size) => typeof size === 'number' && size > 0 && size <= largest);
}

/** Loaded with the first diagram. */
async function program(): Promise<string> {
  const file = new URL('diagrams.js', import.meta.url).href;
  return ((await import(file)) as { readonly default: string }).default;
}

/** The page's policy also applies to the frame; this one removes the sources that only the page may load. */
function page(script: string): string {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`;
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${t('Diagram')}</title>
<style nonce="${nonce}">body { margin: 0; overflow: hidden; } svg { display: block; }</style>
<body><script nonce="${nonce}">${script}</script>`;
}

// Mermaid diagrams in documents: drawn above their code when they scroll into view. People review the code: it is one
// click away, and expanded if the drawing may not show all of it.

/** Larger ones stay code: drawing them could block the page. */
const longestDiagram = 20_000;
const mostLines = 400;
/** Each frame takes memory. */
const mostFrames = 20;

let frames = 0;

function watchDiagram(code: HTMLElement): void {
  const box = document.createElement('div');
  box.className = 'diagram';
  code.replaceWith(box);
  box.append(code);
  whenNear(box, () => showDiagram(box));
}

async function showDiagram(box: HTMLElement): Promise<void> {
  const code = box.querySelector('pre');
  const text = code?.textContent ?? '';
  if (!code) return;
  if (text.length > longestDiagram || text.split('\n').length > mostLines || frames >= mostFrames) {
    box.append(note(t('This diagram is too large to draw, so its code is shown.')));
    return;
  }
  frames++;
  const problem = await startDrawing(box, text).catch(() => 'failed');
  if (problem === undefined) {
    // Hidden characters are marked only in the code.
    foldCode(code, code.querySelector('code > *') !== null || saysMore(text));
    return;
  }
  frames--;
  box.append(
    note(
      problem === 'large'
        ? t('This diagram is too large to draw, so its code is shown.')
        : t('This diagram cannot be drawn, so its code is shown.'),
    ),
  );
}

/** Comments are not drawn, and styles can make words invisible. */
function saysMore(text: string): boolean {
  return /%%|^\s*---|^\s*(?:style|classDef|linkStyle|click|links?|callback|accTitle|accDescr)\b/m.test(text);
}

function foldCode(code: HTMLElement, open: boolean): void {
  const details = document.createElement('details');
  details.classList.add('part', 'diagram-code');
  details.open = open;
  const summary = document.createElement('summary');
  summary.textContent = t('Show code');
  code.replaceWith(details);
  details.append(summary, note(t('The diagram is drawn from this code. Your review applies to the code.')), code);
}

function note(key: string): HTMLElement {
  const words = document.createElement('p');
  words.classList.add('quiet', 'small');
  words.textContent = key;
  return words;
}

/** Longer blocks stay plain: highlighting them would block the page. */
const longest = 40_000;

/** The fence's info string, as `lang`; only `watchCode` reads it. */
export function languageOf(info: string): string {
  return /^[a-z][\w+#-]{0,20}$/i.exec(info.trim().split(/\s/)[0] ?? '')?.[0].toLowerCase() ?? '';
}

const languages = new WeakMap<Element, string>();

/** @param draws - whether diagrams are drawn; otherwise their code is shown */
export function watchCode(fragment: DocumentFragment, draws: boolean): void {
  for (const code of fragment.querySelectorAll('code[lang]')) {
    const language = code.getAttribute('lang') ?? '';
    code.removeAttribute('lang');
    if (language === 'mermaid') {
      if (draws && code.parentElement) watchDiagram(code.parentElement);
      else code.parentElement?.after(note(t('A Mermaid diagram, shown as its code.')));
    } else if (language !== '' && code.textContent.length <= longest) {
      languages.set(code, language);
      whenNear(code, () => highlight(code));
    }
  }
}

let sights: IntersectionObserver | undefined;
const shown = new WeakMap<Element, () => Promise<void>>();

/** Calls `show` once, when the element comes near the window. */
function whenNear(element: Element, show: () => Promise<void>): void {
  sights ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        sights?.unobserve(target);
        void shown.get(target)?.();
      }
    },
    { rootMargin: '300px' },
  );
  shown.set(element, show);
  sights.observe(element);
}

async function highlight(code: Element): Promise<void> {
  const library = await import('./highlight.ts');
  // Marks of hidden characters matter more than colours.
  if (code.childElementCount > 0) return;
  const coloured = library.highlightCode(code.textContent, languages.get(code) ?? '');
  if (coloured) code.replaceChildren(...coloured);
}
