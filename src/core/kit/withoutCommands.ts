/**
 * Markdown in an editor: VS Code follows links in the source of a Markdown document by any scheme, `command:` among
 * them. In what an agent wrote those by which something could be run or opened lead nowhere: their colon is encoded, and
 * they stay readable.
 */

/** Where Markdown, or HTML in it, begins the target of a link. Only these schemes: much else looks like one in code. */
const target =
  /(\]\(\s*<?\s*|\]:\s*<?\s*|<|\b(?:href|src)\s*=\s*["']?\s*)(command|vscode[a-z-]*|file|javascript|vbscript):(?=\S)/gi;

export function withoutCommands(markdown: string): string {
  return markdown.replace(target, '$1$2%3A');
}
