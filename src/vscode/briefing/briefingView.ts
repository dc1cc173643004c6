/** The "Briefing" view: project memory about the file in the editor. It follows the editor unless pinned. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { limits } from '../../core/kit/limits.ts';
import { briefingMessage, type BriefingMessage } from '../../ui/briefing/messages.ts';
import {
  currentBriefing,
  seenInBriefing,
  whyNotSigned,
  type BriefingSnapshot,
  type BriefingView,
  type Compose,
  signInBriefing,
} from '../../ui/briefing/model.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { outageOf, noFolder, problemWords } from '../../ui/kit/problemWords.ts';
import { runHarmless, pageOfView, webviewHtml, webviewOptions, type Forms } from '../kit/pages.ts';
import { dispatch, type Handlers } from '../../ui/surface/signedActs.ts';
import { ids } from '../../ui/kit/ids.ts';
import { onLookingElsewhere, pageRequests, inEditor, placeOf, type Place } from '../kit/files.ts';
import {
  createSigningSurface,
  type Shown,
  type SigningSurface,
  type SigningSurfaceOptions,
  type Unsigned,
  type Current,
} from '../../ui/surface/signingSurface.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import { information } from '../kit/messages.ts';

export type Briefings = ReturnType<typeof registerBriefingView>;

interface BriefingViewOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly forms: Forms;
}

const keptName = 'holdpoint.briefing.kept';

export function registerBriefingView(options: BriefingViewOptions) {
  const { context, folders } = options;
  const all = collect();
  const place = createBriefingPlace(context.workspaceState, folders);
  const requests = requestsOf(options, place, () => surface);
  const surface = all.add(
    createSigningSurface<BriefingSnapshot, BriefingMessage, Shown>({
      ...surfaceOptions(options, place),
      receive: (message) => dispatch(requests, message),
    }),
  );
  let isVisible = () => false;
  all.add(
    vscode.window.registerWebviewViewProvider(ids.views.briefing, {
      resolveWebviewView(view) {
        isVisible = () => view.visible;
        view.webview.options = webviewOptions(context.extensionUri);
        surface.attach(pageOfView(view));
        view.webview.html = webviewHtml(view.webview, context.extensionUri, 'memory', 'Holdpoint');
      },
    }),
  );
  all.add(folders.onDidChange(surface.drawSoon));
  all.add(
    onLookingElsewhere(folders, () => {
      if (!place.isFixed()) void surface.draw();
    }),
  );
  const reach = async () => {
    await vscode.commands.executeCommand(`${ids.views.briefing}.focus`);
    await surface.draw();
  };
  return {
    /** Opens the view, optionally with one event expanded. Signs nothing. */
    async show(wanted?: { readonly folder: OpenFolder; readonly id: string }): Promise<void> {
      if (wanted) {
        place.prefer(wanted.folder);
        surface.add({ reveal: { token: randomUUID(), id: wanted.id } });
      }
      await reach();
    },
    /** Opens the form for a new event. Records nothing. */
    async compose(begin: Omit<Compose, 'token'>, at?: Place): Promise<void> {
      if (at) await place.release();
      surface.add({ compose: { token: randomUUID(), ...begin } });
      await reach();
    },
    /** Keys of the critical warnings in the view; empty while it is hidden. */
    listed: () => (isVisible() ? criticalKeys(folders) : []),
    dispose: all.dispose,
  };
}

function criticalKeys(folders: Folders): string[] {
  return folders.stores.flatMap(([folder]) =>
    [...(folder.workspace.standing().state?.criticalWarnings ?? [])].map((id) => folders.keyOf(folder, id)),
  );
}

function surfaceOptions(
  { context, folders, keys }: BriefingViewOptions,
  place: BriefingPlace,
): Omit<SigningSurfaceOptions<BriefingSnapshot, BriefingMessage, Shown>, 'receive'> {
  return {
    schema: briefingMessage,
    current: (render) => briefingNow({ folders, keys, place, render }),
    beside: () => ({ ...outageOf(folders), limits: { text: limits.otherText, scopes: limits.listItems } }),
    kept: () => context.workspaceState.get<string>(keptName),
    keep: (saved) => context.workspaceState.update(keptName, saved),
    sign: (message) => signInBriefing(folders, keys, message),
  };
}

interface CurrentOptions {
  readonly folders: Folders;
  readonly keys: Keys;
  readonly place: BriefingPlace;
  readonly render: string;
}

async function briefingNow({ folders, keys, place, render }: CurrentOptions): Promise<Current<BriefingView, Shown>> {
  await folders.opened;
  const { folder, path, note } = place.now();
  if (!folder)
    return {
      view: noFolder(l10n.t('Notes belong to a folder. Open the folder your agents work in.')),
    };
  const { problem } = folder.workspace.standing();
  if (problem)
    return {
      view: {
        type: 'unavailable',
        title: l10n.t('Holdpoint cannot read the records here'),
        text:
          problem.code === 'newer'
            ? problemWords(problem)
            : l10n.t('{0} The view “Answer” shows the recovery options.', problemWords(problem)),
      },
    };
  const standing = await keys.standing(folder.workspace);
  const locked = (readOnly: boolean) => whyNotSigned(standing, readOnly);
  const options = { folders, folder, focus: path, note, pinned: place.isPinned(), render, standing, locked };
  const view = await currentBriefing(options);
  return { view, seen: seenInBriefing(view) };
}

