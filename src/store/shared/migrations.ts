/** The reviewed files that make the schema of a shared journal, in their order. */
import fs from 'node:fs';
import path from 'node:path';

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** @param folder `media/sql` */
export function readMigrations(folder: string): Migration[] {
  const files = fs.readdirSync(folder).filter((name) => /^\d{3}_\w+\.sql$/.test(name));
  return files
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 3)), sql: fs.readFileSync(path.join(folder, name), 'utf8') }));
}
