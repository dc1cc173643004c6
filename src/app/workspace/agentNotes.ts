/**
 * Leases in the user-level folder: which program acts for an agent. Notes of an id are numbered, and the highest
 * counts; a takeover creates the next number exclusively. So no program can remove another's note.
 */
import path from 'node:path';
import { isCount, isListOf, isMap, isOneOf, isString } from '../../core/kit/quickChecks.ts';
import { errorCode } from '../../store/journal/files.ts';
import type { Program, Programs } from '../../store/journal/programs.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import type { Answering } from './atGate.ts';

interface Note extends Program {
  readonly released: boolean;
  /** The host's ids of sessions served by the program, latest last. */
  readonly sessions: readonly string[];
}

const isNote = isMap({
  v: isOneOf(1),
  pid: isCount,
  started: (value) => value === null || isString(value),
  noted: (value) => typeof value === 'number',
  released: (value) => typeof value === 'boolean',
  sessions: (value) => isListOf(value, isString),
});

export interface Lease {
  readonly generation: number;
  readonly live: boolean;
  readonly sessions: readonly string[];
}

/** A program's own note. Its methods never throw: a failed write is equivalent to the program's end. */
export interface OwnNote {
  serves(session: string): void;
  release(): void;
}

export interface AgentNotes {
  /**
   * Creates the folder.
   * @throws when that fails
   */
  prepare(): void;
  /** Null if the id was never noted. */
  leaseOf(id: string): Lease | null;
  /** Null while another live program has it. */
  take(id: string): OwnNote | null;
}

const noteName = /^(.+)\.(\d+)\.json$/;
/** An empty note is still being written, for up to this long. Milliseconds. */
const writingMs = 10_000;
const triesAtMost = 50;
const sessionsAtMost = 20;

export function agentNotes(workspace: Answering, programs: Programs): AgentNotes {
  const { fs, clock } = workspace.options;
  const folder = path.join(workspace.userFolder, 'agents', stateFileName(workspace.location.root).replace('.json', ''));

  function take(id: string): OwnNote | null {
    for (let tries = 0; tries < triesAtMost; tries++) {
      const lease = leaseOf(id);
      if (lease?.live) return null;
      const generation = (lease?.generation ?? 0) + 1;
      const self = programs.self;
      if (!write(fileOf(id, generation), { ...self, released: false, sessions: [] })) continue;
      if (leaseOf(id)?.generation !== generation) {
        fs.rmSync(fileOf(id, generation), { force: true });
        continue;
      }
      for (const old of generations(id)) if (old < generation) fs.rmSync(fileOf(id, old), { force: true });
      return own(fileOf(id, generation), self);
    }
    return null;
  }

  function own(file: string, self: Program): OwnNote {
    let sessions: readonly string[] = [];
    const rewrite = (released: boolean) => {
      try {
        write(file, { ...self, released, sessions }, true);
      } catch {
        // Without a note, the session may belong to any live agent.
      }
    };
    return {
      serves(session) {
        if (sessions.at(-1) === session) return;
        sessions = [...sessions.filter((one) => one !== session), session].slice(-sessionsAtMost);
        rewrite(false);
      },
      release() {
        rewrite(true);
      },
    };
  }

  /** False when another program created it first. */
  function write(
    file: string,
    content: Program & Pick<Lease, 'sessions'> & { readonly released: boolean },
    again = false,
  ): boolean {
    const { pid, started, noted, released, sessions } = content;
    let descriptor: number;
    try {
      descriptor = fs.openSync(file, again ? 'w' : 'wx', 0o600);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
    try {
      fs.writeSync(descriptor, Buffer.from(`${JSON.stringify({ v: 1, pid, started, noted, released, sessions })}\n`));
    } finally {
      fs.closeSync(descriptor);
    }
    return true;
  }

  function fileOf(id: string, generation: number): string {
    return path.join(folder, `${encodeURIComponent(id)}.${String(generation)}.json`);
  }

  function generations(id: string): number[] {
    return fs
      .readdirSync(folder)
      .map((name) => noteName.exec(name))
      .filter((match) => match?.[1] === encodeURIComponent(id))
      .map((match) => Number(match?.[2]));
  }

  function leaseOf(id: string): Lease | null {
    const all = generations(id);
    if (all.length === 0) return null;
    const generation = Math.max(...all);
    const file = fileOf(id, generation);
    try {
      const found: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
      if (!isNote(found)) throw new Error('not a note');
      const { released, sessions, ...program } = found as Note;
      return { generation, live: !released && programs.isRunning(program), sessions };
    } catch {
      const written = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      return { generation, live: Math.abs(clock() - written) < writingMs, sessions: [] };
    }
  }

  return {
    prepare() {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    },
    leaseOf,
    take,
  };
}
