/** `holdpoint watch`: one line for each notification of a workspace, as it happens. */
import { shownAgent } from '../../core/kit/persons.ts';
import { Option } from 'commander';
import type { Command } from 'commander';
import { storeFailure } from '../../app/workspace/errors.ts';
import { firstLine } from '../../core/kit/text.ts';
import { isEventFor, itemOf, streamEventTypes } from '../../core/waiting/eventStream.ts';
import type { StreamEvent } from '../../core/waiting/eventStream.ts';
import { jsonOf } from '../kit/runVerb.ts';
import type { Verbs } from '../kit/verbs.ts';

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
    .option('--for <name>', 'only items for this person, for a responsibility of theirs, or for everybody')
    .addOption(new Option('--kind <type...>', 'only these types of notifications').choices(streamEventTypes))
    .action((given: Given, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const { followEvents } = await import('../../app/waiting/following.ts');
          const isJson = globals(command).json === true;
          await followEvents(workspace, {
            since: given.since ?? null,
            signal: io.signal,
            onBegin(position) {
              if (isJson) io.out(jsonOf({ schema: 'watch', data: { type: 'watching', position } }));
            },
            onEvent(event, state) {
              if (given.kind && !given.kind.includes(event.type)) return;
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
  const { time, type, actor } = event;
  return [time.slice(0, 19).replace('T', ' '), type, itemOf(event) ?? '', shownAgent(actor.id, own), saidIn(event)]
    .filter((part) => part !== '')
    .join('  ');
}

/** The text that a person looks for: the question, the answer, the reason. */
function saidIn(event: StreamEvent): string {
  const texts = ['question', 'answer', 'reply', 'reason', 'note', 'title', 'text', 'why', 'subject', 'status'];
  const members = new Map<string, unknown>(Object.entries(event));
  const said = texts.map((name) => members.get(name)).find((value) => typeof value === 'string' && value !== '');
  if (typeof said === 'string') return firstLine(said);
  return 'paths' in event ? firstLine(event.paths.join(', ')) : '';
}
