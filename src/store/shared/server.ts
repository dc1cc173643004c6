/** The shared journal as the server keeps it: appending in its order, and reading. */
import { poolerProblem } from './pooler.ts';
import { ServerError } from './serverError.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

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
