/**
 * The journal of a team: the server decides the order of acts, and each machine keeps a copy of the journal's files. An
 * act is decided on the copy; only appending goes to the server.
 */
import type { Actor } from '../../core/records/records.ts';
import { StoreError, unknownOutcome } from '../journal/problem.ts';
import type { Act, Journal, Opened, Prepared, View } from '../rows/journalPort.ts';
import { copyRows, isAt, nextOffset } from './replica.ts';
import type { Appended, Server, Tail, Writer } from './server.ts';
import { ServerError } from './serverError.ts';
import { within } from './session.ts';

/** What a contact showed: the copy ends where the server's journal does, or that one is not what was copied. */
export type Contact = 'current' | 'forked';

export interface PostgresJournalOptions {
  readonly workspace: string;
  readonly newId: () => string;
  /**
   * The connection whose login appends as this.
   * @throws StoreError when this program has no such login
   */
  readonly serverFor: (as: Writer) => Server;
  /** Brings the copy up to date. @throws StoreError */
  readonly pull: () => Promise<void>;
  /** Called with what a contact showed. */
  readonly onContact: (contact: Contact) => void;
  /** Resolves after that many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** An act that the rules allow now; without a line, there is nothing to append. */
interface Decided<T> {
  readonly line: Sent | null;
  readonly result: T;
}

type Sent = Pick<Prepared, 'line' | 'bytes'>;

interface Done<T> {
  readonly result: T;
}

/** How long an act is decided again while others come first. The reply that says so brings their lines. */
const attemptForMs = 4_000;
/** How long the outcome of an append is asked for in all, from when it was sent: its reply may have been lost. */
const settleForMs = 6_000;
/** How long one reply may take before it is asked for on another connection. */
const replyMs = 3_000;
const settleEveryMs = 250;

export interface PostgresJournal extends Journal {
  /** Resolves once the acts that are being committed are. */
  idle(): Promise<unknown>;
}

export function postgresJournal(opened: Opened, options: PostgresJournalOptions): PostgresJournal {
  const { workspace, pull, onContact } = options;
  /** All acts of this program use one state, so they are committed one after another. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    pull,
    idle: () => last,
    commit(actor, decide, op = options.newId()) {
      const next = last.then(() => commit(actor, decide, op));
      last = next.catch(() => undefined);
      return next;
    },
  };

  async function commit<T>(actor: Actor, decide: (view: View) => Act<T>, op: string): Promise<T> {
    const as: Writer = actor.kind === 'human' ? 'human' : 'agent';
    const server = options.serverFor(as);
    const prepare = () => prepared(op, actor, decide);
    for (const end = performance.now() + attemptForMs; performance.now() < end;) {
      try {
        const done = await attempt(server, as, prepare);
        if (done) return done.result;
      } catch (error) {
        if (!(error instanceof ServerError && error.code === 'busy')) throw storeErrorOf(error, as);
      }
    }
    throw new StoreError('offline', "not saved: the team's server is too busy; try again");
  }

  /** Decides on the copy as it is. What the copy refuses may be out of date, so the server is asked before it is said. */
  async function attempt<T>(server: Server, as: Writer, prepare: () => Decided<T>): Promise<Done<T> | null> {
    opened.ledger.catchUp();
    if (opened.ledger.size !== nextOffset(opened.ledger)) await server.reach().then(pull);
    let act: Decided<T>;
    try {
      act = prepare();
    } catch {
      await server.reach().then(pull);
      act = prepare();
    }
    const { line, result } = act;
    if (line === null) return { result };
    await server.reach();
    return settle(server, as, { line, result });
  }

  /** Waits until the outcome of an append is known. Null: the act is not in the journal, because another came first. */
  async function settle<T>(server: Server, as: Writer, { line, result }: { line: Sent; result: T }) {
    const end = performance.now() + settleForMs;
    let next = server.append(as, workspace, line.bytes, replyMs);
    for (let wasLost = false; ; wasLost = true) {
      try {
        return settled(await next, line) ? { result } : null;
      } catch (error) {
        const isOpen = isUnknown(error) || (wasLost && !(error instanceof ServerError && error.code === 'refused'));
        if (!isOpen || error instanceof StoreError) throw error;
        if (performance.now() >= end) throw unknownOutcome("The team's server did not reply.");
      }
      await options.sleep(settleEveryMs);
      // The same bytes: the server recognises the act by its id, and answers whether it is in the journal. What connecting
      // takes counts too; an attempt that comes later does no harm.
      next = within(
        server.append(as, workspace, line.bytes, replyMs),
        Math.max(settleEveryMs, end - performance.now()),
      );
    }
  }

  function settled(reply: Appended, sent: Sent): boolean {
    if (reply.outcome === 'forked') {
      onContact('forked');
      throw forked();
    }
    take(reply.outcome === 'won' ? { ...reply, rows: [{ at: sent.line.at, bytes: sent.bytes }] } : reply);
    return reply.outcome !== 'lost';
  }

  /** Copies what the server sent. @throws StoreError when the disk refuses */
  function take(tail: Tail): void {
    try {
      copyRows(opened.ledger, tail.rows);
    } catch (cause) {
      throw new StoreError('disk', 'this machine cannot write its copy of the shared journal', { cause });
    }
    if (isAt(opened.ledger, tail)) onContact('current');
  }

  /** Tries the act on the state, and undoes it: while the server is asked, others read the state. */
  function prepared<T>(op: string, actor: Actor, decide: (view: View) => Act<T>): Decided<T> {
    opened.requireWritable();
    const { records, result } = decide(opened.view());
    if (records.length === 0) return { line: null, result };
    const { folded, ...line } = opened.prepare(op, actor, records);
    folded.undo();
    return { line, result };
  }
}

function isUnknown(error: unknown): error is ServerError {
  return error instanceof ServerError && error.code === 'unknown';
}

export function forked(): StoreError {
  return new StoreError(
    'unknown-state',
    'The journal on the server is not the one that this machine has copied: the server was restored from a backup, or the copy was changed. Agents are paused until a human resolves this.',
  );
}

/** What callers of the store get instead of the server's errors. */
export function storeErrorOf(error: unknown, as: Writer = 'agent'): unknown {
  if (!(error instanceof ServerError)) return error;
  const { code, message: why } = error;
  if (code === 'refused') return new StoreError('refused', why, { cause: error });
  if (code === 'unknown') return unknownOutcome(why);
  return new StoreError('offline', `not saved: ${unsaved(error, as)}`, { cause: error });
}

function unsaved({ code, message }: ServerError, as: Writer): string {
  if (code === 'rejected') return `the server refused the connection: ${message}`;
  if (code !== 'offline') return message;
  return `the team's server does not answer; ${as === 'agent' ? 'stop, and ask again' : 'try again later'} (${message})`;
}
