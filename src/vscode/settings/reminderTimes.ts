/** Asks when a person wants to be reminded. Each returns the changed settings; undefined if the person stops. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { reminderSettings, rulesOf } from '../../core/waiting/reminderSettings.ts';
import type { ReminderSettings } from '../../core/waiting/reminderSettings.ts';
import { urgencies } from '../../core/kit/words.ts';
import { urgencyWord } from '../../ui/kit/format.ts';

const hourMs = 3_600_000;

export async function askDoNotDisturb(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
  const tomorrow = new Date();
  tomorrow.setHours(32, 0, 0, 0);
  const inHours = (hours: number) => new Date(Date.now() + hours * hourMs);
  const picked = await vscode.window.showQuickPick(
    [
      { label: l10n.t('Off'), until: null },
      { label: l10n.t('For 30 minutes'), until: inHours(0.5) },
      { label: l10n.t('For 1 hour'), until: inHours(1) },
      { label: l10n.t('For 4 hours'), until: inHours(4) },
      { label: l10n.t('Until tomorrow, 8:00'), until: tomorrow },
    ],
    {
      title: l10n.t('Do Not Disturb'),
      placeHolder: l10n.t('No reminders and no notifications; the list still shows waiting items.'),
    },
  );
  if (!picked) return undefined;
  const { doNotDisturbUntil: _, ...rest } = settings;
  return picked.until === null ? rest : { ...rest, doNotDisturbUntil: picked.until.toISOString() };
}

export async function askQuietHours(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
  const { quietHours: now, ...rest } = settings;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Quiet Hours'),
    prompt: l10n.t('From, to and time zone, for example 22:00-07:00 {0}. Leave it empty for none.', here),
    value: now ? `${now.from}-${now.to} ${now.timeZone}` : `22:00-07:00 ${here}`,
    validateInput: (text) =>
      text.trim() === '' || withHours(rest, text, now?.days)
        ? undefined
        : l10n.t('Write it like 22:00-07:00 Europe/Berlin.'),
  });
  if (typed === undefined) return undefined;
  return typed.trim() === '' ? rest : withHours(rest, typed, now?.days);
}

type Days = NonNullable<ReminderSettings['quietHours']>['days'];

/** Undefined if the text is malformed. */
function withHours(
  settings: Omit<ReminderSettings, 'quietHours'>,
  text: string,
  days: Days,
): ReminderSettings | undefined {
  const [, from, to, timeZone] = /^\s*(\d\d:\d\d)\s*[-–]\s*(\d\d:\d\d)\s+(\S+)\s*$/.exec(text) ?? [];
  const quietHours = { from, to, timeZone, ...(days ? { days } : {}) };
  return reminderSettings.safeParse({ ...settings, quietHours }).data;
}

export async function askRules(settings: ReminderSettings): Promise<ReminderSettings | undefined> {
  const rules = rulesOf(settings);
  const picked = await vscode.window.showQuickPick(
    urgencies.toReversed().map((urgency) => ({
      label: urgencyWord(urgency),
      description: ruleWords(rules[urgency]),
      urgency,
    })),
    { title: l10n.t('First and Repeated Reminders') },
  );
  if (!picked) return undefined;
  const { urgency } = picked;
  const now = rules[urgency];
  const typed = await vscode.window.showInputBox({
    title: urgencyWord(urgency),
    prompt: l10n.t(
      'Minutes until the first reminder, and then between reminders, for example 10, 30. 0 repeats none; leave it empty for no reminders.',
    ),
    value: now.first === null ? '' : `${String(now.first)}, ${String(now.every)}`,
    validateInput: (text) => (ruleIn(text) ? undefined : l10n.t('Write two numbers of minutes, such as 10, 30.')),
  });
  const rule = typed === undefined ? null : ruleIn(typed);
  return rule ? { ...settings, rules: { ...settings.rules, [urgency]: rule } } : undefined;
}

interface Rule {
  readonly first: number | null;
  readonly every: number;
}

/** Null if the text is malformed. */
function ruleIn(text: string): Rule | null {
  if (text.trim() === '') return { first: null, every: 0 };
  const [, first, every = '0'] = /^\s*(\d{1,4})\s*(?:,\s*(\d{1,4})\s*)?$/.exec(text) ?? [];
  return first === undefined ? null : { first: Number(first), every: Number(every) };
}

function ruleWords({ first, every }: Rule): string {
  if (first === null) return l10n.t('never');
  return every === 0 ? l10n.t('after {0} min', first) : l10n.t('after {0} min, then every {1} min', first, every);
}
