/**
 * The ledger: follows the journal line by line and folds it into state. It needs neither SQLite nor the snapshot, so
 * the gate and hooks use it alone; the store adds the projection.
 */

import { applyLine, type Folded, formatProblem } from '../../core/fold/fold.ts';
import { raisedAmong, raisesSome } from '../../core/question/fold.ts';
import type { Trust } from '../../core/records/decision.ts';
import { noLine } from '../../core/records/parts.ts';
import type { CountedLine, LineBody } from '../../core/records/records.ts';
import { emptyState, type State } from '../../core/state/state.ts';
import { type FileSystem, journalPath, unsafePlace } from './files.ts';
import { furtherFiles, joinFiles } from './journalFile.ts';
import { damageAt, encodeLine, readSegment, signedSetAside, stepAt } from './line.ts';
import { type Gone, longestLine, openJournal, type OpenJournal } from './openJournal.ts';
import { type Damage, messageOf, problem, type Problem, ProblemError, StoreError } from './problem.ts';
import type { Anchor, StateFile } from './stateFile.ts';

/** Where to begin: the empty state, or the state of a snapshot. */
export interface Origin {
  readonly state: State;
  readonly position: number;
  readonly head: string;
  readonly headAt: number;
}

export interface LedgerOptions {
  readonly root: string;
  readonly fs: FileSystem;
  /** File of another journal, for example of a copy to inspect; default: that of the root. */
  readonly file?: string | undefined;
  readonly trust: Trust;
  readonly stateFile: StateFile;
  readonly origin?: Origin | undefined;
  /** Called for each valid line, after it is applied to the state. */
  readonly onLine?: ((line: CountedLine, folded: Folded, state: State) => void) | undefined;
  /** Recovery only: read on as if a human had set this range aside. */
  readonly assumeAside?: Damage | undefined;
  /** Reads nothing when it is opened: the caller does, with `catchUp`. */
  readonly startsUnread?: boolean | undefined;
}

export interface Ledger {
  readonly state: State;
  /** Offset after the last valid line, that line's offset, and its hash. */
  readonly position: number;
  readonly headAt: number;
  readonly head: string;
  /** End of the journal as last seen: the offset of the next line. */
  readonly size: number;
  /** Null while the journal is sound. Permanent once set: open the store again. */
  readonly problem: Problem | null;
  /** Whether reopening would find everything that this ledger knows. */
  readonly reopenable: boolean;
  /** True when the workspace has no journal and never had one. */
  readonly fresh: boolean;
  /** The anchor's epoch when this ledger was opened; what it learned is void in another epoch. */
  readonly epoch: string | null;
  /**
   * Reads what other programs appended, or so much of it (a line at least) where other work shares the thread. Returns
   * whether there was more to read.
   */
  catchUp(bytes?: number): boolean;
  /**
   * Encodes a line.
   * @param at default: the current end of the journal
   * @throws StoreError when no reader would accept it
   */
  encode(body: Omit<LineBody, 'at' | 'prev'>, at?: number): { line: CountedLine; bytes: Buffer };
  append(bytes: Buffer, at: number): ReturnType<OpenJournal['append']>;
  /**
   * Writes bytes of the server's journal at their offset; `catchUp` reads them.
   * @throws when the disk refuses, or there is no journal
   */
  place(bytes: Buffer, at: number): void;
  /**
   * Makes everything valid durable, including other programs' lines.
   * @throws when the disk does not confirm
   */
  flush(): void;
  /**
   * Flushes a line of our own whose first flush failed.
   * @throws when the disk does not confirm
   */
  sync(): void;
  /** Applies a line of our own that won the race, and is durable. */
  advance(line: CountedLine): void;
  close(): void;
}

/** What a ledger knows so far. */
type Followed = {
  -readonly [
    K in Exclude<keyof Ledger, 'catchUp' | 'encode' | 'append' | 'place' | 'flush' | 'sync' | 'advance' | 'close'>
  ]: Ledger[K];
};

