/** A question as a plain row, for stores without domain logic; an existing row is updated where it differs. */

export type Row = Record<string, string | number | null>;

export const templateSql = 'SELECT * FROM questions ORDER BY number DESC LIMIT 1';
export const nextNumberSql = 'SELECT max(number) + 1 AS number FROM questions';

export function insertSql(template: Row): string {
  const columns = Object.keys(template);
  return `INSERT INTO questions (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

export function rowOf(template: Row, number: number, mark: string): (string | number | null)[] {
  const text = String(template['question_text']).replace(/\(.*?\)/, `(${mark})`);
  const now = new Date().toISOString();
  const row: Row = {
    ...template,
    id: `Q-${String(number)}`,
    number,
    question_text: text,
    raised_at: now,
  };
  return Object.values(row);
}
