/** This program's connection to the server of a shared workspace: it appends, keeps the machine's copy current, and listens. */
import type { FileSystem } from '../journal/files.ts';
import { createJournal } from '../journal/journalFile.ts';
import type { Ledger } from '../journal/ledger.ts';
import { StoreError } from '../journal/problem.ts';
import type { Journal, Opened } from '../rows/journalPort.ts';
import { ring } from './administration.ts';
import { follow } from './follower.ts';
import type { Follower } from './follower.ts';
import { forked, isOffline, postgresJournal, storeErrorOf } from './postgresJournal.ts';
import type { Contact, PostgresJournal } from './postgresJournal.ts';
import { nextOffset, pullRows } from './replica.ts';
import { rebuildCopy } from './rebuild.ts';
import { openServer } from './server.ts';
import type { Server, Writer } from './server.ts';
import { ServerError } from './serverError.ts';
import type { Settings } from './settings.ts';

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
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** The server has just shown that the copy ends where its journal does, or that it has another journal. */
  readonly onContact: (contact: 'current' | 'forked', end: ConfirmedEnd) => void;
}

export interface ConfirmedEnd extends Pick<Ledger, 'position' | 'head'> {
  /** When the server was asked. Milliseconds since the epoch. */
  readonly asked: number;
}

/** What the last contact showed. */
export type LinkStanding =
  | { readonly kind: 'untried' }
  | { readonly kind: 'current'; readonly at: number }
  /** @param since when the server first could not be reached; milliseconds since the epoch */
  | { readonly kind: 'offline'; readonly since: number; readonly why: string }
  | { readonly kind: 'forked' };

export interface Link {
  /** Id of the shared workspace. */
  readonly workspace: string;
  readonly standing: LinkStanding;
  /** For a store that was opened on the copy. */
  journal(opened: Opened): Journal;
  /**
   * Brings the copy up to date with what the server has when this is called. Several calls at once share a request.
   * @throws StoreError `offline`, `unknown-state` (the server has another journal), `disk`
   */
  pull(ledger: Ledger): Promise<void>;
  /** The records of the key ring, in order; nothing is verified. @throws StoreError */
  ring(): Promise<readonly Uint8Array[]>;
  /** Fetches the whole journal again. @throws StoreError `offline`, `disk` */
  rebuild(): Promise<void>;
  /**
   * Calls back whenever the server may have something new, and at least every two seconds.
   * @param onHint `lines`: another program appended; `anything`: the key ring may have changed as well
   */
  listen(onHint: (what: 'lines' | 'anything') => void): void;
  /** The server of one kind of login, for what is neither appending nor reading. @throws StoreError */
  server(as: Writer): Server;
  close(): Promise<void>;
}

interface Pulling {
  readonly ledger: Ledger;
  readonly done: Promise<void>;
  /** The one that begins after it, for all who called meanwhile. */
  next: Promise<void> | null;
}

/** How often settings that were wrong are read again. Milliseconds. */
const settingsEveryMs = 2_000;