export function openLedger(options: LedgerOptions): Ledger {
  const { root, fs, trust, stateFile, onLine } = options;
  const file = options.file ?? journalPath(root);
  const state = options.origin?.state ?? emptyState();
  const { position: start = 0, head = noLine, headAt = 0 } = options.origin ?? {};
  const ledger: Followed = {
    ...{ state, position: start, head, headAt, size: start, problem: null },
    ...{ fresh: false, reopenable: true, epoch: null },
  };
  let scanned = start;
  /**
   * Everything before this offset is durable. Another program may have crashed, or be delayed, before it flushed its
   * own lines.
   */
  let flushed = start;
  let journal: OpenJournal | null = null;
  let anchor: Anchor | null = null;
  let anchorSeen = false;
  let opened = false;

  function open(): void {
    try {
      anchor = stateFile.read();
      ledger.epoch = anchor?.epoch ?? null;
      openFile();
    } catch (error) {
      ledger.problem = unreadableProblem(error);
    }
    if (!ledger.problem && formatProblem(state) === 'reader') ledger.problem = newerProblem();
    if (ledger.problem) return;
    // A snapshot beyond the anchor is trusted because of its own hash, and because the journal was checked to contain
    // its last line.
    anchorSeen = (anchor?.position ?? 0) <= ledger.position;
    if (anchor?.position === ledger.position && ledger.position > 0 && anchor.head !== ledger.head)
      ledger.problem = problem('forked', 'The snapshot is not of this journal.');
    if (journal) {
      if (options.startsUnread !== true) catchUp();
    } else if (anchor !== null && anchor.position > 0)
      ledger.problem = stateFile.isOlderThan(root)
        ? problem('recreated', recreated)
        : problem('missing', 'The journal of this workspace is missing.');
    else ledger.fresh = true;
  }

  /** Opens the journal if it exists by now; a link to elsewhere is a problem whenever it appears. */
  function openFile(): OpenJournal | null {
    const unsafe = unsafePlace(fs, root);
    if (unsafe !== null) {
      ledger.problem = problem('unsafe', unsafe);
      return null;
    }
    if (!journal) joinFiles(fs, file);
    return (journal ??= openJournal(fs, file));
  }

  function catchUp(bytes = Infinity): boolean {
    const before = scanned;
    if (ledger.problem) return false;
    try {
      const file = openFile();
      if (file) follow(file, bytes);
    } catch (error) {
      ledger.problem ??= unreadableProblem(error);
    }
    if (ledger.problem && opened) bearWitness();
    opened = true;
    return scanned > before;
  }

  function follow(open: OpenJournal, bytes: number): void {
    ledger.fresh = false;
    const end = open.size();
    if (typeof end === 'string' || end < ledger.size) {
      ledger.problem = vanishedProblem(end);
      return;
    }
    const from = scanned;
    const to = Math.min(end, from + bytes);
    if (end > ledger.size) scan(open, to);
    // A line that is longer.
    if (to < end && scanned === from) scan(open, Math.min(end, from + longestLine));
    if (to < end) return;
    ledger.size = end;
    checkAnchor();
  }

  /** Tells all other programs what this one saw of a journal that is no longer sound, before they trust the rest. */
  function bearWitness(): void {
    if (!state.workspace) return;
    const { epoch, position, head } = ledger;
    const { id: workspace } = state.workspace;
    try {
      stateFile.advance({ v: 1, root, workspace, epoch, position, head, snapshot: null });
    } catch {
      ledger.reopenable = false; // only this program knows, and it keeps denying
    }
  }

  /** Applies the lines that follow, up to the end, an unfinished tail or damage. */
  function scan(open: OpenJournal, end: number): void {
    const base = scanned;
    const bytes = open.read(base, end);
    while (scanned < end && !ledger.problem) {
      const step = stepAt(bytes, base, scanned, ledger.head);
      if (step.kind === 'tail') return;
      if (step.kind === 'void') scanned = step.next;
      else if (step.kind === 'line') count(step.line);
      else passDamage(open, step.why, step.code);
    }
  }

  function passDamage(open: OpenJournal, why: string, code: 'damaged' | 'forked'): void {
    const base = scanned;
    const end = open.size();
    if (typeof end === 'string') throw new Error(`the journal is ${end}`);
    const bytes = open.read(base, end);
    const damage = damageAt(bytes, base, scanned, ledger.head);
    const { assumeAside } = options;
    const assumed = assumeAside?.from === damage.from && assumeAside.bytesHash === damage.bytesHash;
    const aside = assumed ? assumeAside : signedSetAside({ bytes, base }, damage, state, trust);
    if (aside === null) {
      const what = `The journal is damaged: the line at offset ${String(scanned)} ${why}.`;
      ledger.problem = problem(code, what, isPassable(damage) ? damage : undefined);
      return;
    }
    if (anchor && anchor.position > aside.from && anchor.position <= aside.to) anchorSeen = true;
    scanned = aside.to;
    ledger.head = aside.resumes;
  }

  /** Damage of a seal cannot be passed: it kept the file that follows from being joined. */
  function isPassable({ from, to }: Damage): boolean {
    return !furtherFiles(fs, file).some(({ base }) => base > from && base <= to);
  }

  function count(line: CountedLine): void {
    const folded = applyLine(state, line, trust);
    // The line is not valid here: a copy of the journal that ends before it is sound.
    if (formatProblem(state) === 'reader') {
      folded.undo();
      ledger.problem = newerProblem();
      return;
    }
    take(line);
    onLine?.(line, folded, state);
  }

  function take(line: CountedLine): void {
    ledger.position = scanned = line.end;
    ledger.head = line.hash;
    ledger.headAt = line.at;
    if (anchor?.position === ledger.position) {
      anchorSeen = true;
      if (anchor.head !== ledger.head)
        ledger.problem = problem('forked', 'This is not the journal last seen on this machine.');
    }
  }

  function close(): void {
    const open = journal;
    journal = null;
    open?.close();
    ledger.problem ??= problem('unreadable', 'The store is closed.');
  }

  function checkAnchor(): void {
    if (ledger.problem || !anchor || anchorSeen) return;
    ledger.problem =
      ledger.position < anchor.position
        ? problem('shorter', 'The journal is shorter than last seen on this machine.')
        : problem('forked', 'This is not the journal last seen on this machine.');
  }

  state.readRaised = ({ id, line }) => {
    const open = line && (journal ?? openJournal(fs, file));
    try {
      const found = open && readSegment(open.read(line.at, line.end), line.at, line.at);
      if (found?.kind !== 'line' || found.hash !== line?.hash)
        throw new StoreError('unknown-state', `The journal is damaged: the line of ${id} is not where it was.`);
      return raisedAmong(found.body.records, id);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError('unknown-state', unreadableProblem(error).message, { cause: error });
    } finally {
      if (open !== journal) open?.close();
    }
  };
  try {
    open();
  } catch (error) {
    close();
    throw error;
  }
  opened ||= options.startsUnread !== true;
  const acts: Omit<Ledger, keyof Followed> = {
    catchUp,
    encode(body, at = ledger.size) {
      const { body: full, bytes, hash } = encodeLine({ at, prev: ledger.head, ...body });
      return { line: { ...full, hash, end: at + bytes.length - 1 }, bytes };
    },
    append: (bytes, at) => journal?.append(bytes, at) ?? { outcome: 'failed', cause: new Error('there is no journal') },
    place(bytes, at) {
      const open = journal ?? openFile();
      if (!open) throw new Error('there is no journal');
      open.place(bytes, at);
    },
    sync() {
      journal?.sync();
      flushed = ledger.position;
    },
    flush() {
      if (flushed !== ledger.position) acts.sync();
    },
    advance(line) {
      take(line);
      ledger.size = ledger.position + 1;
      flushed = ledger.position;
    },
    close,
  };
  return Object.assign(ledger, acts);
}

