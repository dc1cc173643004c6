/**
 * Marks in the explorer for critical warnings and for agents' holds, and in the editor for holds. A hold widened to
 * every file appears only in the status bar: a mark on every file would be useless.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formLink } from '../kit/formLink.ts';
import { scopeKey, type BriefedEvent } from '../../core/memory/briefing.ts';
import { gatherHeldPaths, type HeldPaths } from '../../core/hold/heldPaths.ts';
import { holderName, isRfc, namedScopes, openHolders, type Holder } from '../../core/hold/holds.ts';
import { plain } from '../../core/kit/plain.ts';
import { shownLine } from '../../core/kit/text.ts';
import type { State } from '../../core/state/state.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { placeOf, type Place } from '../kit/files.ts';
import { inTurn, oncePerBurst } from '../../ui/kit/timing.ts';
import { eventNamed } from '../../app/memory/views.ts';

const burstMs = 300;

/** The marks of one folder at the last check. */
interface Marks {
  readonly warnings: ReadonlyMap<string, BriefedEvent>;
  readonly holds: readonly Hold[];
  readonly held: HeldPaths<Holder>;
}

interface Hold {
  readonly holder: Holder;
  readonly place: string;
  readonly globs: readonly string[];
}

export function registerMemoryDecorations(
  context: Pick<vscode.ExtensionContext, 'extensionUri'>,
  folders: Folders,
): Closable {
  const all = collect();
  const gutter = all.add(createGutter(context));
  const changed = all.add(new vscode.EventEmitter<undefined>());
  let marks: ReadonlyMap<OpenFolder, Marks> = new Map();

  const look = inTurn(async () => {
    const now = new Map<OpenFolder, Marks>();
    for (const folder of folders.all) now.set(folder, await marksOf(folder));
    const before = marks;
    marks = now;
    // The explorer refreshes every file, so notify it only of real changes.
    if (!sameLists([...before], [...now], sameMarks)) redraw();
  });

  function redraw(): void {
    changed.fire(undefined);
    markEditors();
  }

  function marksAt(uri: vscode.Uri): { readonly known: Marks; readonly place: Place } | undefined {
    if (marks.size === 0 || !vscode.workspace.getConfiguration().get<boolean>(ids.settings.decorations, true))
      return undefined;
    const place = placeOf(folders, uri);
    const known = place && marks.get(place.folder);
    return known ? { known, place } : undefined;
  }

  function markEditors(): void {
    gutter.mark((uri) => {
      const at = marksAt(uri);
      const holder = at && holderOf(at.known, at.place);
      return holder && { key: folders.keyOf(at.place.folder, holder.id), id: holder.id, name: holderName(holder) };
    });
  }

  all.add(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration(uri) {
        const at = marksAt(uri);
        return at && decoration(at.known, at.place);
      },
    }),
  );
  all.add(folders.onDidChange(all.add(oncePerBurst(burstMs, look)).soon));
  all.add(vscode.window.onDidChangeVisibleTextEditors(markEditors));
  all.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(ids.settings.decorations)) redraw();
    }),
  );
  return all;
}

async function marksOf(folder: OpenFolder): Promise<Marks> {
  const { state } = folder.workspace.standing();
  if (!state) return { warnings: new Map(), holds: [], held: gatherHeldPaths() };
  const warnings = new Map<string, BriefedEvent>();
  for (const event of await criticalWarnings(folder))
    for (const scope of event.scopes)
      if (scope !== '.') warnings.set(scopeKey(scope, folder.workspace.ignoreCase), event);
  return { warnings, ...holdsOf(folder, state) };
}

function holdsOf({ workspace }: OpenFolder, state: State): Pick<Marks, 'holds' | 'held'> {
  const holds: Hold[] = [];
  const held = gatherHeldPaths<Holder>();
  for (const holder of openHolders(state)) {
    const [place, globs] = [holder.asker.worktree ?? workspace.worktree, namedScopes(state, holder)];
    if (globs.length > 0) {
      holds.push({ holder, place, globs });
      held.add(holder, place, globs);
    }
  }
  return { holds, held };
}

