/** Where a workspace is in its git repository. */
import path from 'node:path';
import type { CheckRange } from '../../app/audit/checkReport.ts';

/** Paths of a workspace in a part of the repository, or around it. */
export function placeIn(top: string, folder: string): CheckRange['inside'] {
  const down = path.relative(top, folder).split(path.sep).join('/');
  if (down === '') return (file) => file;
  if (down !== '..' && !down.startsWith('../'))
    return (file) => (file.startsWith(`${down}/`) ? file.slice(down.length + 1) : down === file ? '.' : null);
  const up = path.relative(folder, top).split(path.sep).join('/');
  return up.startsWith('..') ? () => null : (file) => `${up}/${file}`;
}
