/**
 * One connection to the server of a shared journal: opened when first needed and again after it broke, one call at a time,
 * each with a time limit. `pg` is loaded here, and only here.
 */
import fs from 'node:fs';
import type { Client, ClientConfig, QueryResult, QueryResultRow } from 'pg';
import { ServerError, serverErrorOf, type Phase, type Settings } from './settings.ts';

/** The schema that this program was written for. A newer one says which programs it still serves. */
export const schemaVersion = 6;

export interface SessionOptions {
  /** A function is called for each connection, so that a login that was changed meanwhile is used. @throws ServerError */
  readonly settings: Settings | (() => Settings);
  /** Milliseconds to connect (default 4,000) and for a call (default 15,000). */
  readonly connectMs?: number | undefined;
  readonly callMs?: number | undefined;
  /** Shown by the server, for example in `pg_stat_activity`. */
  readonly name?: string | undefined;
  /** Receives notifications on this channel while it is connected. */
  readonly listen?: { readonly channel: string; readonly onHeard: (payload: string) => void } | undefined;
}

export interface Session {
  /** Sends one call, after those before it. @param ms how long its reply may take @throws ServerError */
  call<R extends QueryResultRow>(phase: Phase, text: string, values?: readonly unknown[], ms?: number): Promise<R[]>;
  /** Whether anything comes back, so that nothing is sent to a server that is away. @throws ServerError `offline` */
  reach(): Promise<void>;
  close(): Promise<void>;
}

/** After how long without a reply a server is asked whether it answers, and how long it may take. */
const silentAfterMs = 250;
const reachMs = 3_000;
/** After a wait in vain of this length, the acts of the next moment get the same error instead of another wait. */
const longWaitMs = 1_000;
const awayForMs = 2_000;

/** Does not connect yet. */
export function openSession(options: SessionOptions): Session {
  let client: Promise<Client> | null = null;
  let opened: Client | null = null;
  const ending = new AbortController();
  let heard = 0;
  let away: { readonly error: ServerError; readonly until: number } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function connected(): Promise<Client> {
    if (closed) throw new ServerError('offline', 'the connection is closed');
    const began = performance.now();
    client ??= connect(options, ending.signal).then(
      (made) => {
        const forget = () => {
          if (opened === made) [client, opened] = [null, null];
        };
        made.once('end', forget).once('error', forget);
        opened = made;
        heard = performance.now();
        return made;
      },
      (error: unknown) => {
        client = null;
        throw awayAfter(began, serverErrorOf(error, 'connecting'));
      },
    );
    return client;
  }

  function awayAfter(began: number, error: ServerError): ServerError {
    const now = performance.now();
    if (now - began > longWaitMs) away = { error, until: now + awayForMs };
    return error;
  }

  /** @param silent default: the one that is open */
  function drop(silent = opened): void {
    if (!silent) return;
    if (opened === silent) [client, opened] = [null, null];
    cut(silent);
  }

  async function send<R extends QueryResultRow>(
    phase: Phase,
    text: string,
    values?: readonly unknown[],
    ms = Infinity,
  ) {
    const open = await connected();
    try {
      const sent = values ? open.query<R>(text, [...values]) : open.query<R>(text);
      const { rows } = await withDeadline(sent, Math.min(ms, callMsOf(options)), () => {
        drop(open);
      });
      heard = performance.now();
      return rows;
    } catch (error) {
      throw serverErrorOf(error, phase);
    }
  }

  function call<R extends QueryResultRow>(...sent: Parameters<Session['call']>): Promise<R[]> {
    const next = last.then(() => send<R>(...sent));
    last = next.catch(() => undefined);
    return next;
  }

  return {
    call,
    async reach() {
      const began = performance.now();
      if (began - heard < silentAfterMs) return;
      if (away && began < away.until) throw away.error;
      try {
        await withDeadline(call('reading', 'select'), reachMs, drop);
      } catch (error) {
        throw awayAfter(began, serverErrorOf(error, 'reading'));
      }
    },
    async close() {
      closed = true;
      // One that is still connecting is not waited for.
      if (!opened) ending.abort();
      const open = await client?.catch(() => null);
      if (open) await leave(open);
    },
  };
}

/**
 * A connection.
 * @param signal of a session, which limits its calls itself, and needs a server of this program's schema
 * @throws ServerError
 */
