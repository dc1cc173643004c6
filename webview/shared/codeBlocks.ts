/** Code in documents: highlighted when it scrolls into view, so that a long document costs no more than a short one. */
import { watchDiagram } from './diagrams.ts';
import { t } from './strings.ts';

/** Longer blocks stay plain: highlighting them would block the page. */
const longest = 40_000;

/** The fence's info string, as `lang`; only `watchCode` reads it. */
export function languageOf(info: string): string {
  return /^[a-z][\w+#-]{0,20}$/i.exec(info.trim().split(/\s/)[0] ?? '')?.[0].toLowerCase() ?? '';
}

const languages = new WeakMap<Element, string>();

const sights = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      sights.unobserve(target);
      void highlight(target);
    }
  },
  { rootMargin: '300px' },
);

/** @param draws - whether diagrams are drawn; otherwise their code is shown */
export function watchCode(fragment: DocumentFragment, draws: boolean): void {
  for (const code of fragment.querySelectorAll('code[lang]')) {
    const language = code.getAttribute('lang') ?? '';
    code.removeAttribute('lang');
    if (language === 'mermaid') {
      if (draws && code.parentElement) watchDiagram(code.parentElement);
      else code.parentElement?.after(diagramNote());
    } else if (language !== '' && code.textContent.length <= longest) {
      languages.set(code, language);
      sights.observe(code);
    }
  }
}

async function highlight(code: Element): Promise<void> {
  const library = await import('./highlight.ts');
  // Marks of hidden characters matter more than colours.
  if (code.childElementCount > 0) return;
  const coloured = library.highlighted(code.textContent, languages.get(code) ?? '');
  if (coloured) code.replaceChildren(...coloured);
}

function diagramNote(): HTMLElement {
  const note = document.createElement('p');
  note.classList.add('quiet', 'small');
  note.textContent = t('A Mermaid diagram, shown as its code.');
  return note;
}
