/** The store: the ledger with its projection in SQLite, and the only way to write: `transact`. */
import type { Trust } from '../core/records/decision.ts';
import { applyLine, formatProblem } from '../core/fold/fold.ts';
import type { Folded } from '../core/fold/fold.ts';
import { beginningOf } from '../core/records/records.ts';
import type { Actor, CountedLine, JournalRecord, RecordInput } from '../core/records/records.ts';
import type { State } from '../core/state/state.ts';
import { finish } from './journal/files.ts';
import type { FileSystem } from './journal/files.ts';
import { createJournal, requireLocalDrive } from './journal/journalFile.ts';
import { openLedger } from './journal/ledger.ts';
import type { Ledger } from './journal/ledger.ts';
import { parseRecords } from './journal/parseRecords.ts';
import { StoreError, messageOf, quietly, unknownOutcome } from './journal/problem.ts';
import type { Problem } from './journal/problem.ts';
import { createSchema, project } from './rows/project.ts';
import { sealOf } from './journal/rotation.ts';
import { loadSnapshot, savedName, savedTo, worthSaving, writeSnapshot } from './saved/snapshot.ts';
import { openDatabase } from './rows/sqlite.ts';
import type { Database, Engine, Rows } from './rows/sqlite.ts';
import type { SnapshotEntry, StateFile } from './journal/stateFile.ts';
import { holdTicket, yieldToTicket } from './journal/ticket.ts';

export interface StoreOptions {
  readonly root: string;
  readonly fs: FileSystem;
  readonly trust: Trust;
  readonly stateFile: StateFile;
  readonly sqlite: Engine;
  readonly platform: NodeJS.Platform;
  /** ISO 8601 UTC with milliseconds. */
  readonly now: () => string;
  /** A fresh random UUID. */
  readonly newId: () => string;
  /** False where nothing may be written, for example in a folder that is not trusted. Default: true. */
  readonly mayWrite?: (() => boolean) | undefined;
  /** A journal file longer than this is sealed, and the next begins. Bytes; default 8 MiB. */
  readonly segmentBytes?: number | undefined;
  /** Called for each line that counts, replayed or our own, after state and rows are updated. */
  readonly onLine?: ((line: CountedLine, folded: Folded, state: State) => void) | undefined;
}

/** What a use case may read. `state` must not be changed. */
export interface View {
  readonly state: State;
  readonly rows: Rows;
  readonly now: string;
}

export interface Act<T> {
  readonly records: readonly RecordInput[];
  readonly result: T;
}

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
   * @throws StoreError when the act is not committed (or, for `unknown-outcome`, may be)
   */
  transact<T>(actor: Actor, decide: (view: View) => Act<T>): Promise<T>;
  /** The projection as a SQLite file. @throws StoreError `unknown-state` */
  exportDatabase(): Uint8Array;
  /** Reads other programs' acts; true when there were any, or when the store became UNKNOWN. */
  refresh(): boolean;
  /** Records in the user-level file how far the journal has got. `transact` does this for a human's decision. */
  anchor(): void;
  /**
   * Steps of writing a snapshot, for idle time; they end early when the journal moves. Null while the journal has grown
   * by fewer than `bytes` since the last snapshot of any program.
   */
  saving(bytes: number): Iterator<void, void> | null;
  /** States that the folded state is the same under the keys that count now. */
  rekey(): void;
  /** Writes a snapshot if enough has happened since the last, and the anchor; frees all resources. */
  close(): void;
}

/**
 * Each lost race costs a void line; the ticket makes all others wait. With eight programs, ten losses measured
 * cheapest.
 */
const lossesBeforeTicket = 10;
const reopeningsAllowed = 3;
/** The author of the journal's first line and its seals. */
const system: Actor = { kind: 'system', id: 'holdpoint' };

