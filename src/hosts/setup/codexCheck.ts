/** What of Codex's own files keeps its hooks from running, by its documentation of hooks and configuration. */
import path from 'node:path';
import { isTable, tablesIn } from './fileData.ts';
import { onDisk, placesOf } from './machine.ts';
import type { Machine } from './machine.ts';
import type { Place } from './place.ts';

/** The file of the user's own settings. */
export function codexSettings({ env, home }: Pick<Place, 'env' | 'home'>): string {
  return path.join(env['CODEX_HOME'] ?? path.join(home, '.codex'), 'config.toml');
}

/** A file that turns hooks off, by the feature's name or its older one. */
export function codexDisabledIn(place: Place, machine: Machine): string | null {
  const rules = onDisk(machine, placesOf(machine).codex);
  const files = [
    path.join(place.workspace, '.codex', 'config.toml'),
    codexSettings(place),
    path.join(path.dirname(rules), 'config.toml'),
    rules,
  ];
  const isOff = (file: string) => {
    const { features } = tablesIn(file);
    return isTable(features) && (features['hooks'] === false || features['codex_hooks'] === false);
  };
  return files.find(isOff) ?? null;
}
