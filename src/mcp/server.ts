/** The MCP server of one workspace: the catalog's tools and the resources, over any transport, in both eras of the protocol. */
/* eslint-disable @typescript-eslint/no-deprecated -- The low-level server: the one that the library recommends parses
   input itself and throws where we return an error result. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ServerContext,
  inputRequired,
  type InputRequiredResult,
  type ClientCapabilities,
  type Implementation,
  type Tool as McpTool,
} from '@modelcontextprotocol/server';
import { takeStamp } from '../hosts/ownTools.ts';
import {
  waits,
  isUsed,
  inputSchema,
  runAgentTool,
  type AgentTool,
  type Shown,
  isReadOnly,
} from '../tools/agent/tool.ts';
import { awaitTool, catalog } from '../tools/catalog.ts';
import type { Connection } from './connection.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { raisedOf, undecidedQuestions, waitsForHuman } from '../core/state/state.ts';
import { firstLine } from '../core/kit/text.ts';
import { localOrigin, readSecret, servePort } from '../app/serving/editorLink.ts';
import { type ToolResult, errorResult } from '../tools/kit/operation.ts';
import type { AgentSession } from '../app/workspace/session.ts';

type Era = 'legacy' | 'modern';

/** What clients can tell their model. Only here: that none but a human decides. */
const rule =
  'Only a human can answer, in the editor or a browser. No tool releases a hold, and silence is never a yes.';

export const instructions = [
  'Holdpoint is where you stop and wait for your human.',
  'Begin with holdpoint_get_briefing for the file or folder you are about to work on.',
  'Register a task with holdpoint_record_work before you start it.',
  'Call holdpoint_check_gate before you start or resume work and before you edit files: "Denied" means stop; do not work around it.',
  'When requirements are unclear, a choice is hard to undo or you need approval, call holdpoint_raise_question and name the work item.',
  'A result that begins with "Do not" is a no. While a question waits, do not continue its work: call holdpoint_await_answer again, or take free work.',
  'When you learn what others need to know and cannot see in the code, call holdpoint_post_note.',
  rule,
].join('\n');

/** For a folder that does not use Holdpoint yet: it has one tool. */
const firstInstructions = [
  'When requirements are unclear, a choice is hard to undo or you need approval, call holdpoint_raise_question and wait for your human.',
  rule,
].join('\n');

// Shows a human that a question waits, in clients that can open a link (URL elicitation): the link opens its form, where
// the human signs. Accepting, declining or ignoring it decides nothing: unless it was accepted, the text has the link too.

const longMs = 24 * 60 * 60_000;

/** In the editor if one runs this program or nothing serves pages; else the page. Either only opens the form. */
export function formLink(workspace: Workspace, id: string): string {
  const { env } = workspace.options;
  const inEditor = env['TERM_PROGRAM'] === 'vscode' || env['VSCODE_PID'] !== undefined;
  const isServed = readSecret(workspace, servePort) !== null;
  const base = isServed && !inEditor ? localOrigin(servePort) : 'vscode://holdpoint.holdpoint';
  const of = workspace.standing().state?.workspace?.id;
  return `${base}/open/${id}${of === undefined ? '' : `?workspace=${encodeURIComponent(of)}`}`;
}

function shownOf(workspace: Workspace, id: string): { readonly message: string; readonly url: string } {
  const { state } = workspace.standing();
  const question = state?.questions.get(id);
  const text = state && question ? `: ${firstLine(raisedOf(state, question).text)}` : '';
  return { message: `${id} needs your decision${text}`, url: formLink(workspace, id) };
}

/** In the 2025 era, the server asks the client while the call waits: once for each question. */
function showForms({ workspace, forms, closing }: Connection, agent: string, { mcpReq }: ServerContext): void {
  const { state } = workspace.standing();
  if (!state) return;
  for (const question of undecidedQuestions(state)) {
    const { id, mode, asker } = question;
    if (mode !== 'sync' || asker.id !== agent || !waitsForHuman(question) || forms.has(id)) continue;
    const closed = new AbortController();
    forms.set(id, closed);
    const signal = AbortSignal.any([closed.signal, closing]);
    mcpReq
      .elicitInput(
        { mode: 'url', elicitationId: `${state.workspace?.id ?? ''}/${id}`, ...shownOf(workspace, id) },
        { signal, timeout: longMs },
      )
      .then(
        ({ action }) => action !== 'accept' && closed.abort(),
        () => undefined, // the client has gone
      );
  }
}

/** Ends what clients show of questions that are decided. */
function closeForms({ workspace, forms }: Connection): void {
  const { state } = workspace.standing();
  for (const [id, closed] of forms)
    if (state && !state.undecided.has(id)) {
      closed.abort();
      forms.delete(id);
    }
}

