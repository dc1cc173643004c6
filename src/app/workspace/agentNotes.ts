/**
 * Notes in the user-level folder that a program speaks for an agent. Notes of one id are numbered: the highest counts, and
 * whoever takes over makes the next one, which only one program can. So no note is ever taken away from under its owner.
 */
import path from 'node:path';
import * as z from 'zod';
import { errorCode } from '../../store/journal/files.ts';
import type { Program, Programs } from '../../store/journal/programs.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import type { Workspace } from './workspace.ts';

const note = z.object({
  v: z.literal(1),
  pid: z.int(),
  started: z.string().nullable(),
  noted: z.number(),
  released: z.boolean().default(false),
  /** The host's ids of the sessions that the program has served, latest last. */
  sessions: z.array(z.string()).default([]),
});

export interface Lease {
  readonly generation: number;
  readonly live: boolean;
  readonly sessions: readonly string[];
}

/** One's own note. Neither throws: what cannot be written is told by the program's end, or is not known. */
export interface OwnNote {
  serves(session: string): void;
  release(): void;
}

export interface AgentNotes {
  /** Makes the folder. @throws when it cannot */
  prepare(): void;
  /** Null where nobody ever noted it. */
  leaseOf(id: string): Lease | null;
  /** Null while another program is alive that has it. */
  take(id: string): OwnNote | null;
}

const noteName = /^(.+)\.(\d+)\.json$/;
/** A note without content is one that is being written, for so long. */
const writingMs = 10_000;
const triesAtMost = 50;
const sessionsAtMost = 20;

export function agentNotes(workspace: Workspace, programs: Programs): AgentNotes {
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
        // The end of this program says the same; and a session that is not noted may be any of those alive.
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

  /** False when another program made it first. */
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
    return path.join(folder, `${id}.${String(generation)}.json`);
  }

  function generations(id: string): number[] {
    return fs
      .readdirSync(folder)
      .map((name) => noteName.exec(name))
      .filter((match) => match?.[1] === id)
      .map((match) => Number(match?.[2]));
  }

  function leaseOf(id: string): Lease | null {
    const all = generations(id);
    if (all.length === 0) return null;
    const generation = Math.max(...all);
    const file = fileOf(id, generation);
    try {
      const { released, sessions, ...program } = note.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
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
