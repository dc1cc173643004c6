/** Sessions of browsers, in memory only: they end with the server. A session reads; it never decides. */
import { createHash, randomBytes } from 'node:crypto';

export interface Session {
  /** The hash of its secret, which names the session. */
  readonly id: string;
  /** The passkey that opened it; null when a one-time code did. */
  readonly keyid: string | null;
}

const idleMs = 2 * 60 * 60_000;
const longestMs = 12 * 60 * 60_000;
const atMost = 200;

export interface Sessions {
  /** A new session, and the secret that its browser keeps. Earlier ones of that browser end. */
  open(keyid: string | null, before: string | undefined): string;
  find(secret: string | undefined): Session | null;
  /** Whether it has not ended. Does not count as use: for streams that stay open. */
  isOpen(session: Session): boolean;
  end(secret: string | undefined): void;
}

interface Known extends Session {
  readonly began: number;
  readonly used: number;
}

/** @param clock monotonic milliseconds */
export function createSessions(clock: () => number): Sessions {
  /** By their ids, the latest used last. */
  const known = new Map<string, Known>();
  const end = (secret: string | undefined) => secret !== undefined && known.delete(hashOf(secret));
  const isOver = ({ used, began }: Known) => clock() - used > idleMs || clock() - began > longestMs;
  return {
    open(keyid, before) {
      end(before);
      const secret = randomBytes(32).toString('base64url');
      const id = hashOf(secret);
      const now = clock();
      known.set(id, { id, keyid, began: now, used: now });
      const [oldest] = known.keys();
      if (known.size > atMost && oldest !== undefined) known.delete(oldest);
      return secret;
    },
    find(secret) {
      if (secret === undefined) return null;
      const id = hashOf(secret);
      const session = known.get(id);
      known.delete(id);
      if (!session || isOver(session)) return null;
      known.set(id, { ...session, used: clock() });
      return session;
    },
    isOpen({ id }) {
      const session = known.get(id);
      return session !== undefined && !isOver(session);
    },
    end(secret) {
      end(secret);
    },
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
