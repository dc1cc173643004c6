/**
 * Assigns agent ids to programs that are given none: `{type}-{number}`, in a shared journal with their person in front. The host
 * determines the type; the number belongs to a worktree, so that a new session receives its predecessor's answers. A higher
 * number is used only while another program of the host is alive there, so that two programs never take each other's answers.
 */
import { agentNamed, personOf, shortAgent, wholeAgent } from '../../core/kit/persons.ts';
import { agentIdProblem, isNumberedAgent, sameNameKey } from '../../core/kit/text.ts';
import { errorCode } from '../../store/journal/files.ts';
import { programsOf, type Programs, type Program } from '../../store/journal/programs.ts';
import { AppError } from './errors.ts';
import type { AgentSession } from './session.ts';
import type { Answering } from './atGate.ts';
import path from 'node:path';
import { isCount, isListOf, isMap, isOneOf, isString } from '../../core/kit/quickChecks.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';

// Leases in the user-level folder: which program acts for an agent. Notes of an id are numbered, and the highest
// counts; a takeover creates the next number exclusively. So no program can remove another's note.

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

interface Lease {
  readonly generation: number;
  readonly live: boolean;
  readonly sessions: readonly string[];
}

/** A program's own note. Its methods never throw: a failed write is equivalent to the program's end. */
interface OwnNote {
  serves(session: string): void;
  release(): void;
}