/** In the 2026 era, the client shows it and repeats the call, which then waits. Null if the result itself is needed. */
function askToShow({ workspace, forms }: Connection, result: CallToolResult): InputRequiredResult | null {
  const { id = '', mode } = dataOf(result).question ?? {};
  if (!onlyWaits(result) || mode !== 'sync' || forms.has(id)) return null;
  forms.set(id, new AbortController());
  return inputRequired({ inputRequests: { [id]: inputRequired.elicitUrl(shownOf(workspace, id)) } });
}

/** Whether the result says nothing but that a human has not decided yet: the call may be made again. */
function onlyWaits(result: CallToolResult): boolean {
  const data = dataOf(result);
  return waitsForDecision(data) && !Object.keys(data).some((key) => key.startsWith('also'));
}

/** The question that the client of the 2026 era was asked to show, when it repeats the call. */
function shownQuestion({ forms }: Connection, { inputResponses = {} }: Answered): string | null {
  for (const [id, response] of Object.entries(inputResponses)) {
    const closed = forms.get(id);
    if (!closed) continue;
    if ((response as { readonly action?: unknown } | null)?.action !== 'accept') closed.abort();
    return id;
  }
  return null;
}

interface Answered {
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
}

/** @param opensLinks false for clients that cannot show it themselves */
function linkLine({ workspace, forms }: Connection, { data }: ToolResult, opensLinks: boolean): string {
  const { question } = data as Data;
  if (!question || !waitsForDecision(data)) return '';
  const isShown = opensLinks && forms.get(question.id)?.signal.aborted === false;
  return isShown ? '' : `\nYour human decides it here: ${formLink(workspace, question.id)}`;
}

function waitsForDecision({ result, question }: Data): boolean {
  return result === 'waiting' && question?.waiting_for === 'human';
}

interface Data {
  readonly result?: string;
  readonly question?: { readonly id: string; readonly mode: string; readonly waiting_for: string };
}

function dataOf({ _meta }: CallToolResult): Data {
  return _meta?.[dataKey] ?? {};
}

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

export function createServer(connection: Connection, era: Era): Server {
  const { workspace, version } = connection;
  const server = new Server(
    { name: 'holdpoint', title: 'Holdpoint', version },
    {
      instructions: isUsed(workspace) ? instructions : firstInstructions,
      jsonSchemaValidator: { getValidator: neverAsks },
      capabilities: { tools: { listChanged: true }, resources: {} },
    },
  );

  server.setRequestHandler('tools/list', async () => {
    await connection.ready();
    return { tools: listedTools(connection.offer()) };
  });

  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: given } = params as CallParams;
    const tool = toolNamed(name);
    if (!tool)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${name}; the tools are ${toolNames}. Only a human can answer or approve, in the editor or a browser: no tool releases a hold.`,
      );
    await connection.ready();
    const { input, session: stamped } = takeStamp(given);
    const knowsOneTool = connection.knowsOneTool();
    const client = clientName(context);
    const session = connection.session(client, stamped);
    const opensLinks = capabilitiesOf(context)?.elicitation?.url !== undefined && !failsToOpen.has(client ?? '');
    // The client of the 2026 era has shown the question and repeats the call.
    const shown = era === 'modern' && opensLinks && waits(tool) ? shownQuestion(connection, context.mcpReq) : null;
    const [runs, asked] =
      shown === null ? [tool, input] : [awaitTool, { id: shown, wait_seconds: input?.['wait_seconds'] }];
    const start = async (
      own: Pick<Call, 'signal' | 'onTick'>,
      given: object | undefined = asked,
    ): Promise<CallToolResult> => {
      const result = await connection.track(
        callTool(runs, given, {
          ...own,
          workspace,
          session,
          lastLines: (result) =>
            (knowsOneTool && result.data['result'] === 'waiting' ? askAgain : '') +
            linkLine(connection, result, opensLinks),
          signal: AbortSignal.any([own.signal, connection.closing]),
          later(work) {
            void connection.track(work.catch(console.error));
          },
        }),
      );
      closeForms(connection);
      return result;
    };
    const report = reportTo(context, asked);
    const { signal } = context.mcpReq;
    const onTick = (waitedMs: number) => {
      report?.(waitedMs);
      if (opensLinks && era === 'legacy') showForms(connection, session.actor.id, context);
    };
    if (era === 'modern' && opensLinks && waits(tool) && shown === null) {
      // Without a wait, so that the human is shown the form first.
      const now = await start({ signal }, { ...input, wait_seconds: 0 });
      const asks = askToShow(connection, now);
      if (asks || !onlyWaits(now)) return asks ?? now;
    }
    return start({ signal, onTick });
  });

  /** The capabilities come from where its name does. */
  function capabilitiesOf(context: ServerContext) {
    return envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  }

  /** A request of the 2026 era names its client; before, the client named itself once. */
  function clientName(context: ServerContext): string | undefined {
    return (envelopeOf(context)[CLIENT_INFO_META_KEY] ?? server.getClientVersion())?.name;
  }

  server.setRequestHandler('resources/list', async () => {
    await connection.ready();
    return { resources: listResources(workspace) };
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    await connection.ready();
    const found = await readResource(workspace, uri);
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource ${uri}`, { uri });
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(found, null, 2) }] };
  });

  return server;
}

