/** The "Briefing" view: project memory about the file in the editor. It follows the editor unless pinned. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { limits } from '../../core/kit/words.ts';
import type { BriefingMessage } from '../../ui/briefing/messages.ts';
import type { BriefingSnapshot, BriefingView, Compose } from '../../ui/briefing/model.ts';
import { signInBriefing } from '../../ui/briefing/acts.ts';
import { briefingModel, whyNotSigned } from '../../ui/briefing/model.ts';
import { createBriefingPlace } from './briefingPlace.ts';
import type { BriefingPlace } from './briefingPlace.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { outageOf } from '../../ui/surface/outage.ts';
import { harmless } from '../kit/harmless.ts';
import { noFolder } from '../../ui/surface/unavailable.ts';
import type { Forms } from '../kit/forms.ts';
import { createLastStanding } from '../kit/lastStanding.ts';
import { dispatch } from '../../ui/surface/handlers.ts';
import type { Handlers } from '../../ui/surface/handlers.ts';
import { ids } from '../../ui/kit/ids.ts';
import { onLookingElsewhere } from '../kit/inEditor.ts';
import { latestBriefing } from '../../ui/briefing/latest.ts';
import type { Place } from '../kit/inEditor.ts';
import { problemWords } from '../../ui/kit/problemWords.ts';
import { pageOfView } from '../kit/page.ts';
import { pageRequests } from '../kit/pageRequests.ts';
import type { Shown } from '../../ui/surface/renderings.ts';
import { createSigningSurface } from '../../ui/surface/signingSurface.ts';
import type { SigningSurface, SigningSurfaceOptions, Unsigned } from '../../ui/surface/signingSurface.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import type { Current } from '../../ui/surface/snapshots.ts';
import { webviewHtml, webviewOptions } from '../kit/webviewHtml.ts';
import { enrolKey } from '../../ui/surface/workspaceForms.ts';

const schemas = () => import('../../ui/briefing/messages.ts');

export interface Briefings extends Closable {
  /** Opens the view, optionally with one event expanded. Signs nothing. */
  show(reveal?: { readonly folder: OpenFolder; readonly id: string }): Promise<void>;
  /** Opens the form for a new event. Records nothing. */
  compose(begin: Omit<Compose, 'token'>, place?: Place): Promise<void>;
  /** Keys of the critical warnings in the view; empty while it is hidden. */
  listed(): string[];
}

export interface BriefingViewOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly forms: Forms;
}

const keptName = 'holdpoint.briefing.kept';

export function registerBriefingView(options: BriefingViewOptions): Briefings {
  const { context, folders } = options;
  const all = collect();
  const place = createBriefingPlace(context.workspaceState, folders);
  const requests = requestsOf(options, place, () => surface);
  const standingIn = createLastStanding(options.keys, () => {
    surface.drawSoon();
  });
  const surface = all.add(
    createSigningSurface<BriefingSnapshot, BriefingMessage, Shown>({
      ...surfaceOptions(options, place, standingIn),
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
    async show(wanted) {
      if (wanted) {
        place.prefer(wanted.folder);
        surface.add({ reveal: { token: randomUUID(), id: wanted.id } });
      }
      await reach();
    },
    async compose(begin, at) {
      if (at) await place.release();
      surface.add({ compose: { token: randomUUID(), ...begin } });
      await reach();
    },
    listed: () => (isVisible() ? criticalKeys(folders) : []),
    dispose: () => {
      all.dispose();
    },
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
  standingIn: StandingIn,
): Omit<SigningSurfaceOptions<BriefingSnapshot, BriefingMessage, Shown>, 'receive'> {
  return {
    parse: async (raw) => (await schemas()).briefingMessage.safeParse(raw).data,
    current: (render) => currentBriefing({ folders, standingIn, place, render }),
    beside: () => ({ ...outageOf(folders), limits: { text: limits.otherText, scopes: limits.listItems } }),
    kept: () => context.workspaceState.get<string>(keptName),
    keep: (saved) => context.workspaceState.update(keptName, saved),
    sign: (message) => signInBriefing(folders, keys, message),
  };
}

type StandingIn = ReturnType<typeof createLastStanding>;

interface CurrentOptions {
  readonly folders: Folders;
  readonly standingIn: StandingIn;
  readonly place: BriefingPlace;
  readonly render: string;
}

async function currentBriefing({
  folders,
  standingIn,
  place,
  render,
}: CurrentOptions): Promise<Current<BriefingView, Shown>> {
  await folders.opened;
  const { folder, path, note } = place.now();
  if (!folder)
    return {
      view: noFolder(l10n.t('Project memory belongs to a folder. Open the folder your agents work in.')),
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
            : l10n.t('{0} The view "Answer" shows the recovery options.', problemWords(problem)),
      },
    };
  const store = await folder.workspace.store();
  const standing = await standingIn(folder.workspace);
  const locked = whyNotSigned(standing, store.readOnly);
  const briefing = await latestBriefing(folder.workspace, path);
  const options = { folders, folder, view: store.read(), briefing, note, standing, locked, render };
  const view = briefingModel({ ...options, focus: path, pinned: place.isPinned() });
  return { view, seen: shownIn(view) };
}

/** The items that can be acted on: the view itself, and each open event. */
function shownIn(view: BriefingView): Shown {
  const { proposals, critical, relevant, other, waiting } = view;
  const groups = [critical, ...Object.values(relevant), other];
  const targets = [view, ...proposals, ...groups.flatMap(({ items }) => items)];
  return { targets, layout: String(waiting.items.length) };
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
    async enrol({ key }) {
      const found = folders.find(key);
      if (found) await forms.show(enrolKey(folders, found.folder));
    },
    do: ({ action }) => harmless(action),
  };
}
