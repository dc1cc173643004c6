/** Detects hosts in use: by their folders in the workspace or home, and their programs on the PATH. */
import fs from 'node:fs';
import path from 'node:path';
import type { HostName } from '../host.ts';
import { hosts } from '../hosts.ts';
import { gitPlaces } from './git.ts';
import { onPath, setupNames, type Place, type SetupName } from './place.ts';

/** The first evidence of each host: a path. Hosts without one appear unused. */
export function foundHosts(place: Place): ReadonlyMap<SetupName, string> {
  const found = new Map<SetupName, string>();
  for (const name of setupNames) {
    const sign = name === 'git' ? gitPlaces(place)?.hooks : signOf(place, name);
    if (sign !== undefined) found.set(name, sign);
  }
  return found;
}

function signOf(place: Place, name: HostName): string | undefined {
  const { workspace: here, home: there, program } = hosts[name].setup.signs;
  return [
    ...here.map((file) => path.join(place.workspace, file)),
    ...there.map((file) => path.join(place.home, file)),
    ...onPath(place, program, ['.exe', '.cmd', '.ps1']),
  ].find((file) => fs.existsSync(file));
}
