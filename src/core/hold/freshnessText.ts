/** What agents read about a shared workspace whose server does not answer. */
import type { Lease } from '../state/state.ts';
import type { Freshness } from './freshness.ts';

type Unknown = Extract<Freshness, { readonly state: 'unknown' }>;

const next =
  'Check the network and the server, or ask the workspace’s administrator; holdpoint team status shows the connection. Reading and searching still work.';

/** Why nothing may be changed, and what to do. */
export function unknownText({ since, why }: Unknown, lease: Lease): string {
  return `${reason(why, since === null ? 'never' : instant(since), lease)} ${next}`;
}

function reason(why: Unknown['why'], since: string, { seconds, strictGlobs }: Lease): string {
  const last = `The server of this shared workspace last confirmed this machine’s copy at ${since}`;
  switch (why) {
    case 'lease':
      return `${last}. Work may continue without it for ${length(seconds)}; that time is over.`;
    case 'strict':
      return `${last}. Files that match ${list(strictGlobs)} are never changed without it.`;
    case 'never':
      return 'The server of this shared workspace has not confirmed this machine’s copy.';
    case 'clock':
      return `${last}, but a clock of this machine was set back since, so how long ago is not known.`;
    case 'forked':
      return 'The server of this shared workspace has other lines than this machine’s copy: one of them was changed or restored. Only a human can resolve this.';
  }
}

/** Added to an answer that was given without the server. */
export function offlineText({ since }: Extract<Freshness, { readonly state: 'offline' }>): string {
  return `The server of this shared workspace last answered at ${instant(since)}, so newer holds are not known here.`;
}

/** For an agent that begins while the server does not answer, or is about to continue. Null while it answers. */
export function outageText(found: Freshness, lease: Lease): string | null {
  if (found.state === 'offline')
    return `${offlineText(found)} Nothing can be saved until it answers: if you have a question, stop, and ask again.`;
  if (found.state !== 'unknown') return null;
  return `The state of this workspace is UNKNOWN. ${unknownText(found, lease)} Change nothing until then.`;
}

function instant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

function length(seconds: number): string {
  return seconds >= 120 && seconds % 60 === 0 ? `${String(seconds / 60)} minutes` : `${String(seconds)} seconds`;
}

function list(globs: readonly string[]): string {
  const shown = globs.slice(0, 5).join(', ');
  return globs.length > 5 ? `${shown} and ${String(globs.length - 5)} more patterns` : shown;
}
