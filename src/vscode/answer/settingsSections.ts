/** The sections of the "Holdpoint Settings" tab, for the folder whose form it shows. */
import type { Snapshot } from '../../ui/answer/view.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { appointKey, askKey, keysKey, policyKey } from '../../ui/surface/workspaceForms.ts';

const sections = { policy: policyKey, keys: keysKey, appoint: appointKey, ask: askKey } as const;

export function settingsSections(folders: Folders, shown: string): Snapshot['sections'] {
  const folder = folders.find(shown)?.folder;
  if (!folder) return undefined;
  return (['policy', 'keys', 'appoint', 'ask'] as const).map((name) => {
    const key = sections[name](folders, folder);
    return { name, key, current: key === shown };
  });
}
