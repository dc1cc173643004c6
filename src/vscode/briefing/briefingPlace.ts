/** The focus of the briefing: the pinned place, else the editor's file, else the whole project. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { inEditor } from '../kit/inEditor.ts';
import type { Place } from '../kit/inEditor.ts';

const pinnedName = 'holdpoint.briefing.pinned';

interface Pin {
  /** The folder's address. */
  readonly folder: string;
  readonly path: string;
}

interface Looking {
  readonly place: Place | null;
  /** Why it covers the whole project. */
  readonly note?: string;
}

export interface BriefingPlace {
  /** Without a path: the whole project of the last active folder. */
  now(): { readonly folder: OpenFolder | undefined; readonly path: string | null; readonly note?: string | undefined };
  /** Whether the current focus is pinned. */
  isPinned(): boolean;
  /** Whether it ignores changes of the active editor. */
  isFixed(): boolean;
  pin(): PromiseLike<void>;
  release(): PromiseLike<void>;
  /** The folder to use when no file of any folder is open. */
  prefer(folder: OpenFolder): void;
}

export function createBriefingPlace(memory: vscode.Memento, folders: Folders): BriefingPlace {
  let pin = memory.get<Pin>(pinnedName);
  let lastFolder: OpenFolder | null = null;

  function set(place: Place | null): PromiseLike<void> {
    pin = place ? { folder: place.folder.uri.toString(), path: place.path } : undefined;
    return memory.update(pinnedName, pin);
  }

  function looking(): Looking {
    const folder = folders.all.find(({ uri }) => uri.toString() === pin?.folder);
    return pin && folder ? { place: { folder, path: pin.path } } : following(folders);
  }

  const standIn = () => (lastFolder && folders.all.includes(lastFolder) ? lastFolder : folders.all[0]);

  return {
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
    isFixed: () => pin !== undefined,
    pin: () => set(looking().place),
    release: () => set(null),
    prefer(folder) {
      lastFolder = folder;
    },
  };
}

function following(folders: Folders): Looking {
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
