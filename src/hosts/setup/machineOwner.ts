/** Whether only the administrator can change a file: who owns it and each folder above it, and who else may write there. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { realOf } from './git.ts';
import type { Machine } from './machine.ts';

/**
 * The first place from the root to the file that others than the administrator can change; null if there is none. A
 * missing file is as safe as its folder.
 */
export function changeableBy(machine: Machine, file: string): string | null {
  if (machine.platform === 'win32') return null;
  const top = machine.root === '' ? path.parse(file).root : realOf(machine.root);
  return (
    [...placesFrom(top, file)].find((place) => {
      const stat = fs.lstatSync(place, { throwIfNoEntry: false });
      return (
        stat !== undefined && (stat.uid !== machine.owner || (!stat.isSymbolicLink() && (stat.mode & 0o022) !== 0))
      );
    }) ?? null
  );
}

/** Each folder and link that leads to the file, without the root: a link may lead to another one. */
function placesFrom(top: string, file: string, places = new Set<string>()): Set<string> {
  for (const place of upTo(top, file)) {
    if (places.has(place)) continue;
    places.add(place);
    const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (isLink) placesFrom(top, path.resolve(realOf(path.dirname(place)), fs.readlinkSync(place)), places);
  }
  return new Set([...places, ...upTo(top, realOf(file))]);
}

function upTo(top: string, file: string): string[] {
  const way = path.relative(top, file);
  if (way === '' || way.startsWith('..')) return [];
  return [...upTo(top, path.dirname(file)), file];
}

/**
 * Tries as this user to change a file, or to replace it in its folder. Null if the system refuses both. The file is
 * opened for writing, and nothing is written.
 */
export function triedToChange(file: string): string | null {
  for (const place of [file, ...upTo(path.parse(file).root, path.dirname(file))]) {
    try {
      if (place === file) fs.closeSync(fs.openSync(file, 'r+'));
      else fs.accessSync(place, fs.constants.W_OK);
      return place;
    } catch {
      // Refused, as it should be.
    }
  }
  return null;
}

/** In C:\ProgramData every user may add files to a folder; this leaves administrators and the system. */
export function closedFolder(folder: string): readonly string[] {
  const full = '(OI)(CI)F';
  const read = '(OI)(CI)RX';
  return [
    folder,
    '/inheritance:r',
    ...['/grant:r', `*S-1-5-32-544:${full}`],
    ...['/grant:r', `*S-1-5-18:${full}`],
    ...['/grant:r', `*S-1-5-32-545:${read}`],
  ];
}

const icacls = 'C:\\Windows\\System32\\icacls.exe';

/** @throws Error when the folder's permissions cannot be set */
export function closeFolder(folder: string): void {
  const { status, stderr } = spawnSync(icacls, [...closedFolder(folder)], {
    encoding: 'utf8',
    windowsHide: true,
  });
  if (status !== 0) throw new Error(`the permissions of ${folder} cannot be set: ${stderr.trim()}`);
}
