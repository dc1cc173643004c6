/**
 * Assigns agent ids to programs that are given none: `{type}-{number}`, in a shared journal with their person in front. The host
 * determines the type; the number belongs to a worktree, so that a new session receives its predecessor's answers. A higher
 * number is used only while another program of the host is alive there, so that two programs never take each other's answers.
 */
import { agentNamed, personOf, shortAgent, wholeAgent } from '../../core/kit/persons.ts';
import { agentIdProblem, isNumberedAgent, sameNameKey } from '../../core/kit/text.ts';
import { errorCode } from '../../store/journal/files.ts';
import { programsOf, type Programs, leasesIn, type Leases, type OwnLease } from '../../store/journal/programs.ts';
import { AppError } from './errors.ts';
import type { AgentSession } from './session.ts';
import type { Answering } from './atGate.ts';
import path from 'node:path';
import { stateFileName } from '../../store/journal/stateFile.ts';

/** Which program acts for each agent of this workspace. */
function leasesOf({ options: { fs, clock }, userFolder, location }: Answering, programs?: Programs): Leases {
  const folder = path.join(userFolder, 'agents', stateFileName(location.root).replace('.json', ''));
  return leasesIn({ fs, clock, folder, programs: programs ?? programsOf(fs, clock) });
}

export interface LiveAgent extends ReturnType<typeof openAgent> {}

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
export function openAgent(workspace: Answering, options: AgentOptions) {
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
    /** Who it is now, to be asked for each call. */
    get session(): AgentSession {
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
    /** Notes a session id of the host that this program serves; hooks identify a session by it. */
    serves(one: string) {
      served.add(one);
      current().serves(one);
    },
    /** Allows an immediate takeover; otherwise it becomes possible when the program ends. */
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

interface Claim extends Pick<OwnLease, 'serves' | 'release'> {
  readonly id: string;
}

function emptyClaim(id: string): Claim {
  return { id, serves: () => undefined, release: () => undefined };
}

function claimNumber(workspace: Answering, options: AgentOptions): Claim {
  const leases = leasesOf(workspace, options.programs);
  const type = typeIn(workspace, options.type);
  try {
    for (const id of candidates(workspace, type, workspace.worktree)) {
      const own = leases.take(id);
      if (own) return { id, ...own };
    }
  } catch (error) {
    // Advisory: without leases two programs may share an id, which loosens no hold.
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
  const { leaseOf } = leasesOf(workspace, asked.programs);
  const { state } = workspace.current();
  const possible = new Set<string>();
  const serving = new Set<string>();
  let isServed = false;
  for (const [index, type] of asked.types.entries()) {
    let free: string | null = null;
    for (const id of candidates(workspace, typeIn(workspace, type), asked.worktree)) {
      const lease = leaseOf(id);
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

/** Whether a program acts for this agent now; null if none ever noted that it does. */
export function isAlive(workspace: Answering, id: string, programs?: Programs): boolean | null {
  return leasesOf(workspace, programs).leaseOf(id)?.live ?? null;
}
