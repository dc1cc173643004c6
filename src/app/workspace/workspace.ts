/** One workspace, as opened by every head. Reads nothing from the environment: everything is passed as options. */
import path from 'node:path';
import { createTrust } from '../../trust/envelope.ts';
import { type PinnedKey, keyringFile } from '../../trust/keyring.ts';
import { isOnlyMore, openRing, type SeenRing, acceptsSaved } from './keyRing.ts';
import { isManaged, managedFolder } from './thisMachine.ts';
import type { Folded } from '../../core/fold/fold.ts';
import { notificationOf, type Notification } from '../../core/waiting/eventStream.ts';
import type { CountedLine } from '../../core/records/records.ts';
import type { CurrentState, State } from '../../core/state/state.ts';
import { markOfFiles, watchJournal } from '../../store/journal/journalFile.ts';
import { foldsCase, type FileSystem } from '../../store/journal/files.ts';
import { findStore, relativeTo, type StoreLocation } from '../../store/journal/findStore.ts';
import { openLedger, type Ledger, type LedgerOptions } from '../../store/journal/ledger.ts';
import { StoreError, canBeRebuilt, ignoreErrors, type Problem } from '../../store/journal/problem.ts';
import { advanceTo, loadState } from '../../store/saved/snapshot.ts';
import { loadCurrent } from '../../store/saved/current.ts';
import { openStateFile, userFolder, type StateFile } from '../../store/journal/stateFile.ts';
import { openConfirmed, type ConfirmedFile } from '../../store/shared/confirmed.ts';
import type { Opened } from '../../store/rows/index.ts';
import type { Store } from '../../store/store.ts';
import { longReplay, readFirst, saveWhenIdle } from './savingWhenIdle.ts';
import { teamOf, type Team } from './sharedFile.ts';
import { sweepOpened } from './sweep.ts';
import { openConnection } from './connection.ts';
import { confirmingOf, type Confirming } from './freshness.ts';
import type { Link } from '../../store/shared/link.ts';

/** Resolves when the work has succeeded or failed, or with the time. */
async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** A question or RFC whose held files are to be noted. */
export interface HoldToNote {
  readonly id: string;
  readonly asker: { readonly worktree?: string | undefined };
  readonly scopes: readonly string[];
}

export interface WrittenBaseline {
  readonly hash: string;
  /** How many files it lists. */
  readonly files: number;
}

export interface WorkspaceOptions {
  /** Absolute path of an existing folder: the workspace folder, or `--workspace`. */
  readonly folder: string;
  /** Where its store is, for callers that know it; default: found from the folder. */
  readonly location?: StoreLocation | undefined;
  readonly fs: FileSystem;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A fresh random UUID. */
  readonly newId: () => string;
  /** Reads a long journal and writes snapshots in another thread, so that it does not block this one. Default: in this one. */
  readonly saveBeside?: (() => Promise<void>) | undefined;
  /** Writes baselines in another thread: one for each hold, in their order. Default: in this one. */
  readonly baselinesBeside?: ((holds: readonly HoldToNote[]) => Promise<readonly WrittenBaseline[]>) | undefined;
  /** Folder of an administrator's key ring; default: the platform's. */
  readonly managedFolder?: string | undefined;
  /** False where nothing may be written, for example in a folder that is not trusted. Default: true. */
  readonly mayWrite?: () => boolean;
  /** Bytes of sql-wasm.wasm, plain or in Brotli; requested only when rows are needed. */
  readonly wasm: () => Uint8Array;
  /** URL of the human's own login to a shared journal, which only the editor has. Default: none. */
  readonly humanLogin?: (() => string | null) | undefined;
  /** False: the store has no rows where it can do without, so that no database is loaded. Default: true. */
  readonly rows?: boolean | undefined;
  /**
   * True for programs that only read this machine's files and save what they read: the server of a shared journal is not
   * asked, and what is due is left to others. Default: false.
   */
  readonly filesOnly?: boolean | undefined;
}

/** The current domain state, or why it is unknown. */
export type Standing<S = State> =
  { readonly state: S; readonly problem: null } | { readonly state: null; readonly problem: Problem };

