/**
 * Keeps the mirrors up to date while the editor runs, if enabled. Off by default: mirrors duplicate content, and add
 * files that watchers and searches find.
 */
import * as l10n from '@vscode/l10n';
import type { MirrorMemory } from '../../app/mirrors/mirrors.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { keepFiles } from './fileKeeper.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { warning } from './messages.ts';

export function keepMirrors(folders: Folders): Closable {
  const memory: MirrorMemory = new WeakMap();
  return keepFiles({
    folders,
    setting: ids.settings.mirrors,
    quietMs: 1_000,
    async write({ workspace }) {
      const { looksEveryMs, mirror } = await import('../../app/mirrors/mirrors.ts');
      const { edited } = await mirror(workspace, { memory, everyMs: looksEveryMs });
      if (edited.length > 0)
        void warning(
          l10n.t(
            'Mirrors are written from the database. What was edited in {0} is overwritten.',
            edited.slice(0, 5).join(', '),
          ),
        );
    },
    failed: (folder, why) => l10n.t('The mirrors of {0} could not be written: {1}', folder, why),
  });
}
