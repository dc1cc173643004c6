/** The store: the ledger with its projection in SQLite, and the only way to write: `transact`. */
import { formatProblem } from '../core/fold/fold.ts';
import { beginningOf, type Actor, type RecordInput } from '../core/records/records.ts';
import { createJournal, requireLocalDrive } from './journal/journalFile.ts';
import { StoreError, messageOf, ignoreErrors, type Problem, unknownOutcome } from './journal/problem.ts';
import type { SnapshotEntry } from './journal/stateFile.ts';
import { openFolded, type StoreOptions } from './opened.ts';
import type { Act, Journal, View, Opened } from './rows/index.ts';
import { advanceTo } from './saved/state.ts';
import { savedName, savedTo, worthSaving, writeSnapshot } from './saved/snapshot.ts';
import type { Ledger } from './journal/ledger.ts';
import type { State } from '../core/state/state.ts';

// The journal of one machine: the file's end is the lock, so an act is committed before `commit` returns.

const reopeningsAllowed = 3;

type LocalOptions = Pick<StoreOptions, 'newId' | 'onLine'>;

function localJournal(opened: Opened, { newId, onLine }: LocalOptions) {
  return { commit };

  function commit<T>(actor: Actor, decide: (view: View) => Act<T>, op = newId()): T {
    /** The result of an attempt whose outcome is unknown. */
    let last: { result: T } | null = null;
    let reopenings = 0;
    opened.expect(op);
    try {
      for (;;) {
        opened.ledger.catchUp();
        if (last !== null && opened.ledger.problem) throw unknownOutcome(opened.ledger.problem.message);
        if (last !== null && opened.hasCounted()) {
          if (isDurable()) return last.result;
        } else {
          opened.requireWritable();
          const act = decide(opened.view());
          requireUnshared(opened.ledger.state, act.records);
          if (act.records.length === 0) {
            flush();
            return act.result;
          }
          last = { result: act.result };
          const outcome = attempt(op, actor, act.records);
          if (outcome === 'won') return act.result;
          if (outcome === 'lost') {
            last = null;
            continue;
          }
        }
        if (++reopenings > reopeningsAllowed) throw unknownOutcome('The disk does not confirm writes. Check it.');
        opened.expect(op);
        opened.reopen();
      }
    } finally {
      opened.expect(null);
    }
  }

  /** Once a journal is shared, its server decides what comes next. Only a human's signature brings it back. */
  function requireUnshared({ shared }: State, records: readonly RecordInput[]): void {
    if (!shared || records.length === 0 || records.some(({ kind }) => kind === 'store.unshared')) return;
    throw new StoreError(
      'offline',
      `nothing was saved: this workspace is shared as ${shared.name}, and this program is not connected to it`,
    );
  }

  /** A "already there" answer must be durable too: another program may have written the record a moment ago. */
  function flush(): void {
    try {
      opened.ledger.flush();
    } catch (cause) {
      throw new StoreError('disk', `the disk does not confirm earlier writes: ${messageOf(cause)}`, { cause });
    }
  }

  function isDurable(): boolean {
    try {
      opened.ledger.sync();
      return true;
    } catch {
      return false;
    }
  }

  /** One attempt: fold, append, then keep or undo by the outcome. */
  function attempt(op: string, actor: Actor, records: readonly RecordInput[]): 'won' | 'lost' | 'unknown' {
    const { ledger, index } = opened;
    const { line, bytes, folded } = opened.prepare(op, actor, records);
    let outcome: ReturnType<Ledger['append']>;
    try {
      outcome = ledger.append(bytes, line.at);
    } catch (cause) {
      folded.undo();
      throw cause;
    }
    if (outcome.outcome === 'won') {
      index.follow(ledger.state, folded.admitted);
      ledger.advance(line);
      onLine?.(line, folded, ledger.state);
      return 'won';
    }
    folded.undo();
    if (outcome.outcome === 'failed')
      throw new StoreError('disk', `nothing was saved: ${messageOf(outcome.cause)}`, { cause: outcome.cause });
    return outcome.outcome;
  }
}

export type { StoreOptions } from './opened.ts';
export type { Act, View } from './rows/index.ts';

export interface Store {
  readonly problem: Problem | null;
  /** Whether reopening would find everything that this store knows. */
  readonly reopenable: boolean;
  /** Set when this program is too old to write here, or not allowed to. */
  readonly readOnly: boolean;
  readonly workspaceId: string | null;
  /** The journal's position, to bind a decision to. */
  readonly position: { readonly position: number; readonly head: string };
  /**
   * A view that includes everything other programs have committed.
   * @throws StoreError `unknown-state`
   */
  read(): View;
  /**
   * Commits one act. `decide` reads and returns records; it must be pure, because it runs again when another program
   * commits first. Resolves once the act is durable; writes nothing without records.
   * @param op id of an act that may be in a shared journal already: it is kept once
   * @throws StoreError when the act is not committed (or, for `unknown-outcome`, may be)
   */
  transact<T>(actor: Actor, decide: (view: View) => Act<T>, op?: string): Promise<T>;
  /** The projection as a SQLite file. @throws StoreError `unknown-state` */
  exportDatabase(): Uint8Array;
  /**
   * Brings this machine's copy of a shared journal up to date. A local journal is always up to date.
   * @throws StoreError `offline`, `unknown-state`, `disk`
   */
  pull(): Promise<void>;
  /** Reads other programs' acts; true when there were any, or when the store became UNKNOWN. */
  refresh(): boolean;
  /** Records in the user-level file how far the journal has got. `transact` does this for a human's decision. */
  anchor(): void;
  /** Whether a snapshot could be written, and the journal grew by this much since the last one of any program. */
  hasGrown(bytes: number): boolean;
  save(): void;
  /** Declares the folded state valid under the keys that are trusted now. */
  rekey(): void;
  /** Writes a snapshot if enough has happened since the last, and the anchor; frees all resources. */
  close(): void;
}

