/** Parts of an item that is shown whole. Empty parts are left out. */

export function part(name: string, text: string | null): string {
  return text === null || text === '' ? '' : `${name}: ${text}`;
}

export function partList(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${name}:`, ...lines.map((line) => `- ${line}`)].join('\n');
}
