/** What setup for a workspace and for a machine share: the paths of these programs, a store for the canary, and a changed file as text. */
import path from 'node:path';
import process from 'node:process';
import { holdCanary } from '../../app/hosts/canary.ts';
import type { Hold } from '../../hosts/setup/canary.ts';
import { writeLauncher, launcherWorks, type LauncherTarget } from '../../hosts/setup/launcher.ts';
import type { Place } from '../../hosts/setup/place.ts';
import type { Io } from '../kit/io.ts';
import { openFolder } from '../kit/verb.ts';
import { difference, type DifferenceRow } from '../../core/kit/difference.ts';
import { plural } from '../../core/kit/text.ts';
import type { FileChange } from '../../hosts/setup/plan.ts';

/** This program, on the current Node. */
export function launcherTarget({ env }: Io): LauncherTarget {
  const electron = env['ELECTRON_RUN_AS_NODE'] === '1' && 'electron' in process.versions;
  return {
    command: process.execPath,
    env: electron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
    programs: path.resolve(import.meta.dirname),
  };
}

/** A working launcher may be the extension's, which keeps it up to date. */
export function ensureLauncher(io: Io, { userFolder }: Place): void {
  if (!launcherWorks(userFolder)) writeLauncher(userFolder, launcherTarget(io), io.platform);
}

export function canaryHold(io: Io): Hold {
  return async ({ folder, home, env, secret }) => {
    const workspace = openFolder({ ...io, home, env }, folder);
    try {
      await holdCanary(workspace, 'held.txt', secret);
    } finally {
      workspace.close();
    }
  };
}

/** A file and its changed lines with some context. */
export function changeText({ file, real, before, after }: FileChange): string {
  const what = before === null ? 'new' : after === null ? 'removed' : 'changed';
  const rows = difference(before?.toString('utf8') ?? '', after?.toString('utf8') ?? '');
  return [`\n${file}${real === file ? '' : ` -> ${real}`} (${what})`, ...rows.map(rowText)].join('\n');
}

function rowText(row: DifferenceRow): string {
  if (row.type === 'gap') return `  … ${plural(row.lines, 'line')}`;
  const text = row.type === 'same' ? row.text : row.pieces.map((piece) => piece.text).join('');
  return `${{ same: '  ', added: '+ ', removed: '- ' }[row.type]}${text}`;
}
