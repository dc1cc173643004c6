/** The server's one workspace, as the editor's models of pages take it. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { inTurns } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import fs from 'node:fs';
import { defaultMaxIterations } from '../../core/rfc/review.ts';
import { runIn } from '../../ui/kit/program.ts';
import type { Texts } from '../../ui/kit/program.ts';
import * as l10n from '@vscode/l10n';
import type { ReminderMessage } from '../../core/waiting/reminderFormats.ts';

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

// The text of a notification, for a lock screen: it names the workspace, and nothing that an agent wrote.

export function pushText({ reminders, project }: Pick<ReminderMessage, 'reminders' | 'project'>): string {
  const [first, ...more] = reminders;
  if (more.length > 0) return l10n.t('{0} items are waiting in {1}', reminders.length, project);
  if (first?.kind === 'changed') return l10n.t('Held files were changed in {0}', project);
  if (first?.urgency === 'critical') return l10n.t('A critical question is waiting in {0}', project);
  switch (first?.id.split('-')[0]) {
    case 'Q':
      return l10n.t('A question is waiting in {0}', project);
    case 'RFC':
      return l10n.t('An RFC is waiting in {0}', project);
    case 'R':
      return l10n.t('A request is waiting in {0}', project);
    default:
      return l10n.t('An item is waiting in {0}', project);
  }
}