export interface Workspace {
  readonly options: WorkspaceOptions;
  readonly location: StoreLocation;
  /** The worktree relative to the store's root, `/`-separated; `.` for the root itself. */
  readonly worktree: string;
  /** Whether this platform's file systems usually fold case. */
  readonly ignoreCase: boolean;
  readonly stateFile: StateFile;
  /** When the server of a shared journal last confirmed this machine's copy. */
  readonly confirmed: ConfirmedFile;
  /** Confirms for gates; null where the journal is this machine's own. */
  readonly confirming: Confirming | null;
  /** Folder of the user-level files: anchors and the key ring. */
  readonly userFolder: string;
  now(): string;
  pins(): readonly PinnedKey[];
  managedPins(): string | null;
  /** Whose key ring alone counts, if the workspace is shared; null also where keys are managed. */
  team(): Team | null;
  /** Whose agents the programs of this machine are, if the workspace is shared. Part of their ids. */
  person(): string | null;
  /** The current state without SQLite. */
  standing(): Standing;
  /** The part of it that gates and hooks answer from, which is read quickly. */
  current(): Standing<CurrentState>;
  /** How far the journal was read. */
  position(): { readonly position: number; readonly head: string } | null;
  /**
   * Asks the server of a shared journal for what is new, and confirms the copy. Never rejects; without an answer in time,
   * the copy stays as old as it was. Does nothing where the journal is this machine's own.
   */
  confirm(timeoutMs: number): Promise<void>;
  /** Pulls for as long as it takes. @throws StoreError, RingError */
  pull(): Promise<void>;
  /** Has a long journal read in another thread first, where there is one (`saveBeside`). Never rejects. */
  readFirst(): Promise<void>;
  /** The store; loads SQLite on first use. Sweeps expired questions when it opens. */
  store(): Promise<Store>;
  /** Calls back after any change by any program; the first listener starts the watch. */
  onChange(listener: () => void): () => void;
  /** A second reading of the journal, from its first line. Nothing is read yet; the caller reads, and closes it. */
  replay(onLine: LedgerOptions['onLine']): Ledger;
  /** Typed notifications of new records by any program, in journal order. */
  onNotify(listener: (notification: Notification) => void): () => void;
  /** Notifies listeners of a change by this program. */
  changed(): void;
  /** Closes everything; the next use opens it again. */
  reopen(): void;
  close(): void;
}

const anchorDelayMs = 250;

