/** The parts of `npm run bench`, in order. */
import { activation } from './activation.ts';
import { atSizes } from './atSizes.ts';
import { commits } from './commits.ts';
import { gate } from './gate.ts';
import type { Part } from './part.ts';

/** Most important first, because a slow machine may run out of time. */
export const parts: readonly Part[] = [gate, commits, atSizes, activation];
