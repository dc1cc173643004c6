/** `holdpoint request create|list|show|respond|await` and `holdpoint responsibility register|list`. */
import type { Command } from 'commander';
import { plural } from '../../core/kit/plural.ts';
import { count, countOrNone, jsonObject, seconds } from '../kit/arguments.ts';
import { untilDecided } from '../kit/awaiting.ts';
import { listOptions } from '../kit/lists.ts';
import { each, may, must, toolVerb } from '../kit/toolVerb.ts';
import type { Verbs } from '../kit/verbs.ts';

const listRequests = async () => (await import('../../tools/request/listRequests.ts')).listRequests;
const type = may('--type <type>', 'request_for_action, ingest_new_context or new_context_available');

export function requestVerbs(program: Command, verbs: Verbs): void {
  const request = program.command('request').description('requests between responsibilities');
  toolVerb(verbs, request, 'create', {
    about: 'ask another responsibility to consider something',
    tool: async () => (await import('../../tools/request/createRequest.ts')).createRequest,
    takes: {
      target: must('--target <id>', 'the responsibility that receives it'),
      subject: must('--subject <text>', 'the request in one line'),
      summary: must('--summary <text>', 'what you need and why, in Markdown'),
      type,
      origin: may('--origin <id>', 'the responsibility you send it for, if you act for several'),
      suggested_actions: each('--action <text>', 'one thing the target could do'),
      links: each('--link <path-or-address>', 'something to look at'),
      tags: each('--tag <word>', 'a tag to find it by'),
      bundle_ids: each('--bundle <id>', 'a context bundle'),
      objectives: each('--objective <text>', 'why the bundles matter'),
      suggested_responsibilities: each('--suggest <id>', 'a responsibility that may be interested'),
      ingest_request_id: may('--ingest <id>', 'the ingestion this passes on'),
      body_md_path: may('--body <path>', 'a Markdown file in this workspace with more detail'),
      origin_mandate_id: may('--mandate <id>', 'the mandate it comes from'),
      source_context: may('--source <text>', 'the run or report it comes from'),
      priority: may('--priority <n>', 'a lower number is handled sooner; default 100', countOrNone),
      available_at: may('--available <time>', 'not available before this time'),
      due_at: may('--due <time>', 'expires unless accepted by this time'),
      sla_response_seconds: may('--sla-response <seconds>', 'time for the target to respond', count),
      sla_completion_seconds: may('--sla-completion <seconds>', 'time to complete it once accepted', count),
      payload_json: may('--payload-json <json>', 'a JSON object that an integration keeps with it', jsonObject),
      idempotency_key: may('--key <key>', 'a second call with the same key returns the first request'),
    },
  });
  toolVerb(verbs, request, 'list', {
    about: 'requests, in the order to handle them',
    tool: listRequests,
    takes: {
      box: may('--box <box>', 'inbox, outbox, claimable or all'),
      responsibility: may('--responsibility <id>', 'default: all responsibilities you act for'),
      ...listOptions('requests', 'created, pending, accepted, deferred, rejected, cancelled, expired or completed'),
      type,
    },
  });
  toolVerb(verbs, request, 'show <id>', { about: 'one request in full, with its history', tool: listRequests });
  toolVerb(verbs, request, 'respond <id>', {
    about: 'accept (claims it), defer, reject, complete or cancel; humans answer their requests in the editor',
    tool: async () => (await import('../../tools/request/respondToRequest.ts')).respondToRequest,
    takes: {
      action: must(
        '--action <action>',
        'accept, defer, reject, complete, cancel, ack_context_relevant, not_relevant, report_failure, record_step or make_work',
      ),
      note: may('--note <text>', 'the reason or the result'),
      until: may('--until <time>', 'defer: when it becomes available again'),
      work: each('--work <id: title>', 'a new work item for it', workOf),
      step: may('--step <step>', 'record_step: normalise, lineage or dispatch'),
      requests: each('--dispatched <id>', 'record_step dispatch: a request that passed it on'),
    },
  });

  toolVerb(verbs, request, 'await [id]', {
    ...untilDecided,
    about:
      'wait until a request has ended. Exit 0: completed; 2: rejected, cancelled, expired, or you are still held; 3: still open',
    tool: async () => (await import('../../tools/request/awaitRequest.ts')).awaitRequest,
    takes: { wait_seconds: may('--wait <seconds>', 'stop waiting after this long (the request stays open)', seconds) },
  });

  const responsibility = program
    .command('responsibility')
    .description('responsibilities that can receive requests, and who acts for them');
  toolVerb(verbs, responsibility, 'register', {
    about: 'register what you are responsible for; stewards and humans are appointed in the editor',
    tool: async () => (await import('../../tools/request/registerResponsibility.ts')).registerResponsibility,
    takes: {
      id: must('--id <id>', 'for example backend'),
      name: must('--name <name>', 'short name for people'),
      kind: may('--kind <kind>', 'agent or automation'),
      agents: each('--agent <agent>', 'another agent that acts for it'),
    },
  });
  responsibility
    .command('list')
    .description('the responsibilities of this workspace')
    .action((_options: unknown, command: Command) =>
      verbs.read(command, async (workspace) => {
        const { listResponsibilities } = await import('../../app/request/views.ts');
        const { responsibilityLine } = await import('../../tools/request/listRequests.ts');
        const responsibilities = listResponsibilities((await workspace.store()).read());
        const head = plural(responsibilities.length, 'responsibility', 'responsibilities');
        return {
          text: [head, ...responsibilities.map(responsibilityLine)].join('\n'),
          schema: 'responsibility_list',
          data: { responsibilities, total: responsibilities.length },
        };
      }),
    );
}

/** `t-1: Look at it` */
function workOf(text: string) {
  const [, id = text, title = text] = /^([^\s:]+):\s+(.*)$/s.exec(text) ?? [];
  return { id, title };
}
