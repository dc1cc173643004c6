/** The looks of the page around a diagram, as values: the frame has none of the editor's variables. */
import type { DiagramOrder } from '../diagram/messages.ts';

const colours = {
  background: 'var(--vscode-editor-background)',
  foreground: 'var(--vscode-editor-foreground, var(--vscode-foreground))',
  line: 'var(--vscode-contrastBorder, var(--vscode-descriptionForeground))',
  raised: 'var(--vscode-editorWidget-background, var(--vscode-editor-background))',
  accent: 'var(--vscode-focusBorder)',
} as const;

export function diagramLooks(): Omit<DiagramOrder, 'text'> {
  const probe = document.createElement('span');
  document.body.append(probe);
  const { style } = probe;
  const looks = getComputedStyle(probe);
  const named = Object.entries(colours).map(([name, value]) => {
    style.color = value;
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
