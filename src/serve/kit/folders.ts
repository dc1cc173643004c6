/** The server's one workspace, as the editor's models of pages take it. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { inTurns } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import fs from 'node:fs';
import { defaultMaxIterations } from '../../core/rfc/review.ts';
import { runIn, type Texts } from '../../ui/kit/program.ts';

const prefix = '0/';

export function foldersOf(workspace: Workspace): Folders {
  const changed = inTurns();
  const place = workspace.options.folder;
  const uri = { fsPath: place, toString: () => pathToFileURL(place).href };
  const folder: OpenFolder = { workspace, name: path.basename(place), uri };
  const stop = workspace.onChange(changed.fire);
  return {
    all: [folder],
    stores: [[folder]],
    shown: [[folder]],
    showSample: () => ({ dispose: () => undefined }),
    onDidChange: (listener) => changed.event(listener),
    opened: Promise.resolve(),
    keyOf: (_folder, id) => keyOf(id),
    find: (key) => (key.startsWith(prefix) ? { folder, id: key.slice(prefix.length) } : null),
    dispose() {
      stop();
      changed.dispose();
    },
  };
}

/** The key of an item, as pages name it. */
export function keyOf(id: string): string {
  return `${prefix}${id}`;
}

// The language of the server's texts: that of the program that started it, where the package has translations.

export function useLanguageOf(env: NodeJS.ProcessEnv): void {
  const tag = (env['LC_ALL'] ?? env['LANG'] ?? 'en').split(/[._@]/)[0]?.replace('_', '-') ?? 'en';
  const short = tag.split('-')[0] ?? '';
  const file = path.join(import.meta.dirname, '..', 'l10n', `bundle.l10n.${short}.json`);
  const isTranslated = /^[a-z]{2}$/.test(short) && fs.existsSync(file);
  runIn({
    language: /^[a-z]{2}(-[A-Z]{2})?$/.test(tag) ? tag : 'en',
    texts: isTranslated ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Texts) : undefined,
    remoteName: undefined,
    // Whoever starts the server trusts the folder: it runs nothing of it.
    isTrusted: true,
    reviewsAtMost: defaultMaxIterations,
  });
}
