/**
 * One-time codes: the terminal or the editor shows one, and it opens one session. Sixty bits, five minutes, and few
 * tries a minute (see `routes/session.ts`).
 */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

/** No letter or digit that can be mistaken for another. */
const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 3;
const groupLength = 4;
const validMs = 5 * 60_000;
const atMost = 20;

export interface Codes {
  /** A new code, as a person types it: `7K4M-…`. */
  issue(): string;
  /** Whether this code opens a session now; it never does again. */
  redeem(typed: string): boolean;
}

/** @param clock monotonic milliseconds */
export function createCodes(clock: () => number): Codes {
  let open: { readonly hash: Buffer; readonly until: number }[] = [];
  return {
    issue() {
      const code = Array.from({ length: groups }, group).join('-');
      open = [...open, { hash: hashOf(code), until: clock() + validMs }].slice(-atMost);
      return code;
    },
    redeem(typed) {
      const hash = hashOf(typed);
      const now = clock();
      open = open.filter(({ until }) => until > now);
      // Compares with all, so that the time tells nothing.
      const found = open.filter((one) => timingSafeEqual(one.hash, hash));
      open = open.filter((one) => !found.includes(one));
      return found.length > 0;
    },
  };
}

function group(): string {
  return Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');
}

/** Of equal length whatever was typed; spaces, hyphens and small letters are forgiven. */
function hashOf(code: string): Buffer {
  return createHash('sha256').update(code.toUpperCase().replace(/[\s-]/g, '')).digest();
}
