/** Verbs that people use seldom: loaded together, when one of them is called. Those with few lines stand here. */
import * as z from 'zod';
import { attestAll, writeAttestations } from '../app/audit/attestations.ts';
import { restoreHeld, type Restored } from '../app/hold/restore.ts';
import { mirror, type Mirrored } from '../app/mirrors/mirrors.ts';
import { openInEditor } from '../app/waiting/openNote.ts';
import { relationshipsOf, relationshipType } from '../app/work/work.ts';
import { AppError } from '../app/workspace/errors.ts';
import { hostNames } from '../core/kit/limits.ts';
import { plural } from '../core/kit/text.ts';
import { gitContent } from '../hosts/gitChanges.ts';
import { createTrust } from '../trust/envelope.ts';
import { auditVerb } from './audit/audit.ts';
import { checkVerb } from './audit/check.ts';
import { dashboardVerb } from './dashboard/dashboard.ts';
import { gateVerb } from './hold/commitGate.ts';
import { setupVerb } from './hosts/setup.ts';
import { keysVerb } from './keys/keys.ts';
import { argvOf, verb, type Verb } from './kit/verb.ts';
import { serveVerbs } from './serve/serve.ts';
import { teamVerbs } from './team/team.ts';
import { movingVerbs } from './transfer/moving.ts';
import { waitingVerbs } from './waiting/waiting.ts';

const relationshipVerb = verb({
  words: 'relationship connected',
  help: ['Work and gate', 'how items are connected'],
  about: 'everything that an item is connected to, directly or indirectly',
  input: z.strictObject({
    entity_id: z.string().describe('a question, RFC, request, event, work item or file'),
    relationship_type: relationshipType.optional(),
  }),
  hints: { relationship_type: '--relationship-type <type>' },
  async run({ workspace }, { entity_id: id, relationship_type: type }) {
    const relationships = relationshipsOf((await workspace.store()).read(), id, type);
    const lines = relationships.map(
      ({ from_id, relationship_type, to_id, distance }) =>
        `${from_id} ${relationship_type} ${to_id}${distance > 1 ? ` (${String(distance)} steps)` : ''}`,
    );
    return {
      text: [plural(lines.length, 'relationship'), ...lines].join('\n'),
      schema: 'relationship_connected',
      data: { relationships, total: relationships.length },
    };
  },
});

const openVerb = verb({
  words: 'open <id>',
  help: ['Ask and wait', 'open the form of an item in the editor; decides nothing'],
  about: 'open the form of a question or the review of an RFC in the editor that has this folder open; decides nothing',
  input: z.strictObject({ id: z.string() }),
  async run({ io, workspace }, { id }) {
    const uri = `vscode://holdpoint.holdpoint/open/${id}`;
    if (!(await openInEditor(workspace, id, io.signal)))
      throw new AppError(
        'not_found',
        `${id} was not opened: no editor with Holdpoint has this folder open. Open the folder there, or follow ${uri}`,
      );
    return {
      text: `${id} opens in the editor that has this folder open. Or open ${uri}`,
      schema: 'open',
      data: { id, uri },
    };
  },
});

const attestationsVerb = verb({
  words: 'attestations write',
  help: ['Data', 'signed decisions as files in the repository'],
  about:
    'write missing decisions to .holdpoint/decisions, which CI checks without the journal; commit them when you like',
  run(call) {
    const workspace = call.known();
    const { total, written } = writeAttestations(workspace, attestAll(workspace, createTrust(workspace.pins)));
    return {
      text: `${plural(total, 'decision')}, ${String(written.length)} written to .holdpoint/decisions`,
      schema: 'attestations_write',
      data: { total, written },
    };
  },
});

const mirrorVerb = verb({
  words: 'mirror',
  help: ['Data', 'write items as Markdown files'],
  about: 'write requests, questions and RFCs as Markdown to .holdpoint; edits made there are overwritten',
  input: z.strictObject({
    check: z.boolean().default(false).describe('only compare. Exit 1: something differs from the database'),
  }),
  async run(call, { check }) {
    const done = await mirror(call.known(), { check });
    const differs = check && done.written.length + done.removed.length > 0;
    return { text: mirrorText(done, check), schema: 'mirror', data: { check, ...done }, code: differs ? 1 : 0 };
  },
});

function mirrorText({ total, written, removed, edited }: Mirrored, check: boolean): string {
  const line = (what: string, paths: readonly string[]) => paths.map((at) => `${what} .holdpoint/${at}`);
  return [
    `${plural(total, 'mirror')}, ${String(written.length)} ${check ? 'to write' : 'written'}, ${String(removed.length)} ${check ? 'to remove' : 'removed'}`,
    ...line(check ? 'edited by hand:' : 'edited by hand, overwritten:', edited),
    ...(check ? [...line('differs:', written), ...line('not in the database:', removed)] : []),
  ].join('\n');
}

const restoreVerb = verb({
  words: 'restore <files...>',
  help: ['Work and gate', 'put held files back as they were; releases nothing'],
  about: 'put held files back as they were when the hold began; releases nothing',
  input: z.strictObject({ files: z.array(z.string()) }),
  async run(call, { files }) {
    const workspace = call.known();
    const done: Restored[] = [];
    for (const file of files) done.push(await restoreHeld(workspace, file, gitContent(call.io.env)));
    return { text: done.map(restoredText).join('\n'), schema: 'restore', data: { files: done } };
  },
});

function restoredText({ path, held_by: holder, how, kept }: Restored): string {
  if (how === 'same') return `${path} is as it was when ${holder} began to hold it.`;
  const copy = kept === null ? '' : ` The replaced file is kept as ${kept}.`;
  if (how === 'removed') return `Removed ${path}: it did not exist when ${holder} began to hold it.${copy}`;
  return `Restored ${path} as it was when ${holder} began to hold it.${copy}`;
}

const mcpVerb = verb({
  words: 'mcp',
  help: ['People and setup', 'serve the tools over MCP'],
  about: 'serve the tools over MCP (standard input and output), for agents that support it',
  input: z.strictObject({
    agent_type: z.string().optional().describe("the agent's name; default: the client's name"),
    all_tools: z.boolean().optional().describe('offer every tool at any time; default: those that are of use now'),
  }),
  hints: { agent_type: '--agent-type <type>' },
  run: ({ io, flags }, input) => io.serveMcp(argvOf(input, flags)),
});

/** A separate bundle answers, because this program starts more slowly. */
const hookVerb = verb({
  words: 'hook <host>',
  help: ['People and setup', "answer a host's hook"],
  about: `answer the hook of a host (${hostNames.join(', ')}, or generic), with its JSON on standard input. Exit 0: no objection; 2: denied or unknown`,
  input: z.strictObject({
    host: z.string(),
    form: z
      .string()
      .optional()
      .describe("for generic: the description of the host's calls (holdpoint setup --command)"),
  }),
  hints: { form: '--form <json>' },
  run: ({ io, flags }, { host, form }) => io.answerHook([host, ...argvOf({ form }, flags)]),
});

export const seldomVerbs: readonly Verb[] = [
  ...[attestationsVerb, auditVerb, checkVerb, dashboardVerb, gateVerb, hookVerb, keysVerb, mcpVerb, mirrorVerb],
  ...[openVerb, relationshipVerb, restoreVerb, setupVerb],
  ...[...movingVerbs, ...serveVerbs, ...teamVerbs, ...waitingVerbs],
];
