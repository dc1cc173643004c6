/** `holdpoint remind` sends reminders while no other program does; `holdpoint reminders` shows what was sent. */
import type { Command } from 'commander';
import { reminderOverview, type ReminderOverview } from '../../app/waiting/reminderOverview.ts';
import { jsonOf } from '../kit/outputs.ts';
import { table } from '../kit/table.ts';
import type { Verbs } from '../kit/verbs.ts';

export function reminderVerbs(program: Command, verbs: Verbs): void {
  remindVerb(program, verbs);
  const { inFolder, exit } = verbs;
  program
    .command('reminders')
    .description(
      'show how you are reminded and the sent messages; change it in the editor. Exits with 2 if the settings cannot be used',
    )
    .action((_options: unknown, command: Command) =>
      inFolder(command, (workspace) => {
        const data = reminderOverview(workspace.options);
        if (data.problem !== null) exit(2);
        return { text: overviewText(data), schema: 'reminders', data };
      }),
    );
}

function remindVerb(program: Command, { io, globals, inFolder }: Verbs): void {
  program
    .command('remind')
    .description('send reminders for all workspaces through your channels while no other program does')
    .option('--once', 'send what is due now, and end')
    .action(({ once = false }: { readonly once?: boolean }, command: Command) =>
      inFolder(command, async (workspace) => {
        const { startReminding } = await import('../../channels/reminding.ts');
        const isJson = globals(command).json === true;
        let last = '';
        const say = ({ isSending, problem }: { readonly isSending: boolean; readonly problem: string | null }) => {
          const data = { sending: isSending, problem };
          const text = problem ?? (isSending ? 'Sends reminders.' : 'Another program sends reminders.');
          if (text !== last) io.out(isJson ? jsonOf({ schema: 'remind', data }) : text);
          last = text;
        };
        const reminding = startReminding({ ...workspace.options, role: 'remind', onPass: say }, !once);
        try {
          if (once) await reminding.first;
          else await untilAborted(io.signal);
        } finally {
          reminding.close();
        }
        return { lines: [] };
      }),
    );
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener('abort', () => {
        resolve();
      });
  });
}

function overviewText({ problem, sender, channels, quiet, deliveries }: ReminderOverview): string {
  if (problem !== null) return problem;
  if (channels.length === 0) return 'No channels. Add one in the editor: run "Holdpoint: Reminders…".';
  const who = sender === null ? 'No program sends now: open an editor, or run holdpoint remind.' : `Sent by: ${sender}`;
  const rows = deliveries.map(({ at, channel, id, kind, status, why }) => [
    ...[at.slice(0, 19).replace('T', ' '), channel, id, kind, status, why ?? ''],
  ]);
  return [
    who,
    `Channels: ${channels.map(({ name, type }) => `${name} (${type})`).join(', ')}`,
    ...(quiet === null ? [] : [quiet]),
    '',
    rows.length === 0 ? 'Nothing was sent yet.' : table(['when', 'channel', 'item', 'about', 'status', ''], rows),
  ].join('\n');
}
