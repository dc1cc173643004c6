/** What scripts for cmd have in common. */
import path from 'node:path';

/** Not by name: cmd and Windows look for a program in the current folder first, where an agent can put one. */
export const system32 = 'C:\\Windows\\System32';

/** Keeps Windows from looking for programs in the current folder. */
export const notInCurrentFolder = ['NoDefaultCurrentDirectoryInExePath', '1'] as const;

/**
 * A path in a script in this folder. cmd reads scripts in the code page of the system, so a path with other than ASCII
 * letters, such as those of a user's name, is written from the script's own folder, which cmd knows.
 */
export function inBatch(folder: string, file: string): string {
  const escaped = (text: string) => text.replaceAll('%', '%%');
  const way = path.win32.relative(folder, file);
  return /^[\x20-\x7e]*$/.test(file) || path.win32.isAbsolute(way) ? escaped(file) : `%~dp0${escaped(way)}`;
}