interface AgentNotes {
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

function agentNotes(workspace: Answering, programs: Programs): AgentNotes {
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

export interface LiveAgent {
  /** Who it is now, to be asked for each call. */
  readonly session: AgentSession;
  /** Notes a session id of the host that this program serves; hooks identify a session by it. */
  serves(session: string): void;
  /** Allows an immediate takeover; otherwise it becomes possible when the program ends. */
  release(): void;
}

export interface AgentOptions {
  /** The host's own name; sanitised here. */
  readonly type: string;
  /** Host program, for example `vscode` or `mcp`. */
  readonly host: string;
  readonly session?: string | undefined;
  /** An explicit id (HOLDPOINT_AGENT_ID), used unchanged. */
  readonly given?: string | undefined;
  /** Default: those of this machine. */
  readonly programs?: Programs | undefined;
}

/** @throws AppError `bad_input` for an invalid given id */
export function openAgent(workspace: Answering, options: AgentOptions): LiveAgent {
  const { given, session } = options;
  const claimed = () =>
    given === undefined ? claimNumber(workspace, options) : emptyClaim(givenAgent(workspace, given));
  const served = new Set<string>();
  let claim = claimed();

  /** The workspace may have been shared since, or left: the person is part of the id, then no longer. */
  function current(): Claim {
    if (personOf(claim.id) === workspace.person()) return claim;
    const next = claimed();
    claim.release();
    for (const one of served) next.serves(one);
    return (claim = next);
  }

  return {
    get session() {
      return {
        actor: {
          kind: 'agent',
          id: current().id,
          worktree: workspace.worktree,
          ...(session === undefined ? {} : { session }),
        } as const,
        host: options.host,
      };
    },
    serves(one) {
      served.add(one);
      current().serves(one);
    },
    release: () => {
      claim.release();
    },
  };
}

/** What says who the agents of a program are. */
export type AgentsPlace = Pick<Answering, 'pins' | 'person'>;

/**
 * The id of an agent with a name that a person gave. In a shared journal, the person belongs to the id.
 * @param from where the name comes from, for the message
 * @throws AppError `bad_input` for a name that no agent can have here
 */
export function givenAgent(place: AgentsPlace, given: string, from = 'HOLDPOINT_AGENT_ID'): string {
  const id = ownAgent(place, givenName(given, from));
  if (id === null) throw new AppError('bad_input', `${from}: ${given} is another person's agent. Leave the person out`);
  if (isNameOfHuman(shortAgent(id), place.pins()))
    throw new AppError('bad_input', `${from}: ${given} is the name of a human here. Choose another`);
  return id;
}

/** @throws AppError `bad_input` for what cannot be an agent's name anywhere */
export function givenName(given: string, from = 'HOLDPOINT_AGENT_ID'): string {
  const problem = agentIdProblem(given);
  if (problem === null) return given;
  throw new AppError('bad_input', `${from}: ${problem}`);
}

/** The whole id of an agent of this machine; null for one of another person. Ids of own agents are made nowhere else. */
export function ownAgent({ person }: Pick<Answering, 'person'>, name: string): string | null {
  const whole = agentNamed(name, person());
  return personOf(whole) === person() ? whole : null;
}

/** Whether a human whose key is trusted here has this name. */
export function isNameOfHuman(given: string, pins: readonly { readonly name: string }[]): boolean {
  return pins.some(({ name }) => sameNameKey(name) === sameNameKey(given));
}

/** The agent of short-lived programs: one per worktree, shared by concurrent ones. */
export function agentOfWorktree(workspace: Answering, type: string): string {
  return candidates(workspace, type, workspace.worktree).next().value;
}

const longestType = 60;
/** A person of 64 characters, and a number, fit into an id with it. */
const longestWithPerson = 30;

/** `Claude Code` becomes `claude-code`, `codex-mcp-client` becomes `codex`; falls back to `agent`. */
export function agentType(name: string, longest = longestWithPerson): string {
  const words = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+/, '')
    .slice(0, longest)
    .replace(/-+$/, '');
  const short = words.replace(/(?:-mcp)?-client$|-mcp$/, '');
  return short === '' ? 'agent' : short;
}

function typeIn(workspace: Answering, name: string): string {
  return agentType(name, workspace.person() === null ? longestType : longestWithPerson);
}

/** Candidate ids, best first: those of this worktree, then unused numbers. Infinite. */
function* candidates(workspace: Answering, type: string, worktree: string): Generator<string, never> {
  const { state } = workspace.current();
  const person = workspace.person();
  const mine = [...(state?.agents.values() ?? [])]
    .filter((agent) => agent.type === type && agent.worktree === worktree && isNumberedAgent(shortAgent(agent.id)))
    .filter((agent) => personOf(agent.id) === person)
    .map(({ id }) => id);
  yield* mine.sort((a, b) => numberOf(a) - numberOf(b));
  for (let number = 1; ; number++) {
    const id = wholeAgent(person, `${type}-${String(number).padStart(3, '0')}`);
    if (!state?.agents.has(id)) yield id;
  }
}

function numberOf(id: string): number {
  return Number(/\d+$/.exec(id)?.[0]);
}

interface Claim extends OwnNote {
  readonly id: string;
}

function emptyClaim(id: string): Claim {
  return { id, serves: () => undefined, release: () => undefined };
}

function claimNumber(workspace: Answering, options: AgentOptions): Claim {
  const { fs, clock } = workspace.options;
  const notes = agentNotes(workspace, options.programs ?? programsOf(fs, clock));
  const type = typeIn(workspace, options.type);
  try {
    notes.prepare();
    for (const id of candidates(workspace, type, workspace.worktree)) {
      const own = notes.take(id);
      if (own) return { id, ...own };
    }
  } catch (error) {
    // Advisory: without notes two programs may share an id, which loosens no hold.
    if (errorCode(error) === undefined) throw error;
  }
  return emptyClaim(agentOfWorktree(workspace, type));
}

export interface SessionOfHost {
  /** Types under which the host's programs may have registered, its own first. */
  readonly types: readonly string[];
  readonly worktree: string;
  /** The host's session id; null if there is none, or if the host does not add it to calls of Holdpoint's tools. */
  readonly session: string | null;
  readonly programs?: Programs | undefined;
}

/**
 * Every agent that a host's session may be. A hook runs per call and knows only the host's session id. If a live program
 * has noted that id, these are all agents whose programs have: an agent can start a second program that notes the id of
 * its own or of another session, and gets no hold out of the way with it. Otherwise they are all live ones, plus the one
 * that a new program would get.
 */
export function agentsOfSession(workspace: Answering, asked: SessionOfHost): string[] {
  const { fs, clock } = workspace.options;
  const notes = agentNotes(workspace, asked.programs ?? programsOf(fs, clock));
  const { state } = workspace.current();
  const possible = new Set<string>();
  const serving = new Set<string>();
  let isServed = false;
  for (const [index, type] of asked.types.entries()) {
    let free: string | null = null;
    for (const id of candidates(workspace, typeIn(workspace, type), asked.worktree)) {
      const lease = leaseIn(notes.leaseOf, id);
      const serves = asked.session !== null && lease?.sessions.includes(asked.session) === true;
      if (serves) serving.add(id);
      isServed ||= serves && lease.live;
      if (serves || lease?.live === true) possible.add(id);
      if (lease?.live === true) continue;
      free ??= id;
      if (state?.agents.has(id) !== true) break;
    }
    if (index === 0 && free !== null) possible.add(free);
  }
  return [...(isServed ? serving : possible)];
}

/** Null without notes. */
function leaseIn(leaseOf: (id: string) => Lease | null, id: string): Lease | null {
  try {
    return leaseOf(id);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}

/** Whether a program acts for this agent now; null if none ever noted that it does. */
export function isAlive(workspace: Answering, id: string, programs?: Programs): boolean | null {
  const { fs, clock } = workspace.options;
  return leaseIn(agentNotes(workspace, programs ?? programsOf(fs, clock)).leaseOf, id)?.live ?? null;
}
