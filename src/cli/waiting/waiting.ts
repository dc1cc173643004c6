/** What waits and what happens: `holdpoint inbox`, `watch`, `remind` and `reminders`. */
import * as z from 'zod';
import { followEvents } from '../../app/waiting/following.ts';
import { byUrgency, openInbox, type InboxWorkspace, type ItemOfFolder } from '../../app/waiting/inbox.ts';
import { reminderOverview, type ReminderOverview } from '../../app/waiting/reminderSender.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import { firstLine } from '../../core/kit/text.ts';
import { isEventFor, isOfType, isStreamType, itemOf, type StreamEvent } from '../../core/waiting/eventStream.ts';
import { duration } from '../../tools/kit/texts.ts';
import { jsonOf, table } from '../kit/outputs.ts';
import { verb, type Verb } from '../kit/verb.ts';

const forName = z
  .string()
  .optional()
  .describe('only items for this person, for a responsibility of theirs, or for everyone');

const inboxVerb = verb({
  words: 'inbox',
  help: ['Ask and wait', 'what is waiting for a human, in all workspaces'],
  about: 'list what is waiting for a human in all workspaces of this machine; exits with 2 if one is UNKNOWN',
  input: z.strictObject({ for: forName }),
  hints: { for: '--for <name>' },
  run({ workspace: { options } }, input) {
    const found = [...openInbox({ ...options, for: input.for }).look()].sort(byUrgency);
    const unknown = found.filter(({ state }) => state === 'unknown').length;
    const total = found.reduce((sum, { items }) => sum + items.length, 0);
    const workspaces = found.map(({ problem, ...one }) => ({ ...one, problem: problem?.what ?? null }));
    return {
      text: inboxText(found, options.clock()),
      schema: 'inbox',
      data: { workspaces, total, unknown },
      code: unknown > 0 ? 2 : 0,
    };
  },
});

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

const watchVerb = verb({
  words: 'watch',
  help: ['Ask and wait', 'print each notification as it happens'],
  about: 'print each notification of this workspace as it happens; with --json, one object on each line',
  input: z.strictObject({
    since: z.string().optional().describe('continue after this position; 0 for everything from the beginning'),
    for: forName,
    kind: z.array(z.string()).optional().describe('only these types of notifications, or kinds of records'),
  }),
  hints: { since: '--since <position>', for: '--for <name>', kind: '--kind <type...>' },
  async run({ io, flags, workspace }, { since = null, for: whom, kind }) {
    const unknown = kind?.find((name) => !isStreamType(name));
    if (unknown !== undefined) throw new AppError('bad_input', `kind: "${unknown}" is not a type of notifications`);
    await followEvents(workspace, {
      since,
      signal: io.signal,
      onBegin(position) {
        if (flags.json) io.out(jsonOf({ schema: 'watch', data: { type: 'watching', position } }));
      },
      onEvent(event, state) {
        if (kind && !isOfType(event, kind)) return;
        if (whom !== undefined && !isEventFor(state, event, whom)) return;
        io.out(flags.json ? jsonOf({ schema: 'watch', data: event }) : eventText(event, workspace.person()));
      },
    });
    return { lines: [] };
  },
});

function eventText(event: StreamEvent, own: string | null): string {
  const { time, type, kind, actor } = event;
  const what = type === 'record' ? kind : type;
  return [time.slice(0, 19).replace('T', ' '), what, itemOf(event) ?? '', shownAgent(actor.id, own), saidIn(event)]
    .filter((part) => part !== '')
    .join('  ');
}

function saidIn(event: StreamEvent): string {
  const texts = ['question', 'answer', 'reply', 'reason', 'note', 'title', 'text', 'why', 'subject', 'status'];
  const members = new Map<string, unknown>(Object.entries(event.type === 'record' ? event.record : event));
  const said = texts.map((name) => members.get(name)).find((value) => typeof value === 'string' && value !== '');
  return typeof said === 'string' ? firstLine(said) : '';
}

const remindVerb = verb({
  words: 'remind',
  help: ['Ask and wait', 'send reminders while no editor does'],
  about: 'send reminders for all workspaces through your channels while no other program does',
  input: z.strictObject({ once: z.boolean().default(false).describe('send what is due now, and end') }),
  async run({ io, flags, workspace }, { once }) {
    const { startReminding } = await import('../../channels/reminding.ts');
    let last = '';
    const say = ({ isSending, problem }: { readonly isSending: boolean; readonly problem: string | null }) => {
      const data = { sending: isSending, problem };
      const text = problem ?? (isSending ? 'Sends reminders.' : 'Another program sends reminders.');
      if (text !== last) io.out(flags.json ? jsonOf({ schema: 'remind', data }) : text);
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
  },
});

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener('abort', () => {
        resolve();
      });
  });
}

const remindersVerb = verb({
  words: 'reminders',
  help: ['Ask and wait', 'how you are reminded, and what was sent'],
  about:
    'show how you are reminded and the sent messages; change it in the editor. Exits with 2 if the settings cannot be used',
  run({ workspace }) {
    const data = reminderOverview(workspace.options);
    return { text: overviewText(data), schema: 'reminders', data, code: data.problem === null ? 0 : 2 };
  },
});

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

export const waitingVerbs: readonly Verb[] = [inboxVerb, watchVerb, remindVerb, remindersVerb];