export async function connect(options: SessionOptions, signal?: AbortSignal): Promise<Client> {
  const { connectMs = 4_000, listen } = options;
  const pg = await import('pg');
  const query_timeout = signal ? 0 : callMsOf(options) + 1_000;
  const client = new pg.default.Client({ ...configOf(options), query_timeout });
  // Without a listener, a connection that breaks would end the program.
  client.on('error', () => undefined);
  const stop = () => {
    cut(client);
  };
  signal?.addEventListener('abort', stop);
  try {
    await withDeadline(client.connect(), connectMs, stop);
    // Several statements in one text have a result each.
    const texts = signal ? `${setUp(options)}; ${greeting}` : setUp(options);
    const results: QueryResult<Greeting> | QueryResult<Greeting>[] = await withDeadline(
      client.query<Greeting>(texts),
      connectMs,
      stop,
    );
    if (signal) checkGreeting([results].flat().at(-1)?.rows[0]);
    if (listen) await withDeadline(client.query(`listen ${client.escapeIdentifier(listen.channel)}`), connectMs, stop);
    client.on('notification', ({ payload = '' }) => listen?.onHeard(payload));
    return client;
  } catch (error) {
    cut(client);
    throw serverErrorOf(error, 'connecting');
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

const callMsOf = ({ callMs = 15_000 }: SessionOptions): number => callMs;

/** Without a farewell, which a dead connection would not take. */
function cut(client: Client): void {
  client.connection.stream.destroy();
}

/** With a farewell, unless the connection is dead. */
export async function leave(client: Client): Promise<void> {
  const stop = () => {
    cut(client);
  };
  await withDeadline(client.end(), 1_000, stop).catch(() => undefined);
}

interface Greeting {
  readonly standby: boolean;
  readonly version: number;
  /** The oldest schema whose programs it serves. */
  readonly oldest: number;
}
const greeting = 'select pg_is_in_recovery() as standby, version, min_client as oldest from holdpoint.schema_version';

function checkGreeting(found: Greeting | undefined): void {
  if (found?.standby) throw new ServerError('wrong', 'this server is a standby: it only reads');
  if (found === undefined || found.version < schemaVersion)
    throw new ServerError('wrong', 'this database is not prepared for this Holdpoint: run "holdpoint team init"');
  if (found.oldest > schemaVersion)
    throw new ServerError('wrong', 'this database is for a newer Holdpoint: update this one');
}

function configOf({ settings, name = 'holdpoint' }: SessionOptions): ClientConfig {
  const found = typeof settings === 'function' ? settings() : settings;
  const { host, port, database, user, password } = found;
  const login = { host, port, database, user, ...(password === undefined ? {} : { password }) };
  return { ...login, ssl: tlsOf(found), application_name: name, keepAlive: true };
}

/** Statements rather than settings of the connection's start, many of which poolers refuse or ignore. */
function setUp(options: SessionOptions): string {
  const callMs = callMsOf(options);
  const settings = {
    // What other logins put into a schema such as `public` is not called, not even by an operator.
    search_path: 'pg_catalog, pg_temp',
    // The server gives up first: its answer says that nothing was written.
    statement_timeout: Math.ceil(callMs * 0.8),
    lock_timeout: Math.ceil(Math.min(2_000, callMs * 0.6)),
    idle_in_transaction_session_timeout: callMs,
  };
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${String(value)}`)
    .join('; ');
}

function tlsOf({ tls, host, rootCertificate }: Settings): ClientConfig['ssl'] {
  if (tls === 'disable') return false;
  return {
    ca: rootCertificate === undefined ? undefined : fs.readFileSync(rootCertificate, 'utf8'),
    host,
    rejectUnauthorized: tls !== 'require',
    ...(tls === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}

/**
 * Limits only the time in which this program could have read the reply: one that was busy, for example replaying a long
 * journal, and a machine that was suspended, have not waited for the server.
 */
export async function withDeadline<T>(work: Promise<T>, ms: number, stop: () => void = () => undefined): Promise<T> {
  const step = Math.min(250, ms / 4);
  let timer: NodeJS.Timeout | undefined;
  let before = performance.now();
  let left = ms;
  const late = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const now = performance.now();
      const wasBusy = now - before > 2 * step;
      left -= Math.min(now - before, step);
      before = now;
      // What came while it was busy is read after this timer.
      if (left > 0 || (wasBusy && left > -ms)) return;
      stop();
      reject(new Error(`no reply within ${String(ms / 1000)} s`));
    }, step);
  });
  // When `stop` breaks the connection, the work fails too, after its time.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearInterval(timer);
  }
}

// Whether a pooler lends connections for one transaction each: then notifications and settings get lost between two.

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
