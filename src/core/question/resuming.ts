/**
 * The command that continues with a parked session. A session's id comes from an agent: it must have the form of its
 * host's ids, so that it is never an option, a path or another name.
 */
import type { ResumableHost } from '../records/resuming.ts';

export interface ResumeCommand {
  /** A program's name, to be found on the PATH. */
  readonly program: string;
  readonly args: readonly string[];
}

interface Resumable {
  readonly program: string;
  readonly session: RegExp;
  readonly args: (session: string, prompt: string) => readonly string[];
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Options of Claude Code 2.1.330, Codex 0.169.0, Copilot CLI 1.0.102 and opencode 1.18.33. All start at a prompt. */
const hosts: Readonly<Record<ResumableHost, Resumable>> = {
  'claude-code': { program: 'claude', session: uuid, args: (id, prompt) => [`--resume=${id}`, '--', prompt] },
  codex: { program: 'codex', session: uuid, args: (id, prompt) => ['resume', '--', id, prompt] },
  'copilot-cli': {
    program: 'copilot',
    session: uuid,
    args: (id, prompt) => [`--resume=${id}`, `--interactive=${prompt}`],
  },
  opencode: {
    program: 'opencode',
    session: /^ses_[0-9A-Za-z]{10,60}$/,
    args: (id, prompt) => ['run', '--interactive', `--session=${id}`, '--', prompt],
  },
};

export function isSessionOf(host: ResumableHost, session: string): boolean {
  return hosts[host].session.test(session);
}

/** Null for an id that this host does not give to sessions. */
export function resumeCommand(host: ResumableHost, session: string, prompt: string): ResumeCommand | null {
  const { program, args } = hosts[host];
  return isSessionOf(host, session) ? { program, args: args(session, withoutControls(prompt)) } : null;
}

/** A terminal would obey control characters. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}
