/** The class by which surfaces know the theme, as VS Code gives it. */
const kinds = ['vscode-light', 'vscode-dark', 'vscode-high-contrast', 'vscode-high-contrast-light'];

export function followTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const forced = matchMedia('(forced-colors: active)');
  const wear = () => {
    const contrast = dark.matches ? ['vscode-high-contrast'] : ['vscode-high-contrast', 'vscode-high-contrast-light'];
    document.body.classList.remove(...kinds);
    document.body.classList.add(...(forced.matches ? contrast : [dark.matches ? 'vscode-dark' : 'vscode-light']));
  };
  dark.addEventListener('change', wear);
  forced.addEventListener('change', wear);
  wear();
}
