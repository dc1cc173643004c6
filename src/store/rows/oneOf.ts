/** A check that a column has one of some words. Not `IN`: SQLite would make a temporary table of them for each row. */
export function oneOf(column: string, values: readonly string[]): string {
  return values.map((value) => `${column} = '${value}'`).join(' OR ');
}
