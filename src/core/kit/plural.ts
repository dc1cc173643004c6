/** `1 question`, `2 questions`: for what agents and terminals read, which is English. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}
