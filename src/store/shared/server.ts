/** The shared journal as the server keeps it: appending in its order, and reading. */
import { poolerProblem } from './pooler.ts';
import { ServerError } from './serverError.ts';
import type { Phase, ServerErrorCode } from './serverError.ts';
import { openSession } from './session.ts';
import type { Session, SessionOptions } from './session.ts';

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

export interface Turn extends Tail {
  /** Appends and ends the turn, in one round trip. Once. @throws ServerError */
  append(bytes: Buffer, ms?: number): Promise<Appended>;
}

export interface Shared {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly head: string;
  /** False while a local journal is being copied in. */
  readonly open: boolean;
}

export interface Server {
  /** @param ms how long the reply may take @throws ServerError */
  append(as: Writer, workspace: string, bytes: Buffer, ms?: number): Promise<Appended>;
  /**
   * Waits for the workspace's turn: until `act` is over, no other program appends. At most five seconds, then the server
   * ends it.
   * @throws ServerError, and what `act` throws
   */
  withTurn<T>(at: { as: Writer; workspace: string; from: number }, act: (turn: Turn) => Promise<T>): Promise<T>;
  /** @throws ServerError */
  tail(workspace: string, from: number, limit?: number): Promise<Tail>;
  /** The workspaces that this login is a member of. @throws ServerError */
  workspaces(): Promise<readonly Shared[]>;
  /** @throws ServerError `wrong` behind a pooler that lends connections for one transaction each */
  requireOwnConnection(): Promise<void>;
  /** For `administration.ts`. */
  readonly session: Session;
  close(): Promise<void>;
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
/** How long a turn waits for those before it: one that hangs ends after five seconds. Milliseconds. */
const turnMs = 6_000;
/** After these, there is no session whose transaction could be ended. */
const endsSession: ReadonlySet<ServerErrorCode> = new Set(['offline', 'rejected', 'unknown']);

/** Does not connect yet: the first call does. */
export function openServer(options: SessionOptions): Server {
  const session = openSession(options);
  return {
    session,
    async append(as, workspace, bytes, ms) {
      const text = `select * from holdpoint.append_${as}($1, $2)`;
      return appendedOf(await session.call<ReplyRow>('writing', text, [workspace, bytes], ms));
    },
    withTurn: ({ as, workspace, from }, act) =>
      session.together(async (call) => {
        const id = uuid(workspace);
        /** Whether the server has ended the transaction, or the session with it. */
        const transaction = { over: false };
        const inSession = async (phase: Phase, text: string, ms?: number): Promise<ReplyRow[]> => {
          try {
            return await call<ReplyRow>(phase, text, undefined, ms);
          } catch (error) {
            transaction.over ||= error instanceof ServerError && endsSession.has(error.code);
            throw error;
          }
        };
        const begin = `begin; select * from holdpoint.take_turn('${id}', ${offset(from)})`;
        try {
          const tail = tailOf(await inSession('reading', begin, turnMs));
          const append = async (bytes: Buffer, ms?: number): Promise<Appended> => {
            const hex = bytes.toString('hex');
            const text = `select * from holdpoint.append_${as}('${id}', decode('${hex}', 'hex')); commit`;
            const rows = await inSession('writing', text, ms);
            transaction.over = true;
            return appendedOf(rows);
          };
          return await act({ ...tail, append });
        } finally {
          if (!transaction.over) await inSession('reading', 'rollback').catch(() => undefined);
        }
      }),
    tail: async (workspace, from, limit = fullReply) =>
      tailOf(
        await session.call<ReplyRow>('reading', 'select * from holdpoint.tail($1, $2, $3)', [workspace, from, limit]),
      ),
    async workspaces() {
      const rows = await session.call<SharedRow>(
        'reading',
        'select id, name, size, head, opened_at is not null as open from holdpoint.workspace order by name',
      );
      return rows.map((row) => ({ ...row, size: Number(row.size) }));
    },
    async requireOwnConnection() {
      const problem = await poolerProblem(options);
      if (problem !== null) throw new ServerError('wrong', problem);
    },
    close: () => session.close(),
  };
}

interface SharedRow extends Omit<Shared, 'size'> {
  readonly size: string;
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

function appendedOf(rows: readonly ReplyRow[]): Appended {
  const tail = tailOf(rows);
  const { outcome, at } = rows[0] ?? { outcome: 'tail', at: null };
  if (outcome === 'lost' || outcome === 'forked') return { ...tail, outcome };
  if (outcome === 'tail' || at === null) throw new ServerError('wrong', 'the server sent the reply to another call');
  return { ...tail, outcome, at: Number(at) };
}

/** For texts with several statements, which cannot have parameters. */
function uuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
    throw new ServerError('wrong', 'this is not a workspace id');
  return text;
}

function offset(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new ServerError('wrong', 'this is not an offset');
  return String(value);
}
