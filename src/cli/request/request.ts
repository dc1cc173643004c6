/** `holdpoint request create|list|show|respond` and `holdpoint responsibility register|list` (seed 004). */
import type { Command } from 'commander';
import { plural } from '../../core/kit/plural.ts';
import { collect, count } from '../kit/arguments.ts';
import type { Verbs } from '../kit/verbs.ts';

/** Tools are loaded when they are called: a gate in the same program must not wait for them. */
const createRequest = async () => (await import('../../tools/request/createRequest.ts')).createRequest;
const listRequests = async () => (await import('../../tools/request/listRequests.ts')).listRequests;
const respondToRequest = async () => (await import('../../tools/request/respondToRequest.ts')).respondToRequest;
const registerResponsibility = async () =>
  (await import('../../tools/request/registerResponsibility.ts')).registerResponsibility;

interface CreateOptions {
  type?: string;
  origin?: string;
  target: string;
  subject: string;
  summary: string;
  action: string[];
  link: string[];
  tag: string[];
  bundle: string[];
  objective: string[];
  suggest: string[];
  ingest?: string;
  body?: string;
  mandate?: string;
  source?: string;
  priority?: string;
  available?: string;
  due?: string;
  slaResponse?: number;
  slaCompletion?: number;
  key?: string;
}

interface ListOptions {
  box?: string;
  responsibility?: string;
  status?: string;
  type?: string;
  limit?: number;
}

interface RespondOptions {
  action: string;
  note?: string;
  until?: string;
  work: string[];
  step?: string;
  dispatched: string[];
}

export function requestVerbs(program: Command, { run, read }: Verbs): void {
  const request = program.command('request').description('what responsibilities ask of each other');
  request
    .command('create')
    .description('ask another responsibility to consider something')
    .requiredOption('--target <id>', 'who is asked')
    .requiredOption('--subject <text>', 'what is asked, in one line')
    .requiredOption('--summary <text>', 'what is wanted and why, in Markdown')
    .option('--type <type>', 'request_for_action, ingest_new_context or new_context_available')
    .option('--origin <id>', 'in whose name, if you act for several responsibilities')
    .option('--action <text>', 'one thing the target could do (repeat)', collect, [])
    .option('--link <path-or-address>', 'something to look at (repeat)', collect, [])
    .option('--tag <word>', 'a word to find it by (repeat)', collect, [])
    .option('--bundle <id>', 'a context bundle (repeat)', collect, [])
    .option('--objective <text>', 'why the bundles matter (repeat)', collect, [])
    .option('--suggest <id>', 'a responsibility that may want to know (repeat)', collect, [])
    .option('--ingest <id>', 'the ingestion that this passes on')
    .option('--body <path>', 'a Markdown file of this workspace that says more')
    .option('--mandate <id>', 'the mandate it comes from')
    .option('--source <text>', 'the run or report it comes from')
    .option('--priority <n>', 'lower is sooner; 100 unless given')
    .option('--available <time>', 'not to be looked at before then')
    .option('--due <time>', 'expires if nobody accepts it by then')
    .option('--sla-response <seconds>', 'within which the target should respond', count)
    .option('--sla-completion <seconds>', 'within which accepted work should be done', count)
    .option('--key <key>', 'the same key again returns the first request')
    .action((options: CreateOptions, command: Command) => run(command, createRequest, createInput(options)));
  request
    .command('list')
    .description('requests, in the order to deal with them')
    .option('--box <box>', 'inbox, outbox, claimable or all')
    .option('--responsibility <id>', 'whose; else all those you act for')
    .option('--status <status>', 'created, pending, accepted, deferred, rejected, cancelled, expired or completed')
    .option('--type <type>', 'request_for_action, ingest_new_context or new_context_available')
    .option('--limit <n>', 'at most so many', count)
    .action((options: ListOptions, command: Command) => run(command, listRequests, { ...options }));
  request
    .command('show <id>')
    .description('one request in full, with its history')
    .action((id: string, _options: unknown, command: Command) => run(command, listRequests, { id }));
  request
    .command('respond <id>')
    .description(
      'accept (claims it), defer, reject, complete or take back; what a human is asked is answered in the editor',
    )
    .requiredOption(
      '--action <action>',
      'accept, defer, reject, complete, cancel, ack_context_relevant, not_relevant, report_failure, record_step or make_work',
    )
    .option('--note <text>', 'why, or what came of it')
    .option('--until <time>', 'defer: when to look at it again')
    .option('--work <id: title>', 'a new work item for it (repeat)', collect, [])
    .option('--step <step>', 'record_step: normalise, lineage or dispatch')
    .option('--dispatched <id>', 'record_step dispatch: a request it went out with (repeat)', collect, [])
    .action((id: string, options: RespondOptions, command: Command) =>
      run(command, respondToRequest, {
        id,
        action: options.action,
        note: options.note,
        until: options.until,
        work: someOf(options.work.map(workOf)),
        step: options.step,
        requests: someOf(options.dispatched),
      }),
    );

  const responsibility = program.command('responsibility').description('who can be asked, and who acts for whom');
  responsibility
    .command('register')
    .description('register what you are responsible for; stewards and humans are appointed in the editor')
    .requiredOption('--id <id>', 'for example backend')
    .requiredOption('--name <name>', 'short name for people')
    .option('--kind <kind>', 'agent or automation')
    .option('--agent <agent>', 'another agent that acts for it (repeat)', collect, [])
    .action((options: { id: string; name: string; kind?: string; agent: string[] }, command: Command) =>
      run(command, registerResponsibility, {
        id: options.id,
        name: options.name,
        kind: options.kind,
        agents: options.agent,
      }),
    );
  responsibility
    .command('list')
    .description('the responsibilities of this workspace')
    .action((_options: unknown, command: Command) =>
      read(command, async (workspace) => {
        const { listResponsibilities } = await import('../../app/request/views.ts');
        const { responsibilityLine } = await import('../../tools/request/listRequests.ts');
        const responsibilities = listResponsibilities((await workspace.store()).read());
        return {
          text: [
            plural(responsibilities.length, 'responsibility', 'responsibilities'),
            ...responsibilities.map(responsibilityLine),
          ].join('\n'),
          data: { responsibilities, total: responsibilities.length },
        };
      }),
    );
}

function createInput(options: CreateOptions) {
  return {
    type: options.type,
    origin: options.origin,
    target: options.target,
    subject: options.subject,
    summary: options.summary,
    suggested_actions: someOf(options.action),
    links: someOf(options.link),
    tags: someOf(options.tag),
    bundle_ids: someOf(options.bundle),
    objectives: someOf(options.objective),
    suggested_responsibilities: someOf(options.suggest),
    ingest_request_id: options.ingest,
    body_md_path: options.body,
    origin_mandate_id: options.mandate,
    source_context: options.source,
    priority: options.priority === undefined ? undefined : Number(options.priority),
    available_at: options.available,
    due_at: options.due,
    sla_response_seconds: options.slaResponse,
    sla_completion_seconds: options.slaCompletion,
    idempotency_key: options.key,
  };
}

/** `t-1: Look at it` */
function workOf(text: string) {
  const [, id = text, title = text] = /^([^\s:]+):\s+(.*)$/s.exec(text) ?? [];
  return { id, title };
}

/** What was not given is left out, so that a type's own fields are asked for by the tool. */
function someOf<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values;
}
