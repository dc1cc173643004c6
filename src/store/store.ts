/** The store: the ledger with its projection in SQLite, and the only way to write: `transact`. */
import { applyLine, type Folded, formatProblem } from '../core/fold/fold.ts';
import { seenText } from '../core/kit/visible.ts';
import type { Trust } from '../core/records/decision.ts';
import { labelsLookDistinct } from '../core/records/question.ts';
import {
  anyRecord,
  beginningOf,
  type Actor,
  type CountedLine,
  type JournalRecord,
  type RecordInput,
} from '../core/records/records.ts';
import type { State } from '../core/state/state.ts';
import type { FileSystem } from './journal/files.ts';
import { createJournal, requireLocalDrive } from './journal/journalFile.ts';
import { openLedger, type Ledger } from './journal/ledger.ts';
import { StoreError, messageOf, ignoreErrors, type Problem, unknownOutcome } from './journal/problem.ts';
import type { SnapshotEntry, StateFile } from './journal/stateFile.ts';
import { openIndex, withoutRows, type Act, type Journal, type Opened, type View } from './rows/index.ts';
import { openDatabase, type Engine } from './rows/sqlite.ts';
import { advanceTo, savedName, savedTo, type Snapshot, worthSaving, writeSnapshot } from './saved/snapshot.ts';

// Checks the records of an act before they become a line.

/**
 * Fills in defaults, so that a line is self-contained.
 * @throws StoreError naming the field and the limit
 */
export function parseRecords(records: readonly RecordInput[]): JournalRecord[] {
  return records.map((record) => {
    const parsed = anyRecord.safeParse(record);
    // As readers will find it: without members that have no value.
    if (parsed.success) return requireSeenRecord(JSON.parse(JSON.stringify(parsed.data)) as JournalRecord);
    const [issue] = parsed.error.issues;
    throw new StoreError('refused', `${issue?.path.join('.') ?? record.kind}: ${issue?.message ?? 'is malformed'}`);
  });
}

/** What is only asked of new records: those that were written before are read as they are, so that no hold is lost. */
function requireSeenRecord(record: JournalRecord): JournalRecord {
  requireSeen(record, []);
  return record;
}

