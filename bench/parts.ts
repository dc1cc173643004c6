/** The parts of `npm run bench`, in order. */
import { activation } from './activation.ts';
import { answers } from './answers.ts';
import { audit } from './audit.ts';
import { bundle } from './bundle.ts';
import { commits } from './commits.ts';
import { gate } from './gate.ts';
import { history } from './history.ts';
import { memory } from './memory.ts';
import { mirrors } from './mirrors.ts';
import { opening } from './opening.ts';
import type { Part } from './part.ts';
import { pauses } from './pauses.ts';
import { serve } from './serve.ts';
import { shared } from './shared/shared.ts';
import { starts } from './starts.ts';
import { tools } from './tools.ts';
import { window } from './window.ts';

/** Most important first, because a slow machine may run out of time. */
export const parts: readonly Part[] = [
  ...[commits, gate, starts, tools, history, activation, window, memory, audit],
  ...[pauses, serve, mirrors, bundle, answers, opening, shared],
];