export function openStore(options: StoreOptions): Store {
  const { root, fs, trust, stateFile, sqlite, newId } = options;
  let db: Database;
  let ledger: Ledger;
  let sinceSnapshot = 0;
  /** The snapshot that existed at opening but could not be used; it does not count as saved. */
  let unusable: string | null = null;
  /** Which keys counted at opening. */
  let keys = trust.keys();
  let anchored = 0;
  let local = false;
  /** Stamp of the user-level file when it was last seen to record this store. */
  let knownAs: string | null = null;
  /** The act being committed, to recognise its line if it counted although its outcome was unknown. */
  let pending: { readonly op: string; counted: boolean } | null = null;
  open();

  function open(): void {
    // The pending act is recognised by reading its line, which a snapshot could skip.
    const snapshot = pending ? null : loadSnapshot({ fs, root, sqlite, stateFile, trust });
    const database = snapshot?.db ?? openDatabase(sqlite);
    if (!snapshot) createSchema(database);
    db = database;
    sinceSnapshot = 0;
    unusable = snapshot ? null : savedName(stateFile);
    anchored = snapshot?.origin.position ?? 0;
    // Replays in one transaction: writing the full-text index line by line is slow.
    let replaying = true;
    database.run('BEGIN');
    ledger = openLedger({
      root,
      fs,
      trust,
      stateFile,
      origin: snapshot?.origin,
      onLine(line, folded, state) {
        sinceSnapshot++;
        if (pending?.op === line.op) pending.counted = true;
        if (!replaying) database.run('BEGIN');
        project(database, state, folded.admitted);
        if (!replaying) database.run('COMMIT');
        options.onLine?.(line, folded, state);
      },
    });
    replaying = false;
    database.run('COMMIT');
  }

  function reopen(): void {
    ledger.close();
    db.close();
    open();
  }

  function view(): View {
    if (ledger.problem) throw new StoreError('unknown-state', ledger.problem.message);
    return { state: ledger.state, rows: db.rows, now: options.now() };
  }

  const mayWrite = () => options.mayWrite?.() ?? true;

  function requireWritable(): void {
    if (!mayWrite())
      throw new StoreError('read-only', 'Nothing is written while this folder is not trusted. Reading still works.');
    if (formatProblem(ledger.state) === 'writer')
      throw new StoreError(
        'read-only',
        'This workspace was written by a newer Holdpoint: update this one to write to it. Reading still works.',
      );
  }

  function transact<T>(actor: Actor, decide: (view: View) => Act<T>): T {
    // `commit` catches up later, but whether a workspace exists must be known first.
    if (!ledger.state.workspace) ledger.catchUp();
    view();
    requireLocal();
    if (!ledger.state.workspace) begin();
    requireKnown();
    const before = ledger.position;
    const result = commit(actor, decide);
    if (ledger.position > before) {
      // The anchor reveals a decision that was cut off the journal's end. The act is saved already, so a failed anchor
      // can wait.
      if (actor.kind === 'human') quietly(anchor);
      endSegment();
    }
    return result;
  }

  /** Seals a journal file that has become long, with an ordinary act. The requested act is already saved. */
  function endSegment(): void {
    const seal = () => sealOf(ledger, options.segmentBytes);
    if (seal().length === 0) return;
    // On failure the file continues, and the next act tries again.
    quietly(() => {
      commit(system, () => ({ records: seal(), result: null }));
      ledger.prepare();
    });
  }

  /** Checked once: an open journal does not move to another drive. */
  function requireLocal(): void {
    if (!local) requireLocalDrive(fs, root, options.platform);
    local = true;
  }

  /**
   * Writes the first line, with the workspace's random id. When two programs start at once, one line counts and both
   * use it.
   */
  function begin(): void {
    makeJournal();
    const first = beginningOf(newId());
    commit(system, ({ state }) => ({
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
      throw new StoreError('disk', `the store cannot be created: ${messageOf(cause)}`, { cause });
    }
    ledger.catchUp();
    view();
  }

  function commit<T>(actor: Actor, decide: (view: View) => Act<T>): T {
    const op = newId();
    /** The result of an attempt whose outcome is unknown. */
    let last: { result: T } | null = null;
    let release: (() => void) | null = null;
    let reopenings = 0;
    pending = { op, counted: false };
    try {
      for (let losses = 0; ;) {
        yieldToTicket(fs, root, op);
        ledger.catchUp();
        if (last !== null && ledger.problem) throw unknownOutcome(ledger.problem.message);
        if (last !== null && isCounted(pending)) {
          if (isDurable()) return last.result;
        } else {
          requireWritable();
          const act = decide(view());
          if (act.records.length === 0) {
            flush();
            return act.result;
          }
          last = { result: act.result };
          const outcome = attempt(op, actor, act.records);
          if (outcome === 'won') return act.result;
          if (outcome === 'lost') {
            last = null;
            if (++losses === lossesBeforeTicket) release = holdTicket(fs, root, op);
            continue;
          }
        }
        if (++reopenings > reopeningsAllowed) throw unknownOutcome('The disk does not confirm writes. Check it.');
        pending = { op, counted: false };
        reopen();
      }
    } finally {
      pending = null;
      release?.();
    }
  }

  /** A "already there" answer must be durable too: another program may have written the record a moment ago. */
  function flush(): void {
    try {
      ledger.flush();
    } catch (cause) {
      throw new StoreError('disk', `the disk does not confirm earlier writes: ${messageOf(cause)}`, { cause });
    }
  }

  function isDurable(): boolean {
    try {
      ledger.sync();
      return true;
    } catch {
      return false;
    }
  }

  /** One attempt: fold, project, write, then keep or undo by the outcome. */
  function attempt(op: string, actor: Actor, records: readonly RecordInput[]): 'won' | 'lost' | 'unknown' {
    const parsed = parseRecords(records);
    const { line, bytes } = ledger.encode({ op, time: options.now(), actor, records: parsed });
    const folded = tried(line, parsed);
    const [refusal] = folded.refused;
    if (refusal) {
      folded.undo();
      throw new StoreError(refusal.reason === 'held' ? 'held' : 'refused', refusal.why);
    }
    let outcome: ReturnType<Ledger['append']>;
    try {
      db.run('BEGIN');
      project(db, ledger.state, folded.admitted);
      outcome = ledger.append(bytes, line.at);
    } catch (cause) {
      folded.undo();
      rollback();
      throw new StoreError('constraint', 'the database refused this', { cause });
    }
    if (outcome.outcome === 'won') {
      db.run('COMMIT');
      ledger.advance(line);
      sinceSnapshot++;
      options.onLine?.(line, folded, ledger.state);
      return 'won';
    }
    folded.undo();
    rollback();
    if (outcome.outcome === 'failed')
      throw new StoreError('disk', `nothing was saved: ${messageOf(outcome.cause)}`, { cause: outcome.cause });
    return outcome.outcome;
  }

  function tried(line: CountedLine, parsed: readonly JournalRecord[]): Folded {
    try {
      return applyLine(ledger.state, line, trust, parsed);
    } catch (cause) {
      throw new StoreError('disk', `nothing was saved: ${messageOf(cause)}`, { cause });
    }
  }

  /** SQLite may have rolled back by itself (out of memory). */
  function rollback(): void {
    try {
      db.run('ROLLBACK');
    } catch (error) {
      if (!messageOf(error).includes('no transaction is active')) throw error;
    }
  }

  function anchor(): void {
    if (mayWrite() && !ledger.problem && ledger.position > anchored) advanceAnchor();
  }

  function advanceAnchor(snapshot: SnapshotEntry | null = null): void {
    const { position, head, epoch, state } = ledger;
    if (!state.workspace) return;
    // A snapshot must not contain lines that a power loss could still remove.
    ledger.flush();
    stateFile.advance({ v: 1, root, workspace: state.workspace.id, epoch, position, head, snapshot });
    anchored = position;
  }

  function* saveSnapshot(): Generator<void, void> {
    const { position } = ledger;
    const steps = writeSnapshot({ fs, root, newId }, ledger, db, keys);
    try {
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          advanceAnchor(step.value);
          sinceSnapshot = 0;
          unusable = null;
          return;
        }
        yield;
        // All steps must export the same state.
        if (ledger.problem || ledger.position !== position) return;
      }
    } finally {
      steps.return({} as never);
    }
  }

  /** Whether the journal grew by `bytes` since the last snapshot of any program. */
  function grownBy(bytes: number): boolean {
    return ledger.position - savedTo(stateFile, unusable) >= bytes;
  }

  /** Closing must not fail because a cache cannot be written; the next opening rebuilds it. */
  function saveForNextTime(): void {
    if (ledger.problem || !mayWrite()) return;
    quietly(() => {
      if (grownBy(worthSaving(sinceSnapshot))) finish(saveSnapshot());
      else anchor();
    });
  }

  return {
    get problem() {
      return ledger.problem;
    },
    get reopenable() {
      return ledger.reopenable;
    },
    get readOnly() {
      return !mayWrite() || formatProblem(ledger.state) !== null;
    },
    get workspaceId() {
      return ledger.state.workspace?.id ?? null;
    },
    get position() {
      return { position: ledger.position, head: ledger.head };
    },
    read() {
      ledger.catchUp();
      return view();
    },
    exportDatabase() {
      ledger.catchUp();
      view();
      return db.export();
    },
    // Commits before it returns; a thrown error becomes a rejection.
    transact: (actor, decide) =>
      new Promise((resolve) => {
        resolve(transact(actor, decide));
      }),
    refresh() {
      const sound = ledger.problem === null;
      return ledger.catchUp() || (sound && ledger.problem !== null);
    },
    anchor,
    saving(bytes) {
      if (ledger.problem || !mayWrite()) return null;
      return grownBy(bytes) ? saveSnapshot() : null;
    },
    rekey() {
      keys = trust.keys();
    },
    close() {
      saveForNextTime();
      ledger.close();
      db.close();
    },
  };
}

function isCounted(pending: { readonly counted: boolean } | null): boolean {
  return pending?.counted ?? false;
}
