/** The ledger and its projection, which are opened together and follow the journal's files together. */
import { applyLine, type Folded, formatProblem } from '../core/fold/fold.ts';
import { type CountedLine, type JournalRecord, anyRecord, type RecordInput } from '../core/records/records.ts';
import type { State } from '../core/state/state.ts';
import { openLedger, type Ledger } from './journal/ledger.ts';
import { StoreError, messageOf } from './journal/problem.ts';
import { type Journal, type Opened, openIndex, withoutRows, type Index } from './rows/index.ts';
import { openDatabase, type Engine } from './rows/sqlite.ts';
import { savedName, type Snapshot } from './saved/snapshot.ts';
import type { FileSystem } from './journal/files.ts';
import type { StateFile } from './journal/stateFile.ts';
import type { Trust } from '../core/records/decision.ts';
import { seenText } from '../core/kit/visible.ts';
import { labelsLookDistinct } from '../core/records/question.ts';

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
  /** A fresh random UUID. */
  readonly newId: () => string;
  /** False where nothing may be written, for example in a folder that is not trusted. Default: true. */
  readonly mayWrite?: (() => boolean) | undefined;
  /** The journal of a shared workspace. Default: this machine's. */
  readonly journal?: ((opened: Opened) => Journal) | undefined;
  /** Called for each valid line, replayed or our own, after state and rows are updated. */
  readonly onLine?: ((line: CountedLine, folded: Folded, state: State) => void) | undefined;
}

type OpenedOptions = Pick<
  StoreOptions,
  'root' | 'fs' | 'trust' | 'stateFile' | 'sqlite' | 'snapshot' | 'now' | 'person' | 'mayWrite' | 'onLine'
>;

export function openFolded(options: OpenedOptions): Opened {
  const { root, fs, trust, stateFile, sqlite } = options;
  let index: Index;
  let ledger: Ledger;
  let unusable: string | null = null;
  let anchored = 0;
  let expected: { readonly op: string; counted: boolean } | null = null;
  open(options.snapshot ?? null);

  function open(snapshot: Snapshot | null): void {
    const database = snapshot?.db ?? (sqlite ? openDatabase(sqlite) : null);
    const opening = database ? openIndex(database, snapshot === null) : withoutRows;
    index = opening;
    unusable = snapshot ? null : savedName(stateFile);
    anchored = snapshot?.origin.position ?? 0;
    try {
      ledger = openLedger({
        root,
        fs,
        trust,
        stateFile,
        origin: snapshot?.origin,
        onLine(line, folded, state) {
          if (expected?.op === line.op) expected.counted = true;
          opening.follow(state, folded.admitted);
          options.onLine?.(line, folded, state);
        },
      });
      opening.complete();
    } catch (error) {
      opening.close();
      throw error;
    }
  }

  function applied(line: CountedLine, parsed: readonly JournalRecord[]): Folded {
    try {
      return applyLine(ledger.state, line, trust, parsed);
    } catch (cause) {
      throw new StoreError('disk', `nothing was saved: ${messageOf(cause)}`, { cause });
    }
  }

  function requireSound(): void {
    if (ledger.problem) throw new StoreError('unknown-state', ledger.problem.message);
  }

  return {
    get ledger() {
      return ledger;
    },
    get index() {
      return index;
    },
    get anchored() {
      return anchored;
    },
    get unusable() {
      return unusable;
    },
    set unusable(name) {
      unusable = name;
    },
    view() {
      requireSound();
      return { state: ledger.state, rows: index.rows, now: options.now(), own: options.person?.() ?? null };
    },
    expect(op) {
      expected = op === null ? null : { op, counted: false };
    },
    hasCounted: () => expected?.counted ?? false,
    prepare(op, actor, records, at) {
      const parsed = parseRecords(records);
      const { line, bytes } = ledger.encode({ op, time: options.now(), actor, records: parsed }, at);
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
      if (formatProblem(ledger.state) === 'writer')
        throw new StoreError(
          'read-only',
          'This workspace was written by a newer Holdpoint: update this one to write to it. Reading still works.',
        );
    },
    reopen() {
      ledger.close();
      index.close();
      // The expected act is recognised by reading its line, which a snapshot could skip.
      open(null);
    },
    close() {
      ledger.close();
      index.close();
    },
  };
}