/** Tells the client of this server when it is offered other tools. */
export function announceTools(connection: Connection, server: Server): Server {
  connection.onOfferChange(() => {
    server.sendToolListChanged().catch(() => undefined); // the client has gone
  });
  return server;
}

const askAgain =
  '\nIf you are not offered holdpoint_await_answer, call holdpoint_raise_question again with the same input: it waits on.';

/** Clients that say they open links, and report an error where one is to be opened (Copilot CLI 1.0.102). */
const failsToOpen: ReadonlySet<string> = new Set(['copilot-cli']);

/** Tells a client that asked for it how long a call has waited. Progress must increase with each notification, so it counts them. */
function reportTo({ mcpReq }: ServerContext, input: object | undefined): ((waitedMs: number) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  const isRequest = input !== undefined && 'id' in input && /^R-\d/.test(String(input.id));
  const [whom, how] = isRequest
    ? ['the other responsibility', 'a later result also brings the outcome']
    : ['a human', 'humans answer in the editor or a browser'];
  return (waitedMs) => {
    const seconds = Math.round(waitedMs / 1000);
    const message = `Waiting for ${whom}${seconds > 0 ? ` (${String(seconds)} s)` : ''}: ${how}`;
    const params = { progressToken, progress: ++progress, message };
    // Where the client has gone, the call ends by itself.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Software can answer elicitations, so Holdpoint only shows links with them, and their validator is not bundled. */
function neverAsks(): never {
  throw new Error('Holdpoint asks humans in the editor, not through clients');
}

/** What each request of the 2026 era says of its client. The library has checked it, but exports no type of it. */
interface Envelope {
  readonly [CLIENT_INFO_META_KEY]?: Implementation;
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
}

function envelopeOf({ mcpReq }: ServerContext): Envelope {
  return mcpReq.envelope ?? {};
}

/** Common clients time out after 60 seconds; the model must learn before that that the question still waits. */
const waitMs = 45_000;

export interface Call {
  readonly workspace: Workspace;
  readonly session: AgentSession;
  readonly signal: AbortSignal;
  /** Takes work that continues after the result was returned. */
  readonly later?: ((work: Promise<void>) => void) | undefined;
  readonly lastLines?: ((result: ToolResult) => string) | undefined;
  /** Called while the call waits. */
  readonly onTick?: ((waitedMs: number) => void) | undefined;
}

export function toolNamed(name: string): AgentTool | undefined {
  return catalog.find((tool) => tool.name === name);
}

export const toolNames = catalog.map(({ name }) => name).join(', ');

export function listedTools(shown: ReadonlySet<Shown>): McpTool[] {
  return catalog
    .filter((tool) => shown.has(tool.shown))
    .map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchema(tool) as McpTool['inputSchema'],
      annotations: { readOnlyHint: isReadOnly(tool), destructiveHint: false, openWorldHint: false },
    }));
}

/** Never throws: the model gets internal failures as an error, and the log gets the details. */
export async function callTool(tool: AgentTool, input: object | undefined, call: Call): Promise<CallToolResult> {
  const { lastLines, ...context } = call;
  try {
    return asMcp(await runAgentTool(tool, { ...context, waitMs }, input, lastLines));
  } catch (error) {
    console.error(error);
    const why = error instanceof Error ? error.message : String(error);
    return asMcp(errorResult('internal', `Holdpoint failed: ${why}. Stop, and tell your human.`));
  }
}

/**
 * Data for programs, in `_meta` of a result, whole even where the text is cut. Not as structured content: Claude Code 2.1
 * and Codex 0.169 give that to their models instead of the text, and Copilot CLI 1.0 with it.
 */
export const dataKey = 'holdpoint/data';

function asMcp({ status, text, data }: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    _meta: { [dataKey]: { status, ...data } },
    ...(status === 'error' ? { isError: true } : {}),
  };
}
