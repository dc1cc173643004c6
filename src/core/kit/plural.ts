/** `1 question`, `2 questions`: for agents and terminals, whose texts are in English. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}
