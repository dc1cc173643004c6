/** Names of files on Windows. Pure. Source: Microsoft, "Naming Files, Paths, and Namespaces". */

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\xB9\xB2\xB3]|lpt[0-9\xB9\xB2\xB3])(?:[ .:].*)?$/i;

/** Accepts a plain drive or relative path: no share, no `\\?\`, no device, no alternate data stream, no `C:file`. */
export function isPlainOnWindows(raw: string): boolean {
  if (/^[\\/]{2}/.test(raw)) return false;
  const parts = raw.replace(/^[a-z]:(?=[\\/])/i, '').split(/[\\/]/);
  return parts.every((part) => part === '.' || part === '..' || !(device.test(part) || /[:<>"|?*]|[ .]$/.test(part)));
}

/**
 * The file that programs open by this name: without `\\?\`, without the stream behind a colon, and without dots and
 * blanks at the ends of names, which Windows ignores. Null for a share, a device path or `C:file`: these can lead anywhere.
 */
export function openedOnWindows(raw: string): string | null {
  const [, drive = '', rest = ''] = /^(?:[\\/]{2}[?.][\\/](?=[a-z]:))?([a-z]:)?(.*)$/is.exec(raw) ?? [];
  if (/^[\\/]{2}/.test(rest) || (drive !== '' && !/^(?:[\\/]|$)/.test(rest))) return null;
  return drive + rest.replaceAll(/[^\\/]+/g, (name) => (name === '..' ? name : openedName(name)));
}

function openedName(name: string): string {
  return name.replace(/:.*$/s, '').replace(/[ .]+$/, '') || '.';
}

/** `/c/code` in Git Bash, `/cygdrive/c/code` and, in WSL, `/mnt/c/code`; null for other paths. */
export function onMountedDrive(raw: string): string | null {
  const [, letter, rest = ''] = /^\/(?:cygdrive\/|mnt\/)?([a-z])((?:[\\/].*)?)$/is.exec(raw) ?? [];
  return letter === undefined ? null : `${letter}:${rest || '/'}`;
}
