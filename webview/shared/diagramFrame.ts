/**
 * The frame of one diagram. The diagram comes from an agent, so Mermaid runs without an origin or network and receives
 * the text as data. The frame can only reply with a size, and nothing in it can be clicked.
 */
import type { DiagramReply } from '../diagram/messages.ts';
import { diagramLooks, onLooksChanged } from './diagramLooks.ts';
import { t } from './strings.ts';

/** Maximum size in pixels, in either direction. */
const largest = 6_000;
const replyMs = 20_000;

type Problem = 'failed' | 'large';

/** Inserts a drawing at the start of the box. Resolves to the problem if there is none. */
export async function startDrawing(box: Element, text: string): Promise<Problem | undefined> {
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