const recreated =
  'This folder was made again after its journal was last used, and the new one has no journal. If it is a fresh clone, start over; otherwise put the old folder back.';

function newerProblem(): Problem {
  return problem('newer', 'This workspace was written by a newer Holdpoint.');
}

function vanishedProblem(now: number | Gone): Problem {
  if (now === 'unsafe') return problem('unsafe', 'A file of the journal is not a plain file.');
  if (now === 'missing') return problem('missing', 'The journal of this workspace was removed.');
  if (now === 'replaced') return problem('replaced', 'The journal of this workspace was replaced by another file.');
  return problem('shorter', 'The journal of this workspace has become shorter.');
}

function unreadableProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return problem(error.code, error.message);
  return problem('unreadable', `The journal cannot be read (${messageOf(error)}).`);
}

// Reads the journal from its first line and verifies every signature again. For the audit, which trusts neither saved
// state nor anchor and can work on bytes from elsewhere. A test compares it with the ledger.

export interface WalkedLine {
  readonly line: CountedLine;
  readonly folded: Folded;
}

export interface Walk {
  readonly state: State;
  /** Offset after the last valid line, and its hash. */
  readonly position: number;
  readonly head: string;
  /** Everything before this offset was read; the rest is an unfinished tail, or comes after the fault. */
  readonly scanned: number;
  /** Where the chain breaks. Nothing after it was read. */
  readonly fault: { readonly at: number; readonly why: string } | null;
  /** Damaged ranges that a human's signature lets readers skip. */
  readonly setAside: readonly Damage[];
  /** Lines that are never valid: they lost a race or were torn by a crash. */
  readonly voids: number;
  /** Reads on from `scanned`, yielding one valid line per step. `bytes` begin at that offset. */
  follow(bytes: Buffer): Generator<WalkedLine, void>;
}

