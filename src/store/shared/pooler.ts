/** Whether a pooler lends connections for one transaction each: then notifications and settings get lost between two. */
import type { Client } from 'pg';
import { connect, cut, withDeadline, type SessionOptions } from './session.ts';

const rounds = 3;
const limitMs = 5_000;

/**
 * Of two connections, the second opens a transaction. If it gets the server process of the first one, or the first one
 * gets another process in the meantime, or waits for one, there is a pooler in between.
 * @throws ServerError
 */
export async function poolerProblem(options: SessionOptions): Promise<string | null> {
  const first = await connect(options);
  let second: Client | null = null;
  try {
    second = await connect(options);
    for (let round = 0; round < rounds; round++) {
      const before = await backendOf(first);
      await second.query('begin');
      const other = await backendOf(second);
      const after = await withDeadline(backendOf(first), limitMs).catch(() => null);
      await second.query('rollback');
      if (other === before || after !== before)
        return 'A connection pooler stands between this machine and the server (transaction pooling), so notifications and settings would get lost: use the address of the server itself, or a pooler in session mode.';
    }
    return null;
  } finally {
    cut(first);
    if (second) cut(second);
  }
}

async function backendOf(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ pid: number }>('select pg_catalog.pg_backend_pid() as pid');
  return rows[0]?.pid ?? null;
}
