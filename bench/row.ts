/** A question as a plain row, for stores without domain logic. */

export type Row = Record<string, string | number | null>;

export const templateSql = `SELECT * FROM items WHERE kind = 'question' ORDER BY number DESC LIMIT 1`;
export const nextNumberSql = `SELECT max(number) + 1 AS number FROM items WHERE kind = 'question'`;

export function insertSql(template: Row): string {
  const columns = Object.keys(template);
  return `INSERT INTO items (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

export function rowOf(template: Row, number: number, mark: string): (string | number | null)[] {
  const text = String(template['text']).replace(/\(.*?\)/, `(${mark})`);
  return Object.values({ ...template, row: null, id: `Q-${String(number)}`, number, text });
}