export function openWorkspace(options: WorkspaceOptions): Workspace {
  const { fs, platform } = options;
  const folder = userFolder(options);
  const location = options.location ?? findStore(fs, folder, options.folder);
  const { root } = location;
  const stateFile = openStateFile(fs, folder, location, options.newId);
  const managed = options.managedFolder ?? managedFolder(platform);
  const ring = openRing(options, { folder, stateFile: stateFile.path, managed });
  const pins = () => {
    try {
      return ring.pins();
    } catch {
      return []; // forms then show that no key is trusted
    }
  };
  /** The key ring used for folding; null until the first signature was checked. */
  let folded: SeenRing | null = null;
  const countingPins = () => {
    folded ??= ring.seen();
    return ring.pins();
  };
  const trust = createTrust(countingPins, acceptsSaved(fs, managed, countingPins));
  const now = () => new Date(options.clock()).toISOString();
  const listeners = new Set<() => void>();
  const notified = new Set<(notification: Notification) => void>();
  /**
   * Lines before this offset were notified or are history; null until the journal was read once, because it may be
   * another one.
   */
  let notifiedTo: number | null = null;
  let ledger: Ledger | null = null;
  /** What `state.json` had when it was last read, and the mark of the files and keys then. */
  let saved: { readonly mark: string; readonly found: ReturnType<typeof loadCurrent> } | null = null;
  let store: Store | null = null;
  let opening: Promise<Store> | null = null;
  /** Id of the shared workspace that the store appends to; null: this machine's files. */
  let appendsTo: string | null = null;
  let stopWatching: (() => void) | null = null;
  let anchorTimer: NodeJS.Timeout | null = null;
  let seen = '';
  let closed = false;
  const idle = saveWhenIdle(() => store, options.clock, { beside: options.saveBeside });
  const connection = openConnection({
    ...options,
    ...{ root, stateFile, userFolder: folder, moment: () => confirmed.now() },
    onContact(contact, { position, head, asked }) {
      const { workspace } = connection.joined() ?? {};
      if (workspace === undefined || position === 0) return;
      const trouble = contact === 'forked' ? { trouble: contact } : {};
      confirmed.write({ workspace, position, head, ...trouble }, asked);
    },
  });
  const confirmed = openConfirmed({ fs, anchor: stateFile.path, clock: options.clock, newId: options.newId });
  /** A program may close the workspace while it waits for the server. */
  const mayWrite = () => !closed && (options.mayWrite?.() ?? true);
  /** The saved state, if valid, so that earlier lines need not be folded again. */
  const savedOrigin = () => loadState({ fs, root, stateFile, trust }) ?? undefined;
  let reading: Promise<void> | null = null;
  /** Mark of the files when a problem was found; null without one. */
  let troubled: string | null = null;
  /** The copy that was fetched again and rebuilt, so that this is done once. */
  let rebuiltFor: string | null = null;

  function changed(): void {
    seen = mark();
    anchorTimer ??= setTimeout(anchorNow, anchorDelayMs).unref();
    idle.stir();
    for (const listener of [...listeners]) listener();
  }

  function anchorNow(): void {
    anchorTimer = null;
    // A failed write is retried after the next change, and at the latest on close.
    ignoreErrors(() => store?.anchor());
  }

  /** Listeners are called after reading, because they may read themselves. */
  function notify(line: CountedLine, folded: Folded, state: State): void {
    if (notifiedTo === null || line.at < notifiedTo) return;
    notifiedTo = line.end;
    if (notified.size === 0) return;
    const notifications = folded.admitted.flatMap((admitted) => notificationOf(state, admitted) ?? []);
    if (notifications.length === 0) return;
    queueMicrotask(() => {
      for (const notification of notifications) for (const listener of [...notified]) listener(notification);
    });
  }

  /** The current position, and which keys count. Any read catches up and notices keys, so listeners compare both. */
  function mark(): string {
    const at = store ? store.position.position : (ledger?.position ?? -1);
    return `${String(at)} ${(store ?? ledger)?.problem?.code ?? ''} ${folded?.mark ?? ring.mark()}`;
  }

  function look(): void {
    // What that thread saves is opened, and listeners are called, when it is done.
    if (reading) return;
    standing();
    if (mark() !== seen) changed();
  }

  function standing(): Standing {
    if (location.problem) return { state: null, problem: location.problem };
    noticeKeys();
    const now = follow();
    if (!now.problem) troubled = null;
    else if (troubled !== filesMark() && (store ?? ledger)?.reopenable) {
      // Opens again, because a human may have fixed the problem elsewhere; once per change of the files.
      troubled = filesMark();
      drop();
      return follow();
    }
    return now;
  }

  /** When other keys count, other decisions do: folds again, unless keys were only added. */
  function noticeKeys(): void {
    const before = folded;
    if (!before || before.mark === ring.mark()) return;
    folded = ring.seen();
    const open = store?.problem === null ? store.read().state : (ledger?.state ?? null);
    const forged = open?.refusals.some(({ reason }) => reason === 'forgery') ?? false;
    if (forged || !isOnlyMore(before.pins, folded.pins)) drop();
    else store?.rekey();
  }

  function follow(): Standing {
    if (store) {
      store.refresh();
      return store.problem ? { state: null, problem: store.problem } : usable(store.read().state, false);
    }
    const open = (ledger ??= openedLedger());
    open.catchUp();
    notifiedTo ??= open.position;
    return open.problem ? { state: null, problem: open.problem } : usable(open.state, open.fresh);
  }

  /** From `state.json`, as long as it stands at the end of the journal. */
  function current(): Standing<CurrentState> {
    const found = store || ledger || location.problem ? null : savedNow();
    return found ? usable<CurrentState>(found.state, false) : standing();
  }

  function savedNow() {
    const mark = `${filesMark()} ${ring.mark()}`;
    if (saved?.mark !== mark) {
      const keys = isManaged(fs, managed) ? null : trust.keys();
      saved = { mark, found: loadCurrent({ fs, root, stateFile, keys }) };
    }
    return saved.found;
  }

  /** The state, unless it is that of a shared workspace which this machine has no copy of. */
  function usable<S extends CurrentState>(state: S, fresh: boolean): Standing<S> {
    const found = connection.problem(state, fresh);
    return found ? { state: null, problem: found } : { state, problem: null };
  }

  /** Brings the copy of a shared journal up to date, and fetches it again when it cannot be used. */
  async function pull(link: Link): Promise<void> {
    if (store) await store.pull();
    else await link.pull((ledger ??= openedLedger()));
  }

  /** @param what `lines`: the key ring, which has no notification of lines, is left to the next time */
  async function synchronise(what: 'lines' | 'anything' = 'anything'): Promise<void> {
    if (location.problem || !mayWrite()) return;
    const link = await connection.link();
    if (!link || !mayWrite()) return;
    // First: without the keys, no decision in the journal can be checked.
    if (what === 'anything') await connection.pullRing(link);
    if (!store && !ledger) await first();
    if (!mayWrite()) return;
    if (['unreadable', 'ring'].includes((store ?? ledger)?.problem?.code ?? '')) drop();
    const broken = (store ?? (ledger ??= openedLedger())).problem;
    if (broken && rebuiltFor !== filesMark() && canBeRebuilt.has(broken.code)) {
      await link.rebuild();
      rebuiltFor = filesMark();
      drop();
    }
    await pull(link);
    look();
  }

  function openedLedger(): Ledger {
    const [origin, keys] = [savedOrigin(), trust.keys()];
    const opened = openLedger({ root, fs, trust, stateFile, origin, onLine: notify });
    // The next gate or hook need not read all of it again.
    if (opened.position - (origin?.position ?? 0) >= longReplay && opened.problem === null && mayWrite())
      ignoreErrors(() => advanceTo({ fs, root, stateFile, newId: options.newId }, opened, keys));
    return opened;
  }

  /** Several calls share one reading. */
  function first(): Promise<void> {
    const savedTo = () => savedOrigin()?.position ?? 0;
    return (reading ??= readFirst({ ...options, root, managed, mayWrite, savedTo }).finally(() => (reading = null)));
  }

  const filesMark = () => markOfFiles(fs, root, stateFile.path);

  async function load(): Promise<Store> {
    if (location.problem) throw new StoreError('unknown-state', location.problem.message);
    // Loads the database on first use: the gate and the status bar do not need it.
    const [{ loadSqlite }, { openStore }, { loadSnapshot }] = await Promise.all([
      import('../../store/rows/sqlite.ts'),
      import('../../store/store.ts'),
      import('../../store/saved/snapshot.ts'),
    ]);
    await first();
    const { closings } = connection;
    const link = await connection.link();
    const isBare = options.rows === false && link === null;
    const sqlite = isBare ? null : await loadSqlite(options.wasm);
    // A copy that is behind can be used: the server refuses what is out of date.
    if (link !== null) await synchronise().catch(() => undefined);
    const snapshot = await loadSnapshot({ fs, root, stateFile, trust, sqlite });
    if (closed) throw new StoreError('closed', 'the workspace was closed in the meantime');
    // The link has been closed meanwhile: a store on it would never hear of its teammates again.
    if (closings !== connection.closings) return load();
    if (store) return store;
    // Keys changed while it was read: other decisions are valid.
    if (snapshot && snapshot.origin.entry.keys !== trust.keys()) return load();
    const opened = openStore({
      ...options,
      ...{ root, trust, stateFile, sqlite, snapshot, now, onLine: notify, person: () => connection.person() },
      ...(link ? { journal: (opened: Opened) => link.journal(opened) } : {}),
    });
    notifiedTo ??= opened.position.position;
    ledger?.close();
    ledger = null;
    store = opened;
    appendsTo = link?.workspace ?? null;
    if (!isBare && !options.filesOnly) await sweepOpened(opened);
    changed();
    return opened;
  }

  function open(): Promise<Store> {
    if (store && connection.hasMoved(appendsTo)) reconnect();
    if (store) standing();
    if (opening) return opening;
    const started = load();
    opening = started;
    started.catch(() => {
      if (opening === started) opening = null;
    });
    return started;
  }

  /** Another server, or another login, may be used from now on. */
  function reconnect(): void {
    drop();
    connection.close();
    if (listeners.size > 0) listenToServer();
  }

  function listenToServer(): void {
    connection.link().then(
      (link) => {
        if (!closed) link?.listen((what) => void synchronise(what).catch(look));
      },
      () => undefined, // the standing says that the connection is not known
    );
  }

  function drop(): void {
    idle.stop();
    store?.close();
    ledger?.close();
    saved = null;
    store = ledger = opening = notifiedTo = folded = null;
  }

  const workspace: Workspace = {
    options,
    location,
    worktree: relativeTo(root, location.worktree),
    ignoreCase: foldsCase(platform),
    stateFile,
    confirmed,
    ...{ userFolder: folder, now, pins, current },
    get confirming() {
      return confirmingOf(workspace);
    },
    managedPins: () => (isManaged(fs, managed) ? path.join(managed, keyringFile) : null),
    team: () => (isManaged(fs, managed) ? null : teamOf(fs, stateFile.path)),
    person: connection.person,
    standing,
    confirm: (timeoutMs) => atMost(synchronise(), timeoutMs),
    pull: () => synchronise(),
    readFirst: first,
    position() {
      const open = ledger ?? saved?.found ?? null;
      return store?.position ?? (open && { position: open.position, head: open.head });
    },
    store: open,
    onChange(listener) {
      listeners.add(listener);
      stopWatching ??= watchJournal(root, look);
      listenToServer();
      return () => listeners.delete(listener);
    },
    replay: (onLine) => openLedger({ root, fs, trust, stateFile, onLine, startsUnread: true }),
    onNotify(listener) {
      notified.add(listener);
      standing();
      return () => notified.delete(listener);
    },
    changed,
    reopen() {
      reconnect();
      changed();
    },
    close() {
      closed = true;
      stopWatching?.();
      if (anchorTimer) clearTimeout(anchorTimer);
      listeners.clear();
      notified.clear();
      drop();
      connection.close();
    },
  };
  return workspace;
}