interface WalkOptions {
  readonly trust: Trust;
  /** Called before the line is applied, so that the state its signer saw is still available. */
  readonly onBefore?: ((line: CountedLine, state: State) => void) | undefined;
}

export function walkJournal({ trust, onBefore }: WalkOptions): Walk {
  const state = emptyState();
  /** Those that raise questions, by hash: the bytes may be in no file. */
  const lines = new Map<string, CountedLine>();
  state.readRaised = ({ id, line }) => raisedAmong(lines.get(line?.hash ?? '')?.records ?? [], id);
  const setAside: Damage[] = [];
  const walk: { -readonly [K in Exclude<keyof Walk, 'follow'>]: Walk[K] } = {
    ...{ state, setAside, position: 0, head: noLine, scanned: 0, voids: 0, fault: null },
  };

  function* follow(bytes: Buffer): Generator<WalkedLine, void> {
    const base = walk.scanned;
    const end = base + bytes.length;
    while (walk.scanned < end && walk.fault === null) {
      const step = stepAt(bytes, base, walk.scanned, walk.head);
      if (step.kind === 'tail') return;
      if (step.kind === 'void') {
        if (step.next - walk.scanned > 1) walk.voids++;
        walk.scanned = step.next;
      } else if (step.kind === 'line') {
        const { line } = step;
        if (raisesSome(line)) lines.set(line.hash, line);
        onBefore?.(line, state);
        const folded = applyLine(state, line, trust);
        walk.position = walk.scanned = line.end;
        walk.head = line.hash;
        yield { line, folded };
      } else {
        pass(bytes, base, step.why);
      }
    }
  }

  function pass(bytes: Buffer, base: number, why: string): void {
    const aside = signedSetAside({ bytes, base }, damageAt(bytes, base, walk.scanned, walk.head), state, trust);
    if (aside === null) {
      walk.fault = { at: walk.scanned, why: `the line at offset ${String(walk.scanned)} ${why}` };
      return;
    }
    setAside.push(aside);
    walk.scanned = aside.to;
    walk.head = aside.resumes;
  }

  return Object.assign(walk, { follow });
}
