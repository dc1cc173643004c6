/** The version of rows. The build computes it from its parts (versionParts.ts). */
import { versionOf, versionParts } from './versionParts.ts';

declare const HOLDPOINT_PROJECTION: number | undefined;

let version: number | undefined;
export function projectionVersion(): number {
  if (typeof HOLDPOINT_PROJECTION === 'number') return HOLDPOINT_PROJECTION;
  return (version ??= versionOf(versionParts()));
}
