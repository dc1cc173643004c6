/** This program's connection to the server of a shared workspace: it appends, keeps the machine's copy current, and listens. */
import { setTimeout } from 'node:timers/promises';
import type { Moment } from '../../core/hold/freshness.ts';
import type { FileSystem } from '../journal/files.ts';
import { createJournal } from '../journal/journalFile.ts';
import type { Ledger } from '../journal/ledger.ts';
import { StoreError, unknownOutcome } from '../journal/problem.ts';
import type { Journal, Opened, Act, Prepared, View } from '../rows/index.ts';
import { ring, openServer, type Server, type Writer, type Appended, type Tail } from './server.ts';
import { nextOffset, pullRows, rebuildCopy, copyRows, isAt } from './replica.ts';
import { ServerError, type Settings } from './settings.ts';
import type { Actor } from '../../core/records/records.ts';
import { withDeadline } from './session.ts';

// The journal of a team: the server decides the order of acts, and each machine keeps a copy of the journal's files. An
// act is decided on the copy; only appending goes to the server.

/** What a contact showed: the copy ends where the server's journal does, or that one is not what was copied. */
type Contact = 'current' | 'forked';

interface PostgresJournalOptions {
  readonly workspace: string;
  readonly newId: () => string;
  /**
   * The connection whose login appends as this.
   * @throws StoreError when this program has no such login
   */
  readonly serverFor: (as: Writer) => Server;
  /** Brings the copy up to date. @throws StoreError */
  readonly pull: () => Promise<void>;
  readonly onContact: (contact: Contact) => void;
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

interface PostgresJournal extends Journal {
  /** Resolves once the acts that are being committed are. */
  idle(): Promise<unknown>;
}

function postgresJournal(opened: Opened, options: PostgresJournalOptions): PostgresJournal {
  const { workspace, pull, onContact } = options;
  /** All acts of this program use one state, so they are committed one after another. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    pull,
    idle: () => last,
    commit(actor, decide) {
      const next = last.then(() => commit(actor, decide));
      last = next.catch(() => undefined);
      return next;
    },
  };

  async function commit<T>(actor: Actor, decide: (view: View) => Act<T>): Promise<T> {
    const op = options.newId();
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
      await setTimeout(settleEveryMs);
      // The same bytes: the server recognises the act by its id, and answers whether it is in the journal. What connecting
      // takes counts too; an attempt that comes later does no harm.
      next = withDeadline(
        server.append(as, workspace, line.bytes, replyMs),
        Math.max(settleEveryMs, end - performance.now()),
      );
    }
  }

  function settled(reply: Appended, sent: Sent): boolean {
    if (reply.outcome === 'forked') {
      onContact('forked');
      throw forkedError();
    }
    take(reply.outcome === 'won' ? { ...reply, rows: [{ at: sent.line.at, bytes: sent.bytes }] } : reply);
    return reply.outcome !== 'lost';
  }

  /** Copies the lines that the server sent. @throws StoreError when the disk refuses */
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
    const { folded, ...line } = opened.prepare(op, actor, records, nextOffset(opened.ledger));
    folded.undo();
    return { line, result };
  }
}

function isUnknown(error: unknown): error is ServerError {
  return error instanceof ServerError && error.code === 'unknown';
}

function forkedError(): StoreError {
  return new StoreError(
    'unknown-state',
    'The journal on the server is not the one that this machine has copied: the server was restored from a backup, or the copy was changed. Agents are paused until a human resolves this.',
  );
}

/** What callers of the store get instead of the server's errors. */
function storeErrorOf(error: unknown, as: Writer = 'agent'): unknown {
  if (!(error instanceof ServerError)) return error;
  const { code, message: why } = error;
  if (code === 'refused') return new StoreError('refused', why, { cause: error });
  if (code === 'unknown') return unknownOutcome(why);
  return new StoreError('offline', `not saved: ${unsavedReason(error, as)}`, { cause: error });
}

function unsavedReason({ code, message }: ServerError, as: Writer): string {
  if (code === 'rejected') return `the server refused the connection: ${message}`;
  if (code !== 'offline') return message;
  return `the team's server does not answer; ${as === 'agent' ? 'stop, and ask again' : 'try again later'} (${message})`;
}

export interface LinkOptions {
  readonly root: string;
  readonly fs: FileSystem;
  readonly workspace: string;
  /**
   * Where a login of this kind connects to; null when this program has none. Called again for each connection, because a
   * password can change while this program runs.
   * @throws ServerError
   */
  readonly settingsFor: (as: Writer) => Settings | null;
  readonly newId: () => string;
  readonly now: () => Moment;
  /** The server has just shown that the copy ends where its journal does, or that it has another journal. */
  readonly onContact: (contact: Contact, end: ConfirmedEnd) => void;
}

export interface ConfirmedEnd extends Pick<Ledger, 'position' | 'head'> {
  /** When the server was asked: what it has got since is not in its answer. */
  readonly asked: Moment;
}

