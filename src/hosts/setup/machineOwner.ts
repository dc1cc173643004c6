/** Whether only the administrator can change a file: who owns it and each folder above it, and who else may write there. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { system32 } from './launcher.ts';
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
 * opened for writing, and nothing is written. Windows does not say whether a folder can be written, so an empty file is
 * added to it and removed again.
 */
export function triedToChange({ platform }: Pick<Machine, 'platform'>, file: string): string | null {
  const isWindows = platform === 'win32';
  const folders = isWindows ? foldersOf([file]).reverse() : upTo(path.parse(file).root, path.dirname(file));
  for (const place of [file, ...folders]) {
    try {
      if (place === file) fs.closeSync(fs.openSync(file, 'r+'));
      else if (isWindows) addAndRemove(path.join(place, `holdpoint-${randomUUID()}.tmp`));
      else fs.accessSync(place, fs.constants.W_OK);
      return place;
    } catch {
      // Refused, as it should be.
    }
  }
  return null;
}

function addAndRemove(file: string): void {
  fs.closeSync(fs.openSync(file, 'wx'));
  fs.rmSync(file);
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

/** What runs to close a folder: its owner could open it again, so administrators become its owner first. */
export function closingPrograms(folder: string): readonly (readonly [program: string, ...args: readonly string[]])[] {
  return [
    [`${system32}\\takeown.exe`, '/F', folder, '/A'],
    [`${system32}\\icacls.exe`, ...closedFolder(folder)],
  ];
}

/** Below these, Windows lets every user or only administrators add folders; they themselves stay as they are. */
const tops = ['C:\\ProgramData', 'C:\\Program Files'];

/** The folders of these files on Windows and those above: a user who can rename one of them can put another in its place. */
export function foldersOf(files: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of files) {
    const above: string[] = [];
    let folder = path.win32.dirname(file);
    while (!isTop(folder)) {
      above.unshift(folder);
      folder = path.win32.dirname(folder);
    }
    for (const one of above) found.add(one);
  }
  return [...found];
}

function isTop(folder: string): boolean {
  const same = (top: string) => top.toLowerCase() === folder.toLowerCase();
  return path.win32.dirname(folder) === folder || tops.some(same);
}

type Run = (program: string, args: readonly string[]) => { readonly status: number | null; readonly stderr: string };

const run: Run = (program, args) => spawnSync(program, [...args], { encoding: 'utf8', windowsHide: true });

/**
 * Makes the folders of these files the administrators', before anything is written there.
 * @throws Error naming the first folder whose owner or permissions cannot be set
 */
export function closeFolders(files: readonly string[], running: Run = run): void {
  for (const folder of foldersOf(files))
    for (const [program, ...args] of closingPrograms(folder)) {
      const { status, stderr } = running(program, args);
      if (status !== 0)
        throw new Error(`${folder} cannot be made the administrators’: ${stderr.trim()}. Nothing was written.`);
    }
}