function requestsOf(
  { context, folders, forms }: BriefingViewOptions,
  place: BriefingPlace,
  surface: () => SigningSurface<BriefingSnapshot>,
): Handlers<Unsigned<BriefingMessage>> {
  return {
    openFile: pageRequests(folders, context.extension.id).openFile,
    async pin({ on }) {
      await (on ? place.pin() : place.release());
      return surface().draw();
    },
    openForm: ({ key }) => forms.show(key),
    do: ({ action }) => runHarmless(action),
  };
}

// The focus of the briefing: the pinned place, else the editor's file, else the whole project.

const pinnedName = 'holdpoint.briefing.pinned';

interface Pin {
  readonly folder: string;
  readonly path: string;
}

interface Looking {
  readonly place: Place | null;
  /** Why it covers the whole project. */
  readonly note?: string;
}

type BriefingPlace = ReturnType<typeof createBriefingPlace>;

function createBriefingPlace(memory: vscode.Memento, folders: Folders) {
  let pin = memory.get<Pin>(pinnedName);
  let lastFolder: OpenFolder | null = null;

  function set(place: Place | null): PromiseLike<void> {
    pin = place ? { folder: place.folder.uri.toString(), path: place.path } : undefined;
    return memory.update(pinnedName, pin);
  }

  function looking(): Looking {
    const folder = folders.all.find(({ uri }) => uri.toString() === pin?.folder);
    return pin && folder ? { place: { folder, path: pin.path } } : followEditor(folders);
  }

  const standIn = () => (lastFolder && folders.all.includes(lastFolder) ? lastFolder : folders.all[0]);

  return {
    /** Without a path: the whole project of the last active folder. */
    now() {
      const { place, note } = looking();
      const folder = place?.folder ?? standIn();
      if (folder) lastFolder = folder;
      return { folder, path: place?.path ?? null, note };
    },
    isPinned() {
      const { place } = looking();
      return place !== null && pin?.folder === place.folder.uri.toString() && pin.path === place.path;
    },
    /** Whether it ignores changes of the active editor. */
    isFixed: () => pin !== undefined,
    pin: () => set(looking().place),
    release: () => set(null),
    /** The folder to use when no file of any folder is open. */
    prefer(folder: OpenFolder): void {
      lastFolder = folder;
    },
  };
}

function followEditor(folders: Folders): Looking {
  const looking = inEditor(folders);
  switch (looking.kind) {
    case 'file':
      return { place: looking.place };
    case 'nothing':
      return { place: null };
    case 'untitled':
      return {
        place: null,
        note: l10n.t('{0} is not saved yet, so the briefing covers the whole project.', looking.name),
      };
    case 'outside':
      return {
        place: null,
        note: l10n.t('{0} is not in this project, so the briefing covers the whole project.', looking.name),
      };
  }
}

// Commands of project memory. They open the view and its forms; none records or closes anything by itself.

export function registerMemoryCommands(folders: Folders, briefings: Briefings): Closable {
  const all = collect();
  const on = (id: string, run: (argument: unknown) => Promise<void>) =>
    all.add(vscode.commands.registerCommand(id, run));
  on(ids.commands.showBriefing, () => briefings.show());
  on(ids.commands.openEvent, async (argument) => {
    const found = typeof argument === 'string' ? folders.find(argument) : null;
    await briefings.show(found ?? undefined);
  });
  on(ids.commands.postEvent, async () => {
    const looking = inEditor(folders);
    const place = looking.kind === 'file' ? looking.place : undefined;
    await briefings.compose({ scopes: place ? [place.path] : [], text: '' }, place);
  });
  on(ids.commands.recordWarning, async () => {
    const editor = vscode.window.activeTextEditor;
    const place = editor && placeOf(folders, editor.document.uri);
    if (!editor || !place) {
      void information(l10n.t('You can post a warning only about a file in an open folder.'));
      return;
    }
    await briefings.compose(
      { type: 'warning', scopes: [place.path], text: whereOf(place.path, editor.selection) },
      place,
    );
  });
  return all;
}

/** A link to the selected lines, as the start of the text: `[login.ts:12-18](src/login.ts#L12)`. */
function whereOf(path: string, selection: vscode.Selection): string {
  const from = selection.start.line + 1;
  // A selection of whole lines ends at the start of the next line.
  const last = selection.end.character === 0 && !selection.isEmpty ? selection.end.line : selection.end.line + 1;
  const lines = last > from ? `${String(from)}-${String(last)}` : String(from);
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/[[\]]/g, '');
  return `[${name}:${lines}](${encodeURI(path).replace(/[()]/g, encodeURIComponent)}#L${String(from)}): `;
}