function requireSeen(value: unknown, at: readonly string[]): void {
  if (typeof value === 'string') {
    if (value !== '' && !/[!-~]/.test(value) && seenText(value) === '')
      throw new StoreError('refused', `${at.join('.')}: must not be empty`);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (at.at(-1) === 'choices' && isLabelled(value) && !labelsLookDistinct(value))
    throw new StoreError('refused', `${at.join('.')}: name a choice twice`);
  for (const [name, member] of Object.entries(value)) requireSeen(member, [...at, name]);
}

function isLabelled(value: object): value is readonly { readonly label: string }[] {
  return (
    Array.isArray(value) && value.every((one: unknown) => typeof one === 'object' && one !== null && 'label' in one)
  );
}

export interface StoreOptions {
  readonly root: string;
  readonly fs: FileSystem;
  readonly trust: Trust;
  readonly stateFile: StateFile;
  /** Null: without rows, for acts that only read the state. No database is loaded, and no snapshot is written. */
  readonly sqlite: Engine | null;
  /** To begin with. Default: the journal is read from its first line. */
  readonly snapshot?: Snapshot | null | undefined;
  readonly platform: NodeJS.Platform;
  /** ISO 8601 UTC with milliseconds. */
  readonly now: () => string;
  /** Of the agents on this machine, in a journal that a team shares. */
  readonly person?: (() => string | null) | undefined;
  readonly newId: () => string;
  /** False where nothing may be written, for example in a folder that is not trusted. Default: true. */
  readonly mayWrite?: (() => boolean) | undefined;
  /** The journal of a shared workspace. Default: this machine's. */
  readonly journal?: ((opened: Opened) => Journal) | undefined;
  /** Called for each valid line, replayed or our own, after state and rows are updated. */
  readonly onLine?: ((line: CountedLine, folded: Folded, state: State) => void) | undefined;
}

// The ledger and its projection, which are opened together and follow the journal's files together.

function openFolded(options: StoreOptions): Opened {
  const { root, fs, trust, stateFile, sqlite } = options;
  let expected: { readonly op: string; counted: boolean } | null = null;
  const parts = open(options.snapshot ?? null);

  function open(snapshot: Snapshot | null): Pick<Opened, 'ledger' | 'index' | 'anchored' | 'unusable'> {
    const database = snapshot?.db ?? (sqlite ? openDatabase(sqlite) : null);
    const index = database ? openIndex(database, snapshot === null) : withoutRows;
    try {
      const ledger = openLedger({
        ...{ root, fs, trust, stateFile, origin: snapshot?.origin },
        onLine(line, folded, state) {
          if (expected?.op === line.op) expected.counted = true;
          index.follow(state, folded.admitted);
          options.onLine?.(line, folded, state);
        },
      });
      const unusable = snapshot ? null : savedName(stateFile);
      return { ledger, index, anchored: snapshot?.origin.position ?? 0, unusable };
    } catch (error) {
      index.close();
      throw error;
    }
  }

  function applied(line: CountedLine, parsed: readonly JournalRecord[]): Folded {
    try {
      return applyLine(parts.ledger.state, line, trust, parsed);
    } catch (cause) {
      throw new StoreError('disk', `nothing was saved: ${messageOf(cause)}`, { cause });
    }
  }

  function requireSound(): void {
    const { problem } = parts.ledger;
    if (problem) throw new StoreError('unknown-state', problem.message);
  }

  const acts: Omit<Opened, keyof typeof parts> = {
    view() {
      requireSound();
      const { ledger, index } = parts;
      return { state: ledger.state, rows: index.rows, now: options.now(), own: options.person?.() ?? null };
    },
    expect(op) {
      expected = op === null ? null : { op, counted: false };
    },
    hasCounted: () => expected?.counted ?? false,
    prepare(op, actor, records, at) {
      const parsed = parseRecords(records);
      const { line, bytes } = parts.ledger.encode({ op, time: options.now(), actor, records: parsed }, at);
      const folded = applied(line, parsed);
      const [refusal] = folded.refused;
      if (!refusal) return { line, bytes, records: parsed, folded };
      folded.undo();
      throw new StoreError(refusal.reason === 'held' ? 'held' : 'refused', refusal.why);
    },
    requireWritable() {
      requireSound();
      if (!(options.mayWrite?.() ?? true))
        throw new StoreError('read-only', 'Nothing is written while this folder is not trusted. Reading still works.');
      if (formatProblem(parts.ledger.state) === 'writer')
        throw new StoreError(
          'read-only',
          'This workspace was written by a newer Holdpoint: update this one to write to it. Reading still works.',
        );
    },
    reopen() {
      acts.close();
      // The expected act is recognised by reading its line, which a snapshot could skip.
      Object.assign(parts, open(null));
    },
    close() {
      parts.ledger.close();
      parts.index.close();
    },
  };
  return Object.assign(parts, acts);
}

// The journal of one machine: the file's end is the lock, so an act is committed before `commit` returns.

const reopeningsAllowed = 3;

function localJournal(opened: Opened, { newId, onLine }: StoreOptions) {
  return { commit };

  function commit<T>(actor: Actor, decide: (view: View) => Act<T>): T {
    const op = newId();
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
   * @throws StoreError when the act is not committed (or, for `unknown-outcome`, may be)
   */
  transact<T>(actor: Actor, decide: (view: View) => Act<T>): Promise<T>;
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

  async function transact<T>(actor: Actor, decide: (view: View) => Act<T>): Promise<T> {
    // `commit` catches up later, but whether a workspace exists must be known first.
    if (!opened.ledger.state.workspace) opened.ledger.catchUp();
    opened.view();
    requireLocal();
    // Waits only for promises: the local journal commits before this returns.
    const begun = opened.ledger.state.workspace ? null : begin();
    if (begun instanceof Promise) await begun;
    requireKnown();
    const before = opened.ledger.position;
    const committed = journal.commit(actor, decide);
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
