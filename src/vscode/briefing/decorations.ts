/**
 * Marks in the explorer for critical warnings and for agents' holds. A hold widened to every file appears only in the
 * status bar: a mark on every file would be useless.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { scopeKey, type BriefedEvent } from '../../core/memory/briefing.ts';
import { holderName, namedScopes, openHolders, testsByPlace, type Holder } from '../../core/hold/holds.ts';
import { holdingItself } from '../../core/kit/paths.ts';
import { plainText, shownLine } from '../../core/kit/text.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { placeOf, type Place } from '../kit/files.ts';
import { inTurn, oncePerBurst } from '../../ui/kit/timing.ts';
import { eventNamed } from '../../app/memory/events.ts';

const burstMs = 300;

/** The marks of one folder at the last check. */
interface Marks {
  readonly warnings: ReadonlyMap<string, BriefedEvent>;
  /** Oldest first. `place`: the worktree that the globs are seen from. */
  readonly held: readonly { readonly holder: Holder; readonly place: string; readonly globs: readonly string[] }[];
  /** Equal for equal marks. */
  readonly content: string;
}

export function registerMemoryDecorations(folders: Folders): Closable {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<undefined>());
  let marks: ReadonlyMap<OpenFolder, Marks> = new Map();
  let content = '';

  const look = inTurn(async () => {
    const now = new Map<OpenFolder, Marks>();
    for (const folder of folders.all) now.set(folder, await marksOf(folder));
    const before = content;
    marks = now;
    content = JSON.stringify([...now].map(([{ uri }, one]) => [uri.toString(), one.content]));
    // The explorer refreshes every file, so notify it only of real changes.
    if (content !== before) changed.fire(undefined);
  });

  all.add(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration(uri) {
        if (marks.size === 0 || !vscode.workspace.getConfiguration().get<boolean>(ids.settings.decorations, true))
          return undefined;
        const place = placeOf(folders, uri);
        const known = place && marks.get(place.folder);
        return known && decoration(known, place);
      },
    }),
  );
  all.add(folders.onDidChange(all.add(oncePerBurst(burstMs, look)).soon));
  all.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(ids.settings.decorations)) changed.fire(undefined);
    }),
  );
  return all;
}

async function marksOf(folder: OpenFolder): Promise<Marks> {
  const { workspace } = folder;
  const { state } = workspace.standing();
  const warnings = new Map<string, BriefedEvent>();
  for (const event of await criticalWarnings(folder))
    for (const scope of event.scopes) if (scope !== '.') warnings.set(scopeKey(scope, workspace.ignoreCase), event);
  const held = (state ? openHolders(state) : []).map((holder) => ({
    holder,
    place: holder.asker.worktree ?? workspace.worktree,
    globs: state ? namedScopes(state, holder) : [],
  }));
  const holds = held.map(({ holder, place, globs }) => [holder.id, holderName(holder), place, globs]);
  return { warnings, held, content: JSON.stringify([[...warnings.keys()], holds]) };
}

function decoration(marks: Marks, place: Place): vscode.FileDecoration | undefined {
  const warning = marks.warnings.get(scopeKey(place.path, place.folder.workspace.ignoreCase));
  if (warning) {
    const tooltip = l10n.t('Critical warning {0}: {1}', warning.id, shownLine(plainText(warning.text)));
    return new vscode.FileDecoration('!', tooltip, new vscode.ThemeColor('list.errorForeground'));
  }
  const holder = holderOf(marks, place);
  if (!holder) return undefined;
  const held = l10n.t('Held by {0}: {1}', holder.id, shownLine(plainText(holderName(holder))));
  return new vscode.FileDecoration('H', held, new vscode.ThemeColor('list.warningForeground'));
}

function holderOf({ held }: Marks, { folder, path }: Place): Holder | undefined {
  const { worktree, ignoreCase } = folder.workspace;
  // A folder around everything that is held is not held itself.
  const isHeldIn = testsByPlace(worktree, path, (seen) =>
    seen === '.' ? () => false : holdingItself(seen, ignoreCase),
  );
  return held.find(({ place, globs }) => globs.some(isHeldIn(place)))?.holder;
}

// Critical warnings for lists in the editor, without loading the database when there are none.

/** The active ones, newest first, up to a limit. */
async function criticalWarnings({ workspace }: OpenFolder): Promise<BriefedEvent[]> {
  const { state } = workspace.standing();
  if (!state || state.criticalWarnings.size === 0) return [];
  const view = (await workspace.store()).read();
  return [...view.state.criticalWarnings]
    .slice(-100)
    .reverse()
    .map((id) => eventNamed(view, id))
    .filter((event) => event !== null);
}
