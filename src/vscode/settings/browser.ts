/** "Holdpoint: Answer in the Browser…" opens the page of an item, where a passkey signs. Decides nothing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasItem } from '../../core/waiting/items.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { commandWithFailures } from '../kit/messages.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { isPasskeyPage, workspaceForm } from '../../ui/surface/workspaceForms.ts';
import { chooseFolder } from '../kit/folders.ts';
import type { Logins } from './team.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { isPasskey } from '../../app/decision/passkey.ts';
import { localOrigin, servePort } from '../../app/serving/editorLink.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { ownNode } from '../kit/ownNode.ts';
import { listenerAt } from './browserAsking.ts';

export interface BrowserOptions {
  readonly extensionPath: string;
  readonly folders: Folders;
  readonly logins: Logins;
  /** The key of the item that an argument of a command names. */
  readonly keyOf: (argument: unknown) => string | undefined;
}

export function registerBrowser({ extensionPath, folders, logins, keyOf }: BrowserOptions): Closable {
  const all = collect();
  const server = all.add(openBrowserServer(extensionPath, logins));
  const open = async (folder: OpenFolder, place: string): Promise<void> => {
    if (!vscode.workspace.isTrusted)
      throw new AppError('denied', l10n.t('This folder is not trusted: you can read here, but not decide.'));
    const address = await server.addressOf(folder, place);
    await vscode.env.openExternal(vscode.Uri.parse(address, true));
  };
  all.add(
    commandWithFailures(ids.commands.openInBrowser, async (argument) => {
      const found = folders.find(keyOf(argument) ?? '');
      const folder = found?.folder ?? (await chooseFolder(folders, l10n.t('Answer items of which folder?')));
      if (folder) await open(folder, found ? pathOf(folder, found.id) : '/');
    }),
  );
  return all;
}

/** The page of an item, or of a form that a passkey can sign; else the list. */
function pathOf({ workspace }: OpenFolder, id: string): string {
  if (isPasskeyPage(id)) return passkeyPage;
  const kind = workspaceForm(id)?.kind;
  if (kind === 'together') return `/${id}`;
  if (kind === 'policy' || kind === 'keys') return `/${kind}`;
  const { state } = workspace.standing();
  return state && hasItem(state, id) ? `/open/${id}` : '/';
}

// The server of forms for this window: uses the one that listens, or starts one, which ends with the window. It
// always has the same port, because a passkey belongs to an address with its port.

export const passkeyPage = '/passkey';

const lookEveryMs = 100;
const lookAtMost = 50;
/** Of what a server says that does not start. */
const linesAtMost = 20;

function openBrowserServer(extensionPath: string, logins: Logins) {
  let child: ChildProcess | undefined;
  const portNow = () => vscode.workspace.getConfiguration().get(ids.settings.browserPort, servePort);

  async function start({ workspace, uri }: OpenFolder, port: number): Promise<void> {
    const { command, env } = ownNode();
    const program = path.join(extensionPath, 'dist', 'serve.cjs');
    const args = [program, '--workspace', uri.fsPath, '--port', String(port), '--for-editor'];
    const login = await logins.read(workspace);
    child = spawn(command, args, {
      env: { ...process.env, ...env, LC_ALL: vscode.env.language },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    // Without the end of its input, which comes with the end of this program, it would stay.
    child.stdin?.on('error', () => undefined).write(`${login ?? ''}\n`);
    const said = await beginning(child);
    if (said !== null) throw new AppError('conflict', l10n.t('The page could not be started: {0}', said));
  }

  async function ensureServer(folder: OpenFolder, port: number): Promise<void> {
    const { workspace } = folder;
    const found = await listenerAt(workspace, 'look', port);
    if (found === 'other') throw new AppError('conflict', takenWords(port));
    if (found === 'free') {
      await start(folder, port);
      return;
    }
    if (found.folder === workspace.location.root) return;
    if (!found.byEditor) throw new AppError('conflict', elsewhereWords(found.folder, port));
    await listenerAt(workspace, 'end', port);
    await untilFree(workspace, port);
    await start(folder, port);
  }

  async function addressOf(folder: OpenFolder, place: string): Promise<string> {
    const port = portNow();
    await ensureServer(folder, port);
    const { workspace } = folder;
    const ask = place !== passkeyPage && hasPasskey(workspace, port) ? 'look' : 'code';
    const listener = await listenerAt(workspace, ask, port);
    if (typeof listener === 'string' || listener.folder !== workspace.location.root)
      throw new AppError('conflict', takenWords(port));
    const code = listener.code === undefined ? '' : `#${listener.code}`;
    return `${localOrigin(port)}${place}${code}`;
  }

  let before: Promise<unknown> = Promise.resolve();
  return {
    /**
     * The address of a page. A browser without a passkey, or for another one, gets a one-time code with it. One after
     * another, so that two clicks start one server.
     * @throws AppError when another program, or a server of another folder, has the port
     */
    addressOf(folder: OpenFolder, place: string): Promise<string> {
      const address = before.then(() => addressOf(folder, place));
      before = address.catch(() => undefined);
      return address;
    },
    dispose() {
      child?.stdin?.end();
      child?.kill();
    },
  };
}

/** Null once it listens; else why it does not. */
async function beginning(child: ChildProcess): Promise<string | null> {
  const { stdout } = child;
  const wrong: string[] = [];
  child.once('error', (error) => wrong.push(error.message));
  child.stderr?.on('data', (data: Buffer) => {
    if (wrong.length < linesAtMost) wrong.push(data.toString('utf8'));
  });
  if (stdout) for await (const _ of createInterface({ input: stdout })) return null;
  return wrong.join('').trim().slice(0, 500);
}

async function untilFree(workspace: Workspace, port: number): Promise<void> {
  for (let look = 0; look < lookAtMost; look += 1) {
    if ((await listenerAt(workspace, 'look', port)) === 'free') return;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function hasPasskey(workspace: Workspace, port: number): boolean {
  const origin = localOrigin(port);
  return workspace.pins().some((pin) => isPasskey(pin) && !pin.retired && pin.passkey.origin === origin);
}

function takenWords(port: number): string {
  return l10n.t(
    'Another program listens on port {0}, which passkeys of this machine belong to. Nothing was opened, because that program could show you its own page. Stop it, then try again.',
    String(port),
  );
}

function elsewhereWords(folder: string, port: number): string {
  return l10n.t(
    '“holdpoint serve” runs for {0} and uses port {1}. Stop it there, then try again.',
    folder,
    String(port),
  );
}
