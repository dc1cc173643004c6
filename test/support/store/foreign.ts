/** Databases of other programs, built from their published schemas. */
import fs from 'node:fs';
import initSqlJs, { type Database } from 'sql.js';

/** CodeFrame's legacy table of blockers; the tasks contain the columns that its migration joins. */
export const codeframeLegacy = `
  CREATE TABLE tasks (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, status TEXT, assigned_to TEXT, priority INTEGER);
  CREATE TABLE IF NOT EXISTS blockers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, task_id INTEGER, severity TEXT CHECK(severity IN ('sync', 'async')),
    reason TEXT, question TEXT, resolution TEXT, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, resolved_at TIMESTAMP,
    FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE CASCADE);
  INSERT INTO tasks VALUES (1, 'Sign-in', 'in_progress', 'backend-worker-001', 2), (2, 'Docs', 'completed', NULL, 0),
    (3, 'Deploy', 'pending', 'Alice', 1);
  INSERT INTO blockers VALUES
    (1, 1, 'sync', 'old reason', 'JWT or sessions?', 'Use JWT.', '2025-11-08 12:34:56', '2025-11-08 12:45:30'),
    (2, 2, 'async', 'Which tone?', NULL, NULL, '2025-11-08 13:00:00', NULL),
    (3, 3, 'sync', NULL, 'May I deploy on a Friday?', NULL, '2025-11-08 14:00:00', NULL),
    (4, NULL, 'sync', NULL, NULL, NULL, '2025-11-08 15:00:00', NULL),
    (5, 1, NULL, 'No severity', '', 'An odd \u001b[31mred answer', 'yesterday', '2025-11-09 09:00:00');`;

/** CodeFrame's schema after its own migration. */
export const codeframeTarget = `
  CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE tasks (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, status TEXT, assigned_to TEXT);
  CREATE TABLE IF NOT EXISTS blockers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, agent_id TEXT NOT NULL, project_id INTEGER NOT NULL, task_id INTEGER,
    blocker_type TEXT NOT NULL, question TEXT NOT NULL, answer TEXT, status TEXT NOT NULL DEFAULT 'PENDING',
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, resolved_at TIMESTAMP, mood TEXT,
    FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
    FOREIGN KEY (task_id) REFERENCES tasks(id) ON DELETE CASCADE);
  CREATE INDEX IF NOT EXISTS idx_blockers_status_created ON blockers(status, created_at);
  INSERT INTO projects VALUES (1, 'Shop');
  INSERT INTO tasks VALUES (7, 'Pay', 'in_progress', 'pay-worker-002');
  INSERT INTO blockers (id, agent_id, project_id, task_id, blocker_type, question, answer, status, created_at, resolved_at)
  VALUES
    (10, 'pay-worker-002', 1, 7, 'SYNC', 'Refund in full?', NULL, 'PENDING', '2025-12-01T08:00:00Z', NULL),
    (11, 'pay-worker-002', 1, 7, 'ASYNC', 'Round up?', 'No.', 'RESOLVED', '2025-12-01 09:00:00', '2025-12-01 09:30:00'),
    (12, 'pay-worker-002', 1, 7, 'SYNC', 'Never answered?', NULL, 'EXPIRED', '2025-11-01 09:00:00', NULL),
    (13, 'pay-worker-002', 1, 7, 'SYNC', '${'long '.repeat(500)}', NULL, 'PENDING', '2025-12-02 09:00:00', NULL);`;

/** Version 1 of the schema, and the additions of each later version. */
export function engram(version: 1 | 2 | 3 | 4): string {
  const more = [
    version >= 2 ? ', related_ids TEXT' : '',
    version >= 4
      ? `, status TEXT DEFAULT 'active' CHECK(status IN ('active','resolved','superseded')),
         priority TEXT DEFAULT 'normal' CHECK(priority IN ('critical','high','normal','low')),
         resolved_reason TEXT, superseded_by_event_id TEXT, session_id TEXT`
      : '',
  ].join('');
  const insert = (row: Record<string, string | null>) => {
    const known = Object.entries(row).filter(
      ([name]) =>
        (version >= 2 || name !== 'related_ids') &&
        (version >= 4 || !['status', 'priority', 'resolved_reason', 'superseded_by_event_id'].includes(name)),
    );
    const values = known.map(([, value]) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`));
    return `INSERT INTO events (${known.map(([name]) => name).join()}) VALUES (${values.join()});`;
  };
  const event = (id: string, type: string, content: string, rest: Record<string, string | null> = {}) =>
    insert({
      id: `evt-${id}`,
      timestamp: `2026-01-0${id}T10:00:00.123456+00:00`,
      event_type: type,
      agent_id: 'claude-code',
      content,
      ...rest,
    });
  return `
    CREATE TABLE events (id TEXT PRIMARY KEY, timestamp TEXT NOT NULL, event_type TEXT NOT NULL, agent_id TEXT NOT NULL,
      content TEXT NOT NULL CHECK(length(content) <= 2000), scope TEXT${more});
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
    INSERT INTO meta VALUES ('schema_version', '${String(version)}');
    ${event('3', 'decision', 'Use PostgreSQL.', { priority: 'high', related_ids: '["evt-2", "evt-9"]' })}
    ${event('1', 'warning', 'The cache is never cleared.', { priority: 'critical', scope: '["src/cache.py", "../out"]' })}
    ${event('2', 'decision', 'Use SQLite.', { status: 'superseded', superseded_by_event_id: 'evt-3' })}
    ${event('4', 'discovery', 'Zürich: the API is slow.', { scope: 'src/api' })}
    ${event('5', 'warning', 'JWT never expires.', { status: 'resolved', resolved_reason: 'Fixed in #42.' })}
    ${event('6', 'outcome', 'Replaced by nothing.', { status: 'superseded', superseded_by_event_id: 'evt-gone' })}
    ${event('7', 'mutation', 'Round and', { status: 'superseded', superseded_by_event_id: 'evt-8' })}
    ${event('8', 'mutation', 'round.', { status: 'superseded', superseded_by_event_id: 'evt-7' })}`;
}

/** Writes a database file. @param sql statements that create it, or a function that does */
export async function writeDatabase(file: string, sql: string | ((db: Database) => void)): Promise<void> {
  const sqlite = await initSqlJs();
  const db = new sqlite.Database();
  if (typeof sql === 'string') db.exec(sql);
  else sql(db);
  fs.writeFileSync(file, db.export());
  db.close();
}
