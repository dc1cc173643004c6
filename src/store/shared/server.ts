/** The shared journal as the server keeps it: appending in its order, and reading. */
import { poolerProblem, openSession, type Session, type SessionOptions } from './session.ts';
import { ServerError } from './settings.ts';

/** A line, or bytes that are no line, at their offset in the journal. */
export interface Row {
  readonly at: number;
  readonly bytes: Buffer;
}

/** The end of the whole journal, and the rows from the caller's position on, as far as one reply holds them. */
export interface Tail {
  readonly size: number;
  readonly head: string;
  readonly rows: readonly Row[];
}

export type Appended = Tail &
  (
    | { readonly outcome: 'won'; readonly at: number }
    /** Another line is at this place. `rows` begin with it. */
    | { readonly outcome: 'lost' }
    /** This act is in the journal already, at `at`. `rows` begin at the place where the caller wanted it. */
    | { readonly outcome: 'duplicate'; readonly at: number }
    /** The caller's lines are not the server's: nothing may be decided on them. */
    | { readonly outcome: 'forked' }
  );

/** Which function of the server: each is open to one kind of login. */
export type Writer = 'agent' | 'human';

export interface Shared {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** False while a local journal is being copied in. */
  readonly open: boolean;
}

export interface Server extends Session {
  /** @param ms how long the reply may take @throws ServerError */
  append(as: Writer, workspace: string, bytes: Buffer, ms?: number): Promise<Appended>;
  /** @throws ServerError */
  tail(workspace: string, from: number, limit?: number): Promise<Tail>;
  /** The workspaces that this login is a member of. @throws ServerError */
  workspaces(): Promise<readonly Shared[]>;
  /** @throws ServerError `wrong` behind a pooler that lends connections for one transaction each */
  requireOwnConnection(): Promise<void>;
}

interface ReplyRow {
  readonly outcome: 'won' | 'lost' | 'duplicate' | 'forked' | 'tail';
  readonly at: string | null;
  readonly size: string;
  readonly head: string;
  readonly line_at: string | null;
  readonly line_bytes: Buffer | null;
}

const fullReply = 5_000;

/** Does not connect yet: the first call does. */
export function openServer(options: SessionOptions): Server {
  const session = openSession(options);
  return {
    ...session,
    async append(as, workspace, bytes, ms) {
      const text = `select * from holdpoint.append_${as}($1, $2)`;
      const rows = await session.call<ReplyRow>('writing', text, [workspace, bytes], ms);
      const tail = tailOf(rows);
      const { outcome, at } = rows[0] ?? { outcome: 'tail', at: null };
      if (outcome === 'lost' || outcome === 'forked') return { ...tail, outcome };
      if (outcome === 'tail' || at === null)
        throw new ServerError('wrong', 'the server sent the reply to another call');
      return { ...tail, outcome, at: Number(at) };
    },
    async tail(workspace, from, limit = fullReply) {
      const text = 'select * from holdpoint.tail($1, $2, $3)';
      return tailOf(await session.call<ReplyRow>('reading', text, [workspace, from, limit]));
    },
    async workspaces() {
      const rows = await session.call<Omit<Shared, 'size'> & { readonly size: string }>(
        'reading',
        'select id, name, size, opened_at is not null as open from holdpoint.workspace order by name',
      );
      return rows.map((row) => ({ ...row, size: Number(row.size) }));
    },
    async requireOwnConnection() {
      const problem = await poolerProblem(options);
      if (problem !== null) throw new ServerError('wrong', problem);
    },
  };
}

function tailOf(rows: readonly ReplyRow[]): Tail {
  const [first] = rows;
  if (!first) throw new ServerError('wrong', 'the server sent an empty reply');
  return {
    size: Number(first.size),
    head: first.head,
    rows: rows.flatMap(({ line_at: at, line_bytes: bytes }) =>
      at === null || bytes === null ? [] : [{ at: Number(at), bytes }],
    ),
  };
}

// What a login does on the server besides appending: workspaces, members and the key ring. All throw `ServerError`.

async function run<T>(server: Server, name: string, ...values: readonly unknown[]): Promise<T> {
  const places = values.map((_, index) => `$${String(index + 1)}`).join(', ');
  const text = `select holdpoint.${name}(${places}) as result`;
  const [row] = await server.call<{ result: T }>('writing', text, values);
  return row?.result as T;
}

export interface Member {
  readonly login: string;
  readonly kind: Writer;
  /** The human, for an agents' login as well. */
  readonly person: string;
  readonly admin: boolean;
}

/** The caller becomes its first administrator. It is filled first, and opened then. */
export function createWorkspace(
  server: Server,
  { id, name, person }: { readonly id: string; readonly name: string; readonly person: string },
): Promise<void> {
  return run(server, 'create_workspace', id, name, person);
}

/** Bytes of a local journal: a valid line, or others (`filler`, at most 1 MiB each). */
export interface ImportRow {
  readonly kind: 'line' | 'filler';
  readonly bytes: Buffer;
}

/** Adds rows to a workspace that is being filled and ends at `at`. @returns its end after them */
export async function importRows(
  server: Server,
  workspace: string,
  at: number,
  rows: readonly ImportRow[],
): Promise<number> {
  const columns = [rows.map(({ kind }) => kind), rows.map(({ bytes }) => bytes)];
  return Number(await run<string>(server, 'import_lines', workspace, at, ...columns));
}

/** Also refused if the server's journal differs from the copy. */
export function openWorkspace(
  server: Server,
  workspace: string,
  { size, head }: { readonly size: number; readonly head: string },
): Promise<void> {
  return run(server, 'open_workspace', workspace, size, head);
}

export function members(server: Server, workspace: string): Promise<readonly Member[]> {
  const text =
    'select login, kind, person, admin from holdpoint.member where workspace = $1 order by person, kind desc, login';
  return server.call<Member>('reading', text, [workspace]);
}

/** Whose login this is in the workspace; null if it is not a member. */
export async function ownPerson(server: Server, workspace: string): Promise<string | null> {
  const text = 'select person from holdpoint.member where workspace = $1 and login = session_user';
  return (await server.call<{ person: string }>('reading', text, [workspace]))[0]?.person ?? null;
}

/** The login exists: `prepareDatabase` made it. A member's name can change, its kind cannot. */
export function addMember(
  server: Server,
  workspace: string,
  { login, kind, person }: Omit<Member, 'admin'>,
): Promise<void> {
  return run(server, 'add_member', workspace, login, kind, person);
}

export function removeMember(server: Server, workspace: string, login: string): Promise<void> {
  return run(server, 'remove_member', workspace, login);
}

/** The records of the key ring, in order, as their bytes were signed, or anything else. Nothing here checks them. */
export async function ring(server: Server, workspace: string): Promise<readonly Buffer[]> {
  const text = 'select record from holdpoint.ring where workspace = $1 order by seq';
  return (await server.call<{ record: Buffer }>('reading', text, [workspace])).map(({ record }) => record);
}

/**
 * @param after how many rows the caller has read
 * @returns `lost` when another row came first: read it and sign again
 */
export function appendRing(
  server: Server,
  workspace: string,
  record: Uint8Array,
  after: number,
): Promise<'won' | 'lost' | 'duplicate'> {
  return run(server, 'append_ring', workspace, Buffer.from(record), after);
}
