/** No text grows without limit: a list in one names so many, and says how many more there are. Data has all of them. */
export const namedAtMost = 20;

/** `Q-1, Q-2 and 481 more` */
export function fewNames(names: readonly string[], separator = ', ', atMost = namedAtMost): string {
  const more = names.length - atMost;
  const shown = names.slice(0, atMost).join(separator);
  return more > 0 ? `${shown} and ${String(more)} more` : shown;
}

/** Shortens a list of lines. */
export function fewLines(lines: readonly string[]): string[] {
  const more = lines.length - namedAtMost;
  return more > 0 ? [...lines.slice(0, namedAtMost), `And ${String(more)} more.`] : [...lines];
}
