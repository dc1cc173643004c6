/** What a person does with a team in an editor: with pointer and keys, as they would. */
import type { Frame, Locator } from 'playwright-core';
import { holdpoint } from './holdpoint.ts';
import { until } from './until.ts';
import type { EditorWindow } from './window.ts';

/** Enters text into the input box that asks for this. */
export async function enter({ page }: EditorWindow, asked: string, text: string): Promise<void> {
  const widget = page.locator('.quick-input-widget', { hasText: asked });
  await widget.locator('input').fill(text);
  await page.keyboard.press('Enter');
  await widget.waitFor({ state: 'hidden' });
}

/** Presses the last button of a form with two steps. */
export async function confirm(form: Frame): Promise<void> {
  await form.locator('.second-step').waitFor();
  await form.locator('main[data-ready="true"]').waitFor();
  await form.locator('[data-act="confirm"]').click();
}

/** A form about a team: "share", "keys", "enrol" or "leave". */
export function teamForm(window: EditorWindow, view: string): Promise<Frame> {
  return window.webview(`main[data-view="${view}"][data-ready="true"]`);
}

const myUrl = 'The URL from the person who set up the server';

export interface Sharing {
  /** Of the workspace on the server. */
  readonly called: string;
  /** Of the person's own login. The agents' login is in the environment. */
  readonly url: string;
}

/**
 * Shares this window's workspace.
 * @returns the fingerprint of the root key
 */
export async function share(window: EditorWindow, shell: Shell, { called, url }: Sharing): Promise<string> {
  await window.menu('Rules and Devices', 'Share This Workspace…');
  await (await teamForm(window, 'share')).locator('[data-act="connect"]').click();
  await enter(window, myUrl, url);
  const form = await teamForm(window, 'share');
  await form
    .locator('dd', { hasText: new URL(url).username })
    .first()
    .waitFor();
  await form.locator('#called').fill(called);
  await form.locator('main[data-ready="true"] [data-act="decide"]').click();
  await confirm(form);
  return rootOf(shell);
}

type Shell = Parameters<typeof holdpoint>[0];

/** The fingerprint of the root key, which is the only key, once the workspace is shared. */
export async function rootOf(shell: Shell): Promise<string> {
  const ask = async (...args: string[]) => {
    const { code, out } = await holdpoint(shell, ...args, '--json');
    return code === 0 ? (JSON.parse(out) as Record<string, unknown>) : {};
  };
  await until('shared', async () => (await ask('team', 'status'))['state'] === 'current');
  const [root] = (await ask('keys'))['keys'] as { keyid: string }[];
  return root?.keyid ?? '';
}

export interface Invitation {
  /** Of the person's own login. */
  readonly url: string;
  readonly workspace: string;
  readonly fingerprint: string;
}

/** Joins a workspace in a terminal, and connects the editor. The agents' login is in the environment. */
export async function join(
  window: EditorWindow,
  shell: Shell,
  { url, workspace, fingerprint }: Invitation,
): Promise<void> {
  const { code, err } = await holdpoint(shell, 'team', 'join', workspace, '--fingerprint', fingerprint);
  if (code !== 0) throw new Error(err);
  await window.menu('Rules and Devices', 'Connect to Your Team…');
  await enter(window, myUrl, url);
  await standing(window, 'shared, current').waitFor();
}

/** This editor's public key, from the form of someone who cannot decide yet. */
export async function publicKeyIn(window: EditorWindow): Promise<string> {
  await window.command('Holdpoint: You and Your Devices…');
  const form = await teamForm(window, 'enrol');
  await form.locator('[data-act="copy-key"]').click();
  const line = form.locator('p > code.fingerprint', { hasText: /^[A-Za-z0-9+/=]{40,} / });
  return line.innerText();
}

/** Adds a teammate's key to the team's ring, as its root. */
export async function trustKey(window: EditorWindow, line: string, name: string): Promise<void> {
  await window.command('Holdpoint: You and Your Devices…');
  const form = await teamForm(window, 'keys');
  await form.locator('#pasted').fill(line);
  await form.locator('[data-act="look"]').click();
  await form.locator('#compare').waitFor();
  await form.locator('#calledKey').fill(name);
  await confirm(form);
  await form
    .getByRole('status')
    .filter({ hasText: `Decisions of ${name} are now valid for the team` })
    .waitFor();
}

/** Words beside the title of the tree, such as "shared, current". */
export function standing({ page }: EditorWindow, words: string | RegExp): Locator {
  return page.locator('.pane-header', { hasText: 'Waiting for you' }).locator('.description', { hasText: words });
}
