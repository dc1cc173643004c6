/** What the editor shows of a file that is held or has notes: lines at its top, marks in the explorer, and commands. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { concerns, type Briefing, type Group, scopeKey, type BriefedEvent } from '../../core/memory/briefing.ts';
import { plainText, shownLine } from '../../core/kit/text.ts';
import { collect, type Closable, oncePerBurst, inTurn } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { placeOf, type Place, inEditor } from '../kit/files.ts';
import { withoutIcons, failure, information } from '../kit/messages.ts';
import { latestBriefing } from '../../ui/briefing/model.ts';
import { holderName, namedScopes, openHolders, testsByPlace, type Holder } from '../../core/hold/holds.ts';
import { holdingItself, escapeGlob } from '../../core/kit/paths.ts';
import { eventNamed } from '../../app/memory/events.ts';
import { askGate } from '../../app/hold/gate.ts';
import { openAgent } from '../../app/workspace/agents.ts';

/** Groups bursts of records. Milliseconds. */
const burstMs = 300;
/**
 * Second refresh: VS Code updates the text of an existing lens only if the line is rendered at that moment
 * (CodeLensWidget.computeIfNecessary), and discards the update otherwise. A file that has just come to the front would
 * show the old text. Milliseconds.
 */
const againMs = 1_500;

/** Lines at the top of files, and marks in the explorer. */
export function registerFileMarks(folders: Folders): Closable {
  const all = collect();
  all.add(registerLens(folders));
  all.add(registerDecorations(folders));
  return all;
}

function registerLens(folders: Folders): Closable {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  let second: NodeJS.Timeout | undefined;
  const again = () => {
    clearTimeout(second);
    second = setTimeout(() => {
      changed.fire();
    }, againMs);
  };
  const burst = all.add(
    oncePerBurst(burstMs, () => {
      changed.fire();
      again();
    }),
  );
  all.add(
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file' },
      {
        onDidChangeCodeLenses: changed.event,
        async provideCodeLenses(document) {
          if (!vscode.workspace.getConfiguration().get<boolean>(ids.settings.codeLens, true)) return [];
          const top = new vscode.Range(0, 0, 0, 0);
          return (await commandsFor(folders, document.uri)).map((command) => new vscode.CodeLens(top, command));
        },
      },
    ),
  );
  all.add(folders.onDidChange(burst.soon));
  all.add(vscode.window.onDidChangeVisibleTextEditors(again));
  all.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(ids.settings.codeLens)) changed.fire();
    }),
  );
  all.add({
    dispose() {
      clearTimeout(second);
    },
  });
  return all;
}

async function commandsFor(folders: Folders, uri: vscode.Uri): Promise<vscode.Command[]> {
  await folders.opened;
  const place = placeOf(folders, uri);
  const state = place?.folder.workspace.standing().state;
  // Avoids loading the database when there are no holds and events. Events come last: their headers may be unread.
  if (!place || !state || (state.holders.size === 0 && state.events.size === 0)) return [];
  const { workspace } = place.folder;
  const briefing = await latestBriefing(workspace, place.path);
  const memory = parts(briefing, place.path, workspace.ignoreCase).join(' · ');
  return [
    ...heldBy(briefing, (id) => folders.keyOf(place.folder, id)),
    ...(memory === '' ? [] : [{ command: ids.commands.showBriefing, title: memory }]),
  ];
}

/** With several, the most pressing one opens; its form leads to the others. */
function heldBy({ waiting }: Briefing, keyOf: (id: string) => string): vscode.Command[] {
  const holding = waiting.items.filter(({ concerns_focus }) => concerns_focus);
  const [first] = holding;
  if (!first) return [];
  const title =
    holding.length === 1
      ? l10n.t('Held by {0}: {1}', first.id, withoutIcons(shownLine(plainText(first.text))))
      : l10n.t('Held by {0} questions', holding.length);
  return [{ command: ids.commands.openForm, title: `$(debug-pause) ${title}`, arguments: [keyOf(first.id)] }];
}

function parts({ critical_warnings, relevant }: Briefing, path: string, ignoreCase: boolean): string[] {
  const count = ({ items, more }: Group<unknown>) => items.length + more;
  const critical = critical_warnings.items.filter(({ scopes }) =>
    scopes.some((scope) => concerns(scope, path, ignoreCase)),
  );
  return [
    countText(critical.length, l10n.t('1 critical warning'), (n) => l10n.t('{0} critical warnings', n)),
    countText(count(relevant.warning), l10n.t('1 warning'), (n) => l10n.t('{0} warnings', n)),
    countText(count(relevant.decision), l10n.t('1 decision'), (n) => l10n.t('{0} decisions', n)),
  ].filter((part) => part !== null);
}

