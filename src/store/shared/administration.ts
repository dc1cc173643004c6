/** What a human's login does on the server beside appending: workspaces, members and the key ring. */
import type { Server, Writer } from './server.ts';

export interface Member {
  readonly login: string;
  readonly kind: Writer;
  /** The human, for an agents' login as well. */
  readonly person: string;
  readonly admin: boolean;
}

/** The caller becomes its first administrator. It is filled first, and opened then. @throws ServerError */
export async function createWorkspace(
  { session }: Server,
  { id, name, person }: { readonly id: string; readonly name: string; readonly person: string },
): Promise<void> {
  await session.call('writing', 'select holdpoint.create_workspace($1, $2, $3)', [id, name, person]);
}

/** Bytes of a local journal: a line that counts, or others (`filler`, at most 1 MiB each). */
export interface ImportRow {
  readonly at: number;
  readonly kind: 'line' | 'filler';
  readonly bytes: Buffer;
}

/**
 * Adds rows at the end of a workspace that is being filled.
 * @param end offset after them
 * @throws ServerError
 */
export async function importRows(
  { session }: Server,
  workspace: string,
  rows: readonly ImportRow[],
  end: number,
): Promise<void> {
  await session.call('writing', 'select holdpoint.import_lines($1, $2, $3, $4)', [
    workspace,
    [...rows.map(({ at }) => at), end],
    rows.map(({ kind }) => kind),
    rows.map(({ bytes }) => bytes),
  ]);
}

/** @throws ServerError, also when the server does not have exactly what was copied */
export async function openWorkspace(
  { session }: Server,
  workspace: string,
  { size, head }: { readonly size: number; readonly head: string },
): Promise<void> {
  await session.call('writing', 'select holdpoint.open_workspace($1, $2, $3)', [workspace, size, head]);
}

/** @throws ServerError */
export async function members({ session }: Server, workspace: string): Promise<readonly Member[]> {
  const text =
    'select login, kind, person, admin from holdpoint.member where workspace = $1 order by person, kind desc, login';
  return session.call<Member>('reading', text, [workspace]);
}

/** Whose login this is in the workspace; null if it is not a member. @throws ServerError */
export async function ownPerson({ session }: Server, workspace: string): Promise<string | null> {
  const text = 'select person from holdpoint.member where workspace = $1 and login = session_user';
  return (await session.call<{ person: string }>('reading', text, [workspace]))[0]?.person ?? null;
}

/** The login exists: `prepareDatabase` made it. A member's name and administration can change, its kind cannot. @throws ServerError */
export async function addMember(
  { session }: Server,
  workspace: string,
  { login, kind, person, admin }: Member,
): Promise<void> {
  await session.call('writing', 'select holdpoint.add_member($1, $2, $3, $4, $5)', [
    workspace,
    login,
    kind,
    person,
    admin,
  ]);
}

/** @throws ServerError */
export async function removeMember({ session }: Server, workspace: string, login: string): Promise<void> {
  await session.call('writing', 'select holdpoint.remove_member($1, $2)', [workspace, login]);
}

/** A row of the key ring: a record as its bytes were signed, or anything else. Nothing here checks it. */
export interface RingRow {
  /** Of the row. */
  readonly seq: number;
  readonly hash: string;
  readonly record: Buffer;
}

/** @throws ServerError */
export async function ring({ session }: Server, workspace: string, from = 0): Promise<readonly RingRow[]> {
  const text = 'select seq, hash, record from holdpoint.ring where workspace = $1 and seq >= $2 order by seq';
  return session.call<RingRow>('reading', text, [workspace, from]);
}

/**
 * @param after how many rows the caller has read
 * @returns `lost` when another row came first: read it and sign again
 * @throws ServerError
 */
export async function appendRing(
  { session }: Server,
  workspace: string,
  record: Uint8Array,
  after: number,
): Promise<'won' | 'lost' | 'duplicate'> {
  const text = 'select holdpoint.append_ring($1, $2, $3) as outcome';
  const values = [workspace, Buffer.from(record), after];
  const rows = await session.call<{ outcome: 'won' | 'lost' | 'duplicate' }>('writing', text, values);
  return rows[0]?.outcome ?? 'lost';
}
