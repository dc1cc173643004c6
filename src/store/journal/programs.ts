/** Programs of this machine: whether the one that wrote a note is still running, and leases, of which one program has each. */
import os from 'node:os';
import { errorCode, type FileSystem } from './files.ts';
import path from 'node:path';
import { isCount, isListOf, isMap, isOneOf, isString } from '../../core/kit/quickChecks.ts';

export interface Programs {
  readonly self: Program;
  isRunning(program: Program): boolean;
}

export interface Program {
  readonly pid: number;
  /** Start time in the system's own format; null where the system does not report it. */
  readonly started: string | null;
  /**
   * When this was noted, milliseconds since the epoch. A process id from before the machine's last start is
   * meaningless.
   */
  readonly noted: number;
}

/** Clocks get adjusted and uptimes rounded, so a note this close to the boot may be from after it. Milliseconds. */
const bootSlackMs = 60_000;

export function programsOf(fs: FileSystem, clock: () => number): Programs {
  return {
    get self() {
      return { pid: process.pid, started: startOf(fs, process.pid), noted: clock() };
    },
    isRunning({ pid, started, noted }) {
      if (noted < clock() - os.uptime() * 1000 - bootSlackMs || !exists(pid)) return false;
      const now = startOf(fs, pid);
      return started === null || now === null || started === now;
    },
  };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Linux reports when a process started, which reveals a reused process id. Source: proc(5), field 22. */
function startOf(fs: FileSystem, pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return (
      stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .at(19) ?? null
    );
  } catch {
    return null;
  }
}

// Leases in the user-level folder: which program acts for an agent, and which sends reminders. Those of one name are
// numbered, and the highest is valid; a takeover creates the next number exclusively. So no program can remove another's
// lease.

interface Written extends Program {
  readonly released: boolean;
  /** The host's ids of sessions served by the program, latest last. */
  readonly sessions: readonly string[];
  readonly role?: string;
}

const isWritten = isMap(
  {
    v: isOneOf(1),
    pid: isCount,
    started: (value) => value === null || isString(value),
    noted: (value) => typeof value === 'number',
    released: (value) => typeof value === 'boolean',
    sessions: (value) => isListOf(value, isString),
  },
  { role: isString },
);

export interface Lease extends Pick<Written, 'sessions' | 'role'> {
  readonly generation: number;
  readonly live: boolean;
}

/** A program's own lease. `serves` and `release` never throw: a failed write is equivalent to the program's end. */
export interface OwnLease {
  isValid(): boolean;
  serves(session: string): void;
  release(): void;
}

export interface Leases {
  /** Null if nobody ever had it, or if that cannot be read. */
  leaseOf(name: string): Lease | null;
  /** Null while another live program has it. @throws when the disk refuses */
  take(name: string, role?: string): OwnLease | null;
}

const fileName = /^(.+)\.(\d+)\.json$/;
/** An empty file is still being written, for up to this long. Milliseconds. */
const writingMs = 10_000;
const triesAtMost = 50;
const sessionsAtMost = 20;

interface Place {
  readonly fs: FileSystem;
  readonly clock: () => number;
  readonly folder: string;
  readonly programs: Programs;
}

export function leasesIn({ fs, clock, folder, programs }: Place): Leases {
  function take(name: string, role?: string): OwnLease | null {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let tries = 0; tries < triesAtMost; tries++) {
      const lease = find(name);
      if (lease?.live) return null;
      const generation = (lease?.generation ?? 0) + 1;
      const { pid, started, noted } = programs.self;
      const self = { pid, started, noted, ...(role === undefined ? {} : { role }) };
      if (!write(fileOf(name, generation), { ...self, released: false, sessions: [] })) continue;
      if (find(name)?.generation !== generation) {
        fs.rmSync(fileOf(name, generation), { force: true });
        continue;
      }
      for (const old of generations(name)) if (old < generation) fs.rmSync(fileOf(name, old), { force: true });
      return own(name, generation, self);
    }
    return null;
  }

  function own(name: string, generation: number, self: Omit<Written, 'released' | 'sessions'>): OwnLease {
    let sessions: readonly string[] = [];
    const rewrite = (released: boolean) => {
      try {
        write(fileOf(name, generation), { ...self, released, sessions }, 'w');
      } catch {
        // Without a lease, the session may belong to any live agent.
      }
    };
    return {
      isValid: () => leaseOf(name)?.generation === generation,
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
  function write(file: string, content: Written, flags: 'w' | 'wx' = 'wx'): boolean {
    let descriptor: number;
    try {
      descriptor = fs.openSync(file, flags, 0o600);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
    try {
      fs.writeSync(descriptor, Buffer.from(`${JSON.stringify({ v: 1, ...content })}\n`));
    } finally {
      fs.closeSync(descriptor);
    }
    return true;
  }

  function fileOf(name: string, generation: number): string {
    return path.join(folder, `${encodeURIComponent(name)}.${String(generation)}.json`);
  }

  function generations(name: string): number[] {
    return fs
      .readdirSync(folder)
      .map((file) => fileName.exec(file))
      .filter((match) => match?.[1] === encodeURIComponent(name))
      .map((match) => Number(match?.[2]));
  }

  function leaseOf(name: string): Lease | null {
    try {
      return find(name);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return null;
    }
  }

  function find(name: string): Lease | null {
    const all = generations(name);
    if (all.length === 0) return null;
    const generation = Math.max(...all);
    const file = fileOf(name, generation);
    try {
      const found: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
      if (!isWritten(found)) throw new Error('not a lease');
      const { released, sessions, role, ...program } = found as Written;
      return { generation, live: !released && programs.isRunning(program), sessions, ...(role ? { role } : {}) };
    } catch {
      const written = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      return { generation, live: Math.abs(clock() - written) < writingMs, sessions: [] };
    }
  }

  return { leaseOf, take };
}
