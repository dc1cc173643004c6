/** What the parts of one host have in common. */
import path from 'node:path';
import type { HostName } from '../names.ts';
import { realOf } from './git.ts';
import type { Part } from './part.ts';
import type { Place } from './place.ts';

/** Seconds. The hook gives up and denies long before; a timeout of the host would let the call through. */
export const hookTimeout = 30;

export function frameOf(place: Place, host: HostName) {
  const root = realOf(place.workspace);
  return (kind: Part['kind'], ...names: string[]) => ({ host, kind, root, file: path.join(place.workspace, ...names) });
}
