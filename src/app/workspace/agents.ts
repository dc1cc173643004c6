/**
 * Which agent a program speaks for: `{type}-{number}`. The type comes from the host; the number belongs to a worktree
 * and stays with it, so that a new session gets what its predecessor was answered. It counts up only while another
 * program of the same host is alive there, so that two do not take each other's answers.
 */
import { agentId } from '../../core/kit/text.ts';
import type { State } from '../../core/state/state.ts';
import { errorCode } from '../../store/journal/files.ts';
import type { Programs } from '../../store/journal/programs.ts';
import { programsOf } from '../../store/journal/programs.ts';
import { agentNotes } from './agentNotes.ts';
import type { Lease, OwnNote } from './agentNotes.ts';
import { AppError } from './errors.ts';
import type { AgentSession } from './session.ts';
import type { Workspace } from './workspace.ts';

export interface LiveAgent {
  readonly session: AgentSession;
  /** Notes the host's id of a session this program serves: hooks know a session by that alone. */
  serves(session: string): void;
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
  const claim = given === undefined ? claimNumber(workspace, options) : unnoted(givenAgent(given));
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
    serves: claim.serves,
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

interface Claim extends OwnNote {
  readonly id: string;
}

function unnoted(id: string): Claim {
  return { id, serves: () => undefined, release: () => undefined };
}

function claimNumber(workspace: Workspace, options: AgentOptions): Claim {
  const { fs, clock } = workspace.options;
  const notes = agentNotes(workspace, options.programs ?? programsOf(fs, clock));
  const type = agentType(options.type);
  const { state } = workspace.standing();
  try {
    notes.prepare();
    for (const id of candidates(state, type, workspace.worktree)) {
      const own = notes.take(id);
      if (own) return { id, ...own };
    }
  } catch (error) {
    // Advice only: without these notes two programs may share an id, and nothing is held less for that.
    if (errorCode(error) === undefined) throw error;
  }
  return unnoted(agentOfWorktree(workspace, type));
}

export interface SessionOfHost {
  /** Types under which the host's programs may have registered, its own first. */
  readonly types: readonly string[];
  readonly worktree: string;
  /** The host's id of the session; null where it says none. */
  readonly session: string | null;
  readonly programs?: Programs | undefined;
}

/**
 * Every agent that a session of a host may be: for a hook, which is started anew with each call and knows the session by
 * the host's id alone. One, if a program that is alive has noted that id; else all that are alive, any of which may be
 * it, and whom a program started now would speak for.
 */
export function agentsOfSession(workspace: Workspace, asked: SessionOfHost): string[] {
  const { fs, clock } = workspace.options;
  const notes = agentNotes(workspace, asked.programs ?? programsOf(fs, clock));
  const { state } = workspace.standing();
  const possible = new Set<string>();
  for (const [index, type] of asked.types.entries()) {
    let free: string | null = null;
    for (const id of candidates(state, agentType(type), asked.worktree)) {
      const lease = leaseIn(notes.leaseOf, id);
      const serves = asked.session !== null && lease?.sessions.includes(asked.session) === true;
      if (serves && lease.live) return [id];
      if (serves || lease?.live === true) possible.add(id);
      if (lease?.live === true) continue;
      free ??= id;
      if (state?.agents.has(id) !== true) break;
    }
    if (index === 0 && free !== null) possible.add(free);
  }
  return [...possible];
}

/** Null where there are no notes. */
function leaseIn(leaseOf: (id: string) => Lease | null, id: string): Lease | null {
  try {
    return leaseOf(id);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return null;
  }
}