export function openLink(options: LinkOptions): Link {
  const { workspace, clock } = options;
  const servers = new Map<Writer, Server>();
  let standing: LinkStanding = { kind: 'untried' };
  let follower: Follower | null = null;
  let pulling: Pulling | null = null;
  /** The acts of the store that is open. */
  let acts: { readonly opened: Opened; readonly journal: PostgresJournal } | null = null;
  let closed = false;
  let settingsRetry: NodeJS.Timeout | undefined;

  function settings(as: Writer): Settings | null {
    try {
      return options.settingsFor(as);
    } catch (error) {
      throw storeErrorOf(error);
    }
  }

  /** For the next connection. @throws ServerError */
  function settingsNow(as: Writer): Settings {
    const found = options.settingsFor(as);
    if (!found) throw new ServerError('wrong', noLogin[as]);
    return found;
  }

  function server(as: Writer): Server {
    // A connection that is opened after closing would keep the program from ending.
    if (closed) throw new StoreError('closed', 'the workspace was closed meanwhile');
    const known = servers.get(as);
    if (known) return known;
    if (!settings(as)) throw new StoreError('offline', noLogin[as]);
    const opened = openServer({ settings: () => settingsNow(as) });
    servers.set(as, opened);
    return opened;
  }

  /** Any login may read. */
  function anyServer(): Server {
    return servers.get('agent') ?? servers.get('human') ?? server(settings('agent') ? 'agent' : 'human');
  }

  /** @param asked when the server was asked: what it has got since is not in its answer */
  function note(contact: Contact, ledger: Ledger, asked: number): void {
    if (contact.kind === 'offline') {
      if (standing.kind !== 'offline') standing = { kind: 'offline', since: clock(), why: contact.why };
      return;
    }
    standing = contact.kind === 'current' ? { kind: 'current', at: clock() } : contact;
    options.onContact(contact.kind, { position: ledger.position, head: ledger.head, asked });
  }

  async function pullOnce(ledger: Ledger): Promise<void> {
    const asked = clock();
    try {
      if (ledger.fresh) createJournal(options.fs, options.root, options.newId);
      const { kind } = await pullRows(ledger, anyServer(), workspace);
      note({ kind }, ledger, asked);
      if (kind === 'forked') throw forked();
    } catch (error) {
      if (isOffline(error)) note({ kind: 'offline', why: error.message }, ledger, asked);
      const failed = storeErrorOf(error);
      if (failed instanceof StoreError) throw failed;
      throw new StoreError('disk', "this machine's copy of the shared journal cannot be used", { cause: error });
    }
  }

  function pull(ledger: Ledger): Promise<void> {
    const before = pulling;
    if (before?.ledger !== ledger) return start(ledger, pullOnce(ledger));
    // The server may have replied to that one already, and got something new since.
    before.next ??= before.done.then(
      () => start(ledger, pullOnce(ledger)),
      () => start(ledger, pullOnce(ledger)),
    );
    return before.next;
  }

  function start(ledger: Ledger, pulled: Promise<void>): Promise<void> {
    const one: Pulling = { ledger, done: pulled, next: null };
    const over = () => {
      if (pulling === one) pulling = null;
    };
    pulled.then(over, over);
    pulling = one;
    return pulled;
  }

  /**
   * Whether the copy has the line that a notification is about: most are about this program's own acts. Asking the
   * server for those would make the next act wait, because a connection takes one call at a time.
   */
  async function isCopied(reached: number): Promise<boolean> {
    await acts?.journal.idle();
    return acts !== null && acts.opened.ledger.problem === null && nextOffset(acts.opened.ledger) >= reached;
  }

  /** Connects, so that the first act of a human need not wait for that. */
  function greet(): void {
    try {
      if (closed || !settings('human')) return;
      server('human')
        .session.call('reading', 'select')
        .catch(() => undefined);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error; // the act will say what is wrong
    }
  }

  function listen(onHint: (what: 'lines' | 'anything') => void): void {
    if (closed || follower) return;
    try {
      const as = settings('agent') ? 'agent' : 'human';
      if (!settings(as)) return;
      follower = follow({
        settings: () => settingsNow(as),
        workspace,
        onHint(why, reached) {
          if (why === 'connected') greet();
          if (reached === null) onHint('anything');
          else void isCopied(reached).then((copied) => !copied && onHint('lines'));
        },
      });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (standing.kind !== 'offline') standing = { kind: 'offline', since: clock(), why: error.message };
      // A human may correct the settings meanwhile.
      clearTimeout(settingsRetry);
      settingsRetry = setTimeout(() => {
        listen(onHint);
      }, settingsEveryMs);
    }
  }

  return {
    workspace,
    get standing() {
      return standing;
    },
    journal(opened) {
      let asked = clock();
      const journal = postgresJournal(opened, {
        workspace,
        newId: options.newId,
        // Called at the beginning of each act, and acts come one after another.
        serverFor(as) {
          asked = clock();
          return server(as);
        },
        pull: () => pull(opened.ledger),
        onContact(contact) {
          note(contact, opened.ledger, asked);
        },
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      });
      acts = { opened, journal };
      return journal;
    },
    pull,
    async ring() {
      try {
        return (await ring(anyServer(), workspace)).map(({ record }) => record);
      } catch (error) {
        throw storeErrorOf(error);
      }
    },
    async rebuild() {
      try {
        await rebuildCopy(options, anyServer(), workspace);
      } catch (error) {
        const failed = storeErrorOf(error);
        if (failed instanceof StoreError) throw failed;
        throw new StoreError('disk', "this machine's copy of the shared journal cannot be written", { cause: error });
      }
    },
    listen,
    server,
    async close() {
      closed = true;
      clearTimeout(settingsRetry);
      await follower?.close();
      await Promise.all([...servers.values()].map((one) => one.close()));
      servers.clear();
    },
  };
}

const noLogin: Readonly<Record<Writer, string>> = {
  agent:
    "this program has no agents' login to the shared journal: set HOLDPOINT_DATABASE_URL, or name a service in pg_service.conf",
  human: 'this editor has no login of yours to the shared journal: connect it in the Holdpoint settings',
};
