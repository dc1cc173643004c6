/**
 * Escapes output for terminals. Texts of agents, paths and arguments may contain escape sequences and invisible
 * characters: this shows them instead of passing them on. `main` wraps all output in it, so no verb can forget it.
 */
import { visibleText } from '../../core/kit/visible.ts';
import type { Io } from './io.ts';

export function shownIo(io: Io): Io {
  return {
    ...io,
    out: (text) => io.out(visibleText(text)),
    err: (text) => io.err(visibleText(text)),
  };
}
