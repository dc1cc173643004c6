/** A copy of the index for other programs. The journal remains the source of truth. */
import type { SqlJsStatic } from 'sql.js';

export function databaseOf(sqlite: SqlJsStatic, bytes: Uint8Array): Buffer {
  const db = new sqlite.Database(bytes);
  try {
    // Of imports that have not ended.
    db.run(`DELETE FROM records WHERE kind = 'import.rows'`);
    db.run('VACUUM');
    return Buffer.from(db.export());
  } finally {
    db.close();
  }
}
