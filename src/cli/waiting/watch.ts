/** `holdpoint watch`: one line for each notification of a workspace, as it happens. */
import { shownAgent } from '../../core/kit/persons.ts';
import type { Command } from 'commander';
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import { firstLine } from '../../core/kit/text.ts';
import { isEventFor, isOfType, isStreamType, itemOf, type StreamEvent } from '../../core/waiting/eventStream.ts';
import { jsonOf } from '../kit/outputs.ts';
import type { Verbs } from '../kit/verbs.ts';
import { followEvents } from '../../app/waiting/following.ts';

interface Given {
  readonly since?: string;
  readonly for?: string;
  readonly kind?: readonly string[];
}

export function watchVerb(program: Command, { io, globals, inFolder }: Verbs): void {
  program
    .command('watch')
    .description('print each notification of this workspace as it happens; with --json, one object on each line')
    .option('--since <position>', 'continue after this position; 0 for everything from the beginning')
    .option('--for <name>', 'only items for this person, for a responsibility of theirs, or for everyone')
    .option('--kind <type...>', 'only these types of notifications, or kinds of records')
    .action((given: Given, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const unknown = given.kind?.find((name) => !isStreamType(name));
          if (unknown !== undefined)
            throw new AppError('bad_input', `kind: "${unknown}" is not a type of notifications`);
          const isJson = globals(command).json === true;
          await followEvents(workspace, {
            since: given.since ?? null,
            signal: io.signal,
            onBegin(position) {
              if (isJson) io.out(jsonOf({ schema: 'watch', data: { type: 'watching', position } }));
            },
            onEvent(event, state) {
              if (given.kind && !isOfType(event, given.kind)) return;
              if (given.for !== undefined && !isEventFor(state, event, given.for)) return;
              io.out(isJson ? jsonOf({ schema: 'watch', data: event }) : textOf(event, workspace.person()));
            },
          });
          return { lines: [] };
        },
        (error) => (storeFailure(error)?.code === 'unknown_state' ? 2 : 1),
      ),
    );
}

function textOf(event: StreamEvent, own: string | null): string {
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
