/**
 * Neutralises links in Markdown documents: VS Code follows links in Markdown source by any scheme, `command:` among
 * them. In agents' text, links that could run or open something lead nowhere: their colon is encoded, and they stay
 * readable.
 */

/** Places where Markdown, or HTML in it, starts a link target. Only these schemes, because much code looks like one. */
const target =
  /(\]\(\s*<?\s*|\]:\s*<?\s*|<|\b(?:href|src)\s*=\s*["']?\s*)(command|vscode[a-z-]*|file|javascript|vbscript):(?=\S)/gi;

export function withoutCommands(markdown: string): string {
  return markdown.replace(target, '$1$2%3A');
}
