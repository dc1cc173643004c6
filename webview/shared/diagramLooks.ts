/** The page's theme as values, since the frame has none of the editor's variables. */
import type { DiagramOrder } from '../diagram/messages.ts';

/** The editor's colours by their use in a diagram; the first one that the theme defines applies. */
const colours = {
  background: ['editor-background'],
  foreground: ['editor-foreground', 'foreground'],
  line: ['contrastBorder', 'descriptionForeground'],
  raised: ['editorWidget-background', 'editor-background'],
  accent: ['focusBorder'],
} as const;

export function diagramLooks(): Omit<DiagramOrder, 'text'> {
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

/** VS Code changes the variables of the page when its theme changes. */
export function onLooksChanged(changed: () => void): void {
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