export interface Link {
  readonly workspace: string;
  /** For a store that was opened on the copy. */
  journal(opened: Opened): Journal;
  /**
   * Brings the copy up to date with the server as of this call. Concurrent calls share a request.
   * @throws StoreError `offline`, `unknown-state` (the server has another journal), `disk`
   */
  pull(ledger: Ledger): Promise<void>;
  /** The records of the key ring, in order; nothing is verified. @throws StoreError */
  ring(): Promise<readonly Uint8Array[]>;
  /** Fetches the whole journal again. @throws StoreError `offline`, `disk` */
  rebuild(): Promise<void>;
  /**
   * Calls back whenever the server may have something new, and at least every two seconds: what is notified is a hint, and
   * the reader asks the server.
   * @param onHint `lines`: another program appended; `anything`: the key ring may have changed as well
   */
  listen(onHint: (what: 'lines' | 'anything') => void): void;
  close(): Promise<void>;
}

const pollMs = 2_000;

export function openLink(options: LinkOptions): Link {
  const { workspace, now } = options;
  const servers = new Map<Writer, Server>();
  /** The pull that has not begun yet: one that has may have its reply already. */
  let waiting: { readonly ledger: Ledger; readonly pulled: Promise<void> } | null = null;
  let lastPull: Promise<unknown> = Promise.resolve();
  let acts: { readonly opened: Opened; readonly journal: PostgresJournal } | null = null;
  let hint: Parameters<Link['listen']>[0] = () => undefined;
  let poll: NodeJS.Timeout | undefined;
  let closed = false;

  /** @throws StoreError */
  function server(as: Writer): Server {
    // A connection that is opened after closing would keep the program from ending.
    if (closed) throw new StoreError('closed', 'the workspace was closed in the meantime');
    const known = servers.get(as);
    if (known) return known;
    const settings = () => {
      const found = options.settingsFor(as);
      if (found) return found;
      throw new ServerError('wrong', noLogin[as]);
    };
    const listen = { channel: `holdpoint_${workspace}`, onHeard: (payload: string) => void heard(payload) };
    const opened = openServer({ settings, listen });
    servers.set(as, opened);
    return opened;
  }

  /** Any login may read. */
  function anyServer(): Server {
    const [open] = servers.values();
    return open ?? server(options.settingsFor('agent') ? 'agent' : 'human');
  }

  /**
   * Most notifications are about this program's own acts. Asking the server for those would make the next act wait, because
   * a connection takes one call at a time.
   */
  async function heard(payload: string): Promise<void> {
    if (!/^\d{1,15}$/.test(payload)) {
      hint('anything');
      return;
    }
    await acts?.journal.idle();
    const { ledger } = acts?.opened ?? {};
    if (ledger?.problem !== null || nextOffset(ledger) < Number(payload)) hint('lines');
  }

  function contact(kind: Contact, { position, head }: Ledger, asked: Moment): void {
    options.onContact(kind, { position, head, asked });
  }

  async function pullOnce(ledger: Ledger): Promise<void> {
    const asked = now();
    await orStoreError(async () => {
      if (ledger.fresh) createJournal(options.fs, options.root, options.newId);
      const found = await pullRows(ledger, anyServer(), workspace);
      contact(found, ledger, asked);
      if (found === 'forked') throw forkedError();
    });
  }

  function pull(ledger: Ledger): Promise<void> {
    if (waiting?.ledger === ledger) return waiting.pulled;
    const pulled = lastPull.then(() => {
      waiting = null;
      return pullOnce(ledger);
    });
    waiting = { ledger, pulled };
    lastPull = pulled.catch(() => undefined);
    return pulled;
  }

  return {
    workspace,
    journal(opened) {
      let asked = now();
      const journal = postgresJournal(opened, {
        workspace,
        newId: options.newId,
        // Called at the beginning of each act, and acts come one after another.
        serverFor(as) {
          asked = now();
          return server(as);
        },
        pull: () => pull(opened.ledger),
        onContact(kind) {
          contact(kind, opened.ledger, asked);
        },
      });
      acts = { opened, journal };
      return journal;
    },
    pull,
    ring: () => orStoreError(() => ring(anyServer(), workspace)),
    rebuild: () => orStoreError(() => rebuildCopy(options, anyServer(), workspace)),
    listen(onHint) {
      hint = onHint;
      clearInterval(poll);
      if (closed) return;
      onHint('anything');
      poll = setInterval(onHint, pollMs, 'anything');
    },
    async close() {
      closed = true;
      hint = () => undefined;
      clearInterval(poll);
      await Promise.all([...servers.values()].map((one) => one.close()));
      servers.clear();
    },
  };
}

async function orStoreError<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const failed = storeErrorOf(error);
    if (failed instanceof StoreError) throw failed;
    throw new StoreError('disk', "this machine's copy of the shared journal cannot be used", { cause: error });
  }
}

const noLogin: Readonly<Record<Writer, string>> = {
  agent: "this program has no agents' login to the shared journal: join the team again, or set HOLDPOINT_DATABASE_URL",
  human: 'this editor has no login of yours to the shared journal: connect it in the Holdpoint settings',
};
