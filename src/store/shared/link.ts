/** This program's connection to the server of a shared workspace: it appends, keeps the machine's copy current, and listens. */
import type { Moment } from '../../core/hold/freshness.ts';
import type { FileSystem } from '../journal/files.ts';
import { createJournal } from '../journal/journalFile.ts';
import type { Ledger } from '../journal/ledger.ts';
import { StoreError } from '../journal/problem.ts';
import type { Journal, Opened } from '../rows/journalPort.ts';
import { ring } from './administration.ts';
import { forked, postgresJournal, storeErrorOf, type Contact, type PostgresJournal } from './postgresJournal.ts';
import { nextOffset, pullRows, rebuildCopy } from './replica.ts';
import { openServer, type Server, type Writer } from './server.ts';
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
   * Brings the copy up to date with what the server has when this is called. Several calls at once share a request.
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
  /** The acts of the store that is open. */
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
      if (found === 'forked') throw forked();
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
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
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