/** The author of the journal's first line. */
const system: Actor = { kind: 'system', id: 'holdpoint' };

export function openStore(options: StoreOptions): Store {
  const { root, fs, trust, stateFile, newId } = options;
  const opened = openFolded(options);
  const journal: Journal = options.journal?.(opened) ?? localJournal(opened, options);
  let keys = trust.keys();
  let anchored = opened.anchored;
  let local = false;
  /** Stamp of the user-level file when it was last seen to record this store. */
  let knownAs: string | null = null;

  const mayWrite = () => options.mayWrite?.() ?? true;
  const isSound = () => opened.ledger.problem === null;

  async function transact<T>(actor: Actor, decide: (view: View) => Act<T>, op = newId()): Promise<T> {
    // `commit` catches up later, but whether a workspace exists must be known first.
    if (!opened.ledger.state.workspace) opened.ledger.catchUp();
    opened.view();
    requireLocal();
    // Waits only for promises: the local journal commits before this returns.
    const begun = opened.ledger.state.workspace ? null : begin();
    if (begun instanceof Promise) await begun;
    requireKnown();
    const before = opened.ledger.position;
    const committed = journal.commit(actor, decide, op);
    const result = committed instanceof Promise ? await committed : committed;
    // The anchor reveals a decision that was cut off the journal's end. The act is saved already, so a failed anchor can
    // wait.
    if (opened.ledger.position > before && actor.kind === 'human') ignoreErrors(anchor);
    return result;
  }

  /** Checked once: an open journal does not move to another drive. */
  function requireLocal(): void {
    if (!local) requireLocalDrive(fs, root, options.platform);
    local = true;
  }

  /**
   * Writes the first line, with the workspace's random id. When two programs start at once, one line is valid and both
   * use it.
   */
  function begin(): unknown {
    if (journal.pull)
      throw new StoreError('unknown-state', "this machine's copy of the shared journal is empty: connect first");
    makeJournal();
    const first = beginningOf(newId());
    return journal.commit(system, ({ state }) => ({
      records: state.workspace ? [] : [first],
      result: null,
    }));
  }

  /** A store in use must be recorded outside of it; otherwise its removal would look like a fresh start. */
  function requireKnown(): void {
    try {
      const before = stateFile.stamp();
      if (before !== null && before === knownAs) return;
      const known = stateFile.read();
      if (known === null || known.position === 0) advanceAnchor();
      knownAs = before;
    } catch (cause) {
      throw new StoreError('disk', `nothing was saved: ${messageOf(cause)}`, { cause });
    }
  }

  function makeJournal(): void {
    try {
      createJournal(fs, root, newId);
    } catch (cause) {
      throw new StoreError('disk', `the journal cannot be created: ${messageOf(cause)}`, { cause });
    }
    opened.ledger.catchUp();
    opened.view();
  }

  function anchor(): void {
    const { position, head, epoch, state, problem } = opened.ledger;
    if (!mayWrite() || problem || position <= anchored) return;
    // The program that wrote the last line mostly has: two flushes less for each program that only reads.
    if (state.workspace && stateFile.isAt({ workspace: state.workspace.id, epoch, position, head }))
      anchored = position;
    else advanceAnchor();
  }

  function advanceAnchor(snapshot: SnapshotEntry | null = null): void {
    if (advanceTo({ fs, root, newId, stateFile }, opened.ledger, keys, snapshot)) anchored = opened.ledger.position;
  }

  function save(): void {
    const { ledger, index } = opened;
    const kept = savedName(stateFile, 'vouched');
    advanceAnchor(writeSnapshot({ fs, root, newId, kept }, ledger, index, keys));
    opened.unusable = null;
  }

  function hasGrown(bytes: number): boolean {
    if (opened.ledger.problem || !mayWrite() || !options.sqlite) return false;
    return opened.ledger.position - savedTo(stateFile, opened.unusable) >= bytes;
  }

  /** Closing must not fail because a cache cannot be written; the next opening rebuilds it. */
  function saveForNextTime(): void {
    ignoreErrors(() => {
      if (hasGrown(worthSaving(opened.ledger.position))) save();
      else anchor();
    });
  }

  return {
    get problem() {
      return opened.ledger.problem;
    },
    get reopenable() {
      return opened.ledger.reopenable;
    },
    get readOnly() {
      const { problem, state } = opened.ledger;
      return !mayWrite() || problem?.code === 'newer' || formatProblem(state) !== null;
    },
    get workspaceId() {
      return opened.ledger.state.workspace?.id ?? null;
    },
    get position() {
      return { position: opened.ledger.position, head: opened.ledger.head };
    },
    read() {
      opened.ledger.catchUp();
      return opened.view();
    },
    exportDatabase() {
      opened.ledger.catchUp();
      opened.view();
      return opened.index.export();
    },
    transact,
    async pull() {
      await journal.pull?.();
    },
    refresh() {
      const sound = isSound();
      return opened.ledger.catchUp() || (sound && !isSound());
    },
    anchor,
    hasGrown,
    save,
    rekey() {
      keys = trust.keys();
    },
    close() {
      saveForNextTime();
      opened.close();
    },
  };
}
