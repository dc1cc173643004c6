/**
 * Which agent a program speaks for: `{type}-{number}`. The type comes from the host; the number belongs to a worktree
 * and stays with it, so that a new session gets what its predecessor was answered. It counts up only while another
 * program of the same host is alive there, so that two do not take each other's answers.
 */
import path from 'node:path';
import * as z from 'zod';
import { agentId } from '../core/text.ts';
import type { State } from '../core/state.ts';
import { errorCode } from '../store/files.ts';
import type { Program, Programs } from '../store/programs.ts';
import { programsOf } from '../store/programs.ts';
import { stateFileName } from '../store/stateFile.ts';
import { AppError } from './errors.ts';
import type { AgentSession } from './session.ts';
import type { Workspace } from './workspace.ts';

export interface LiveAgent {
  readonly session: AgentSession;
  /** The number may be taken over at once; without this it may be once the program has ended. */
  release(): void;
}

export interface AgentOptions {
  /** As the host calls itself; cleaned here. */
  readonly type: string;
  /** Host program, for example `vscode` or `mcp`. */
  readonly host: string;
  /** Id of this session of the host, if it has one. */
  readonly session?: string | undefined;
  /** An id given from outside (HOLDPOINT_AGENT_ID): taken as it is. */
  readonly given?: string | undefined;
  /** Left out: those of this machine. */
  readonly programs?: Programs | undefined;
}

/** @throws AppError `bad_input` for a given id that cannot be one */
export function openAgent(workspace: Workspace, options: AgentOptions): LiveAgent {
  const { given, session } = options;
  const claim =
    given === undefined ? claimNumber(workspace, options) : { id: givenAgent(given), release: () => undefined };
  return {
    session: {
      actor: {
        kind: 'agent',
        id: claim.id,
        worktree: workspace.worktree,
        ...(session === undefined ? {} : { session }),
      },
      host: options.host,
    },
    release: claim.release,
  };
}

/** @throws AppError `bad_input` */
export function givenAgent(given: string): string {
  const parsed = agentId.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new AppError('bad_input', `HOLDPOINT_AGENT_ID: ${parsed.error.issues[0]?.message ?? 'is malformed'}`);
}

/** The agent of programs that come and go with each command: one a worktree, whichever of them run at once. */
export function agentOfWorktree(workspace: Workspace, type: string): string {
  return candidates(workspace.standing().state, type, workspace.worktree).next().value;
}

const longestType = 60;

/** `Claude Code` to `claude-code`, `codex-mcp-client` to `codex`: what is left when nothing is, is `agent`. */
export function agentType(name: string): string {
  const words = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+/, '')
    .slice(0, longestType)
    .replace(/-+$/, '');
  const short = words.replace(/(?:-mcp)?-client$|-mcp$/, '');
  return short === '' ? 'agent' : short;
}

function agentName(type: string, number: number): string {
  return `${type}-${String(number).padStart(3, '0')}`;
}

/** Ids to try, best first: those that belong to this worktree, then numbers that belong to none. Never ends. */
function* candidates(state: State | null, type: string, worktree: string): Generator<string, never> {
  const mine = [...(state?.agents.values() ?? [])]
    .filter((agent) => agent.type === type && agent.worktree === worktree)
    .map(({ id }) => id);
  yield* mine.sort((a, b) => numberOf(a) - numberOf(b));
  for (let number = 1; ; number++) {
    const id = agentName(type, number);
    if (!state?.agents.has(id)) yield id;
  }
}

function numberOf(id: string): number {
  return Number(/\d+$/.exec(id)?.[0]);
}

/**
 * A note that a program speaks for an id. Notes of one id are numbered: the highest counts, and whoever takes over
 * makes the next one, which only one program can. So no note is ever taken away from under its owner.
 */
const note = z.object({
  v: z.literal(1),
  pid: z.int(),
  started: z.string().nullable(),
  noted: z.number(),
  released: z.boolean().default(false),
});

interface Lease {
  readonly generation: number;
  readonly live: boolean;
}

const noteName = /^(.+)\.(\d+)\.json$/;
/** A note without content is one that is being written, for so long. */
const writingMs = 10_000;
const triesAtMost = 50;

interface Claim {
  readonly id: string;
  release(): void;
}

function claimNumber(workspace: Workspace, options: AgentOptions): Claim {
  const { fs, clock } = workspace.options;
  const programs = options.programs ?? programsOf(fs, clock);
  const type = agentType(options.type);
  const folder = path.join(workspace.userFolder, 'agents', stateFileName(workspace.location.root).replace('.json', ''));
  const { state } = workspace.standing();
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const id of candidates(state, type, workspace.worktree)) {
      const release = take(id);
      if (release) return { id, release };
    }
  } catch (error) {
    // Advice only: without these notes two programs may share an id, and nothing is held less for that.
    if (errorCode(error) === undefined) throw error;
  }
  return { id: agentOfWorktree(workspace, type), release: () => undefined };

  function take(id: string): (() => void) | null {
    for (let tries = 0; tries < triesAtMost; tries++) {
      const lease = leaseOf(id);
      if (lease?.live) return null;
      const generation = (lease?.generation ?? 0) + 1;
      const self = programs.self;
      if (!write(fileOf(id, generation), self, false)) continue;
      if (leaseOf(id)?.generation !== generation) {
        fs.rmSync(fileOf(id, generation), { force: true });
        continue;
      }
      for (const old of generations(id)) if (old < generation) fs.rmSync(fileOf(id, old), { force: true });
      return () => {
        release(fileOf(id, generation), self);
      };
    }
    return null;
  }

  function release(file: string, self: Program): void {
    try {
      write(file, self, true);
    } catch {
      // The end of this program says the same.
    }
  }

  /** False when another program made it first. */
  function write(file: string, { pid, started, noted }: Program, released: boolean): boolean {
    const content = JSON.stringify({ v: 1, pid, started, noted, released });
    let descriptor: number;
    try {
      descriptor = fs.openSync(file, released ? 'w' : 'wx', 0o600);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
    try {
      fs.writeSync(descriptor, Buffer.from(`${content}\n`));
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
      const { released, ...program } = note.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
      return { generation, live: !released && programs.isRunning(program) };
    } catch {
      const written = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      return { generation, live: Math.abs(clock() - written) < writingMs };
    }
  }
}
