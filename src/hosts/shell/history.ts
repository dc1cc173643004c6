/**
 * Interactive shells replace `!word` and a leading `^a^b^` by earlier commands, before anything else. In bash and zsh
 * alike, `!` stays as it is within single quotes, after a backslash, and before a blank, `=`, `(` or a closing quote.
 */
export function usesHistory(text: string): boolean {
  return text
    .split('\n')
    .some((line) => line.trimStart().startsWith('^') || /!(?![\s=("]|$)/.test(withoutQuoted(line)));
}

/** One line, because that is what the shell looks at. A single quote that does not close quotes nothing. */
function withoutQuoted(line: string): string {
  return line.replaceAll(/\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\$!/g, (piece) => (piece.startsWith('"') ? piece : ''));
}
