/** Sends reminders while the editor is open, and keeps this person's settings at hand for the editor's own notifications. */
import fs from 'node:fs';
import os from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readReminderSettings, settingsDigest, settingsFile } from '../../app/waiting/reminderFiles.ts';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { isThisMachine } from '../../core/kit/quickChecks.ts';
import { mayDisturb, isQuiet, type ReminderSettings } from '../../core/waiting/reminderSettings.ts';
import type { Urgency } from '../../core/kit/words.ts';
import { userFolder } from '../../store/journal/stateFile.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { warning } from '../kit/messages.ts';
import { openChangeWatch } from './changedOutside.ts';

export function reminderPlace() {
  const machine = thisMachine(process, os.homedir());
  return { ...machine, userFolder: userFolder(machine) };
}

/** Where a phone adds its passkey, as a QR code; null without an address of “holdpoint serve” that phones reach. */
export async function phoneLink() {
  const page = openPersonal().page();
  if (page === undefined) return null;
  const { protocol, hostname } = new URL(page);
  if (protocol !== 'https:' || isThisMachine(hostname)) return null;
  const link = `${page}/passkey`;
  const { encode } = await import('uqr');
  const { data, size } = encode(link, { border: 4 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${String(x)} ${String(y)}h1v1h-1z` : '')));
  return { link, size, squares: dark.join('') };
}

export function openPersonal() {
  let place: ReturnType<typeof reminderPlace> | undefined;
  let stamp = '';
  let settings: ReminderSettings | null = null;

  function current(): ReminderSettings | null {
    try {
      // Not at the editor's start, which waits for no other file of ours.
      place ??= reminderPlace();
      const stat = fs.statSync(settingsFile(place.userFolder), { throwIfNoEntry: false });
      const now = stat ? `${String(stat.ino)} ${String(stat.mtimeMs)} ${String(stat.size)}` : '';
      if (now !== stamp) {
        stamp = now;
        settings = null;
        settings = readReminderSettings(place);
      }
    } catch {
      settings = null; // settings that cannot be used silence nothing
    }
    return settings;
  }

  const now = () => new Date().toISOString();
  return {
    /** Whether "do not disturb" is on. */
    isSilent: () => !mayDisturb(current(), now()),
    /** Whether a reminder of this urgency waits until quiet hours are over. */
    isQuiet(urgency: Urgency): boolean {
      const found = current();
      return found !== null && isQuiet(found, urgency, now());
    },
    /** The address of “holdpoint serve”, for links on a phone. */
    page: () => current()?.page,
  };
}

/** Name of the secret with the digest of the settings as this editor last wrote or accepted them. */
const digestName = 'holdpoint.reminders';

/** Undefined until this person has saved some. */
export function acceptedSettings(secrets: vscode.SecretStorage): Thenable<string | undefined> {
  return secrets.get(digestName);
}

/** @param digest of the settings that this person has seen */
export async function acceptSettings(secrets: vscode.SecretStorage, digest: string): Promise<void> {
  await secrets.store(digestName, digest);
}

export function keepReminders({ secrets }: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  let closed = false;
  const isToWarn = openChangeWatch();

  /** Another program can change the file: this person hears of it. */
  async function compare(): Promise<void> {
    const now = settingsDigest(reminderPlace());
    const known = await acceptedSettings(secrets);
    if (!isToWarn(now, known) || closed) return;
    const [show, accept] = [l10n.t('Show'), l10n.t('Accept')];
    const picked = await warning(l10n.t('Your reminder settings were changed outside of the editor.'), show, accept);
    if (picked === accept) await acceptSettings(secrets, now);
    if (picked === show) await vscode.commands.executeCommand(ids.commands.reminders);
  }

  void folders.opened.then(async () => {
    const { startReminding } = await import('../../channels/reminding.ts');
    if (closed) return;
    const reminding = startReminding({
      ...reminderPlace(),
      role: 'editor',
      uriScheme: vscode.env.uriScheme,
      onPass({ isSending }) {
        if (isSending) compare().catch(() => undefined);
      },
    });
    all.add({
      dispose: () => {
        reminding.close();
      },
    });
  });
  all.add({
    dispose: () => {
      closed = true;
    },
  });
  return all;
}
