import path from 'node:path';
import type { LauncherTarget } from '../../hosts/setup/launcher.ts';
import { ownNode } from './ownNode.ts';

/** What the launcher of this editor starts. */
export function ownLauncher(extensionPath: string): LauncherTarget {
  return { ...ownNode(), programs: path.join(extensionPath, 'dist') };
}