function sameMarks([folder, { warnings, holds }]: [OpenFolder, Marks], [other, then]: [OpenFolder, Marks]): boolean {
  const isSame = folder === other && sameLists([...warnings.keys()], [...then.warnings.keys()]);
  return isSame && sameLists(holds, then.holds, sameHold);
}

/** Most are the same objects. The text of a question never changes, an RFC's title may. */
function sameHold(hold: Hold, other: Hold): boolean {
  if (hold.holder !== other.holder) {
    if (hold.holder.id !== other.holder.id) return false;
    if (isRfc(hold.holder) && holderName(hold.holder) !== holderName(other.holder)) return false;
  }
  return hold.place === other.place && (hold.globs === other.globs || sameLists(hold.globs, other.globs));
}

function sameLists<T>(
  list: readonly T[],
  other: readonly T[],
  same: (one: T, another: T) => boolean = Object.is,
): boolean {
  return list.length === other.length && list.every((one, at) => same(one, other[at] as T));
}

function decoration(marks: Marks, place: Place): vscode.FileDecoration | undefined {
  const warning = marks.warnings.get(scopeKey(place.path, place.folder.workspace.ignoreCase));
  if (warning) {
    const tooltip = l10n.t('Critical warning {0}: {1}', warning.id, shownLine(plain(warning.text)));
    return new vscode.FileDecoration('!', tooltip, new vscode.ThemeColor('list.errorForeground'));
  }
  const holder = holderOf(marks, place);
  if (!holder) return undefined;
  return new vscode.FileDecoration(
    'H',
    heldWords(holder.id, holderName(holder)),
    new vscode.ThemeColor('list.warningForeground'),
  );
}

function holderOf({ held }: Marks, { folder, path }: Place): Holder | undefined {
  const { worktree, ignoreCase } = folder.workspace;
  return held.first(path, worktree, ignoreCase);
}

// The mark of a held file in the editor's gutter. Its first line says on hover what holds it, and opens the form.

export interface HeldBy {
  /** As `Folders.keyOf` names it. */
  readonly key: string;
  readonly id: string;
  /** The question, or the RFC's title. */
  readonly name: string;
}

export interface Gutter extends Closable {
  /** Marks the visible editors. */
  mark(heldBy: (file: vscode.Uri) => HeldBy | undefined): void;
}

export function createGutter({ extensionUri }: Pick<vscode.ExtensionContext, 'extensionUri'>): Gutter {
  const icon = (name: string) => ({ gutterIconPath: vscode.Uri.joinPath(extensionUri, 'media', name) });
  const held = vscode.window.createTextEditorDecorationType({
    light: icon('held-light.svg'),
    dark: icon('held-dark.svg'),
  });
  return {
    mark(heldBy) {
      for (const editor of vscode.window.visibleTextEditors) {
        const found = heldBy(editor.document.uri);
        const range = editor.document.lineAt(0).range;
        editor.setDecorations(held, found ? [{ range, hoverMessage: hover(found) }] : []);
      }
    },
    dispose: () => {
      held.dispose();
    },
  };
}

/** The name is an agent's text, so it stays plain, and apart from the link. */
function hover({ key, id, name }: HeldBy): vscode.MarkdownString[] {
  return [new vscode.MarkdownString().appendText(heldWords(id, name)), formLink(key)];
}

export function heldWords(id: string, name: string): string {
  return l10n.t('Held by {0}: {1}', id, shownLine(plain(name)));
}

// Critical warnings for lists in the editor, without loading the database when there are none.

/** The active ones, newest first, up to a limit. */
export async function criticalWarnings({ workspace }: OpenFolder, atMost = 100): Promise<BriefedEvent[]> {
  const { state } = workspace.standing();
  if (!state || state.criticalWarnings.size === 0) return [];
  const view = (await workspace.store()).read();
  return [...view.state.criticalWarnings]
    .slice(-atMost)
    .reverse()
    .map((id) => eventNamed(view, id))
    .filter((event) => event !== null);
}
