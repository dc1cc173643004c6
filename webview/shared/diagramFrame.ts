/**
 * The frame of one drawing. The diagram comes from an agent, so that Mermaid runs without an origin and a network, and
 * gets its text as data. All that a frame can do is to reply with a size, and nothing in it can be clicked.
 */
import type { DiagramReply } from '../diagram/messages.ts';
import { diagramLooks, onLooksChanged } from './diagramLooks.ts';
import { t } from './strings.ts';

/** Pixels in either direction. */
const largest = 6_000;
const replyMs = 20_000;

type Problem = 'failed' | 'large';

/** Puts a drawing at the start of the box. Resolves to why there is none. */
export async function startDrawing(box: Element, text: string): Promise<Problem | undefined> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = t('text.diagram');
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
      // A drawing that was there stays: nothing that its frame says later takes it away.
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

/** The page's own policy applies to the frame as well; this one takes away what only the page may load. */
function page(script: string): string {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`;
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${t('text.diagram')}</title>
<style nonce="${nonce}">body { margin: 0; overflow: hidden; } svg { display: block; }</style>
<body><script nonce="${nonce}">${script}</script>`;
}
