/** `holdpoint inbox`: what is waiting in all workspaces of this user. */
import type { Command } from 'commander';
import { byUrgency, openInbox, type InboxWorkspace, type ItemOfFolder } from '../../app/waiting/inbox.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import { duration } from '../../tools/kit/texts.ts';
import { table } from '../kit/table.ts';
import type { Verbs } from '../kit/verbs.ts';

export function inboxVerb(program: Command, { inFolder, exit }: Verbs): void {
  program
    .command('inbox')
    .description('list what is waiting for a human in all workspaces of this machine; exits with 2 if one is UNKNOWN')
    .option('--for <name>', 'only items for this person, for a responsibility of theirs, or for everyone')
    .action((given: { readonly for?: string }, command: Command) =>
      inFolder(command, ({ options }) => {
        const found = [...openInbox({ ...options, for: given.for }).look()].sort(byUrgency);
        const unknown = found.filter(({ state }) => state === 'unknown').length;
        const total = found.reduce((sum, { items }) => sum + items.length, 0);
        if (unknown > 0) exit(2);
        return {
          text: inboxText(found, options.clock()),
          schema: 'inbox',
          data: {
            workspaces: found.map(({ problem, ...one }) => ({ ...one, problem: problem?.what ?? null })),
            total,
            unknown,
          },
        };
      }),
    );
}

function inboxText(found: readonly InboxWorkspace[], now: number): string {
  const parts = found.flatMap((one) => workspaceText(one, now));
  return parts.length === 0 ? 'Nothing is waiting.' : parts.join('\n\n');
}

function workspaceText({ project, folder, person, state, problem, items }: InboxWorkspace, now: number): string[] {
  const name = folder === null ? project : `${project} (${folder})`;
  if (state === 'unknown') return [`${name}: UNKNOWN. ${problem?.what ?? ''}`];
  if (state === 'missing') return [`${name}: the folder is missing.`];
  if (items.length === 0) return [];
  const rows = items.map((item) => rowOf({ ...item, asked_by: shownAgent(item.asked_by, person) }, now));
  const found = indentLines(table(['id', 'kind', 'urgency', 'waiting', 'asked by', 'title'], rows));
  return [`${name}: ${String(items.length)} waiting\n${found.join('\n')}`];
}

function indentLines(lines: string): string[] {
  return lines.split('\n').map((line) => `  ${line}`);
}

function rowOf({ id, kind, urgency, waiting_since: since, asked_by, title }: ItemOfFolder, now: number): string[] {
  return [id, kind, urgency ?? '–', duration(now - Date.parse(since)), asked_by, title ?? ''];
}