function countText(n: number, one: string, more: (n: number) => string): string | null {
  return n === 0 ? null : n === 1 ? one : more(n);
}

// Marks in the explorer for critical warnings and for agents' holds. A hold widened to every file appears only in the
// status bar: a mark on every file would be useless.

/** The marks of one folder at the last check. */
interface Marks {
  readonly warnings: ReadonlyMap<string, BriefedEvent>;
  /** Oldest first. `place`: the worktree that the globs are seen from. */
  readonly held: readonly { readonly holder: Holder; readonly place: string; readonly globs: readonly string[] }[];
  /** Equal for equal marks. */
  readonly content: string;
}

function registerDecorations(folders: Folders): Closable {
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

// "Why Is This Held?" and "Hold This File…", in the explorer, at the title of an editor and in Source Control.

export interface FileActs {
  readonly folders: Folders;
  /** Opens the form of a question or the review of an RFC. */
  readonly open: (key: string) => Promise<void>;
}

export function registerFileActs({ folders, open }: FileActs): Closable {
  const all = collect();
  const on = (id: string, run: (place: Place) => Promise<void>) =>
    all.add(
      vscode.commands.registerCommand(id, async (argument: unknown) => {
        const place = chosenPlace(folders, argument);
        try {
          if (place) await run(place);
          else void information(l10n.t('Select a file of an open folder first.'));
        } catch (error) {
          void failure(error instanceof Error ? error.message : String(error));
        }
      }),
    );
  on(ids.commands.whyHeld, async ({ folder, path }) => {
    const { reasons, problem } = askGate(folder.workspace, { files: [path] });
    const holders = [...new Set(reasons.flatMap(({ holder }) => holder ?? []))];
    const holder = holders.length > 1 ? await chooseHolder(holders) : holders[0];
    if (holder) await open(folders.keyOf(folder, holder.id));
    else if (problem) void information(l10n.t('Agents may not change {0}: {1}', path, problem.message));
    else if (holders.length === 0) void information(l10n.t('Nothing holds {0}.', path));
  });
  on(ids.commands.holdFile, async (place) => {
    const reason = await vscode.window.showInputBox({
      title: l10n.t('Hold {0}', place.path),
      prompt: l10n.t('Agents may not change it until you answer. Why? They read the reason.'),
      placeHolder: l10n.t('For example: I am changing this myself'),
    });
    if (reason !== undefined) await open(folders.keyOf(place.folder, await hold(place, reason.trim())));
  });
  return all;
}

/** The file of a menu's row; without one, that of the active editor. */
function chosenPlace(folders: Folders, argument: unknown): Place | null {
  const uri = argument instanceof vscode.Uri ? argument : resourceOf(argument);
  if (uri) return placeOf(folders, uri);
  const looking = inEditor(folders);
  return looking.kind === 'file' ? looking.place : null;
}

/** Of a row in Source Control. */
function resourceOf(argument: unknown): vscode.Uri | null {
  if (typeof argument !== 'object' || argument === null || !('resourceUri' in argument)) return null;
  return argument.resourceUri instanceof vscode.Uri ? argument.resourceUri : null;
}

async function chooseHolder(holders: readonly Holder[]): Promise<Holder | undefined> {
  const items = holders.map((holder) => ({
    label: `${holder.id}: ${withoutIcons(shownLine(plainText(holderName(holder))))}`,
    holder,
  }));
  const title = l10n.t('{0} questions and RFCs hold this. Open which one?', holders.length);
  return (await vscode.window.showQuickPick(items, { title }))?.holder;
}

/**
 * A human holds a file by asking: anybody may create a hold, and only a signed answer releases it. An earlier answer about
 * the same file is not reused.
 * @returns id of the question
 * @throws Error when the tool refuses
 */
async function hold({ folder: { workspace }, path }: Place, reason: string): Promise<string> {
  const { raiseQuestion } = await import('../../tools/question/asking.ts');
  const { runOperation } = await import('../../tools/kit/operation.ts');
  const { session } = openAgent(workspace, { type: 'editor', host: 'vscode', given: 'editor' });
  const glob = escapeGlob(path);
  const { status, text } = await runOperation(
    raiseQuestion,
    { workspace, session, signal: new AbortController().signal, waitMs: 0 },
    {
      text: l10n.t('May agents change `{0}`?', path),
      type: 'approval',
      ...(reason === '' ? {} : { background: reason }),
      holds: [glob],
      reopen_reason: l10n.t('You hold it again.'),
      wait_seconds: 0,
    },
  );
  const { state } = workspace.standing();
  const held = [...(state?.undecided ?? [])].find((id) => {
    const question = state?.questions.get(id);
    return question?.asker.id === session.actor.id && question.holds.includes(glob);
  });
  if (held === undefined || status === 'error') throw new Error(text);
  return held;
}
