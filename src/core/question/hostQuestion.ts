/**
 * Questions that a host asks its user by itself, noted as async ones, which hold nothing. Their payload says so: a mark
 * for people that gives no right. What the host reports as the answer is not a decision: it only withdraws the note.
 */
import type { Payload } from '../kit/payload.ts';
import { type OpenQuestion, type State, undecidedQuestions } from '../state/state.ts';

export interface AskedInHost {
  /** Display name of the host. */
  readonly host: string;
  /** The host's tool, or the MCP server that asks through the host. */
  readonly by: string;
  readonly session: string | null;
}

const name = 'asked_in_host';

export function hostPayload({ host, by, session }: AskedInHost): Payload {
  return { [name]: { host, by, session } };
}

/** Null for what an agent asked here. */
export function askedInHost(payload: Payload | null): AskedInHost | null {
  const mark = payload?.[name];
  if (typeof mark !== 'object' || mark === null) return null;
  const { host, by, session = null } = mark as Partial<Record<keyof AskedInHost, unknown>>;
  if (typeof host !== 'string' || typeof by !== 'string' || host === '') return null;
  return { host, by, session: typeof session === 'string' ? session : null };
}

export interface EndedInHost extends Pick<AskedInHost, 'host' | 'session'> {
  readonly by?: string;
  /** The agent of the session, if only one is possible: it may ask again what an earlier session of it asked. */
  readonly agent: string | null;
}

/** Noted questions of a session that are still open, oldest first. */
export function openInHost(state: State, { host, by, session, agent }: EndedInHost): OpenQuestion[] {
  return undecidedQuestions(state).filter((question) => {
    const { status, mode, asker } = question;
    if (status !== 'pending' || mode !== 'async') return false;
    const { raised } = question;
    if (raised.payload === undefined) return false;
    const asked = askedInHost(JSON.parse(raised.payload) as Payload);
    if (asked?.host !== host || (by !== undefined && asked.by !== by)) return false;
    return asked.session === session || asker.id === agent;
  });
}
