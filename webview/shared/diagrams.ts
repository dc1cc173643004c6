/**
 * Mermaid diagrams in documents: drawn above their code when they scroll into view. People review the code: it is one
 * click away, and expanded if the drawing may not show all of it.
 */
import { startDrawing } from './diagramFrame.ts';
import { t } from './strings.ts';

/** Larger ones stay code: drawing them could block the page. */
const longest = 20_000;
const mostLines = 400;
/** Each frame takes memory. */
const mostFrames = 20;

let frames = 0;

const sights = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      sights.unobserve(target);
      void show(target as HTMLElement);
    }
  },
  { rootMargin: '300px' },
);

export function watchDiagram(code: HTMLElement): void {
  const box = document.createElement('div');
  box.className = 'diagram';
  code.replaceWith(box);
  box.append(code);
  sights.observe(box);
}

async function show(box: HTMLElement): Promise<void> {
  const code = box.querySelector('pre');
  const text = code?.textContent ?? '';
  if (!code) return;
  if (text.length > longest || text.split('\n').length > mostLines || frames >= mostFrames) {
    box.append(note(t('This diagram is too large to draw, so its code is shown.')));
    return;
  }
  frames++;
  const problem = await startDrawing(box, text);
  if (problem === undefined) {
    // Hidden characters are marked only in the code.
    fold(code, code.querySelector('code > *') !== null || saysMore(text));
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
export function saysMore(text: string): boolean {
  return /%%|^\s*---|^\s*(?:style|classDef|linkStyle|click|links?|callback|accTitle|accDescr)\b/m.test(text);
}

function fold(code: HTMLElement, open: boolean): void {
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
