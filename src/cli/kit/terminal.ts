/**
 * What leaves for a terminal. Texts of agents, paths and arguments may carry escape sequences and characters that
 * nobody sees: they are shown, never obeyed. `main` puts this around all output, so no verb can forget it.
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
