/** What a login does on the server besides appending: workspaces, members and the key ring. All throw `ServerError`. */
import type { Server, Writer } from './server.ts';

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
