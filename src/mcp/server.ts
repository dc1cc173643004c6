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
} from '@modelcontextprotocol/server';
import { takeStamp } from '../hosts/ownTools.ts';
import { isUsed } from '../tools/agent/shown.ts';
import { waits } from '../tools/agent/tool.ts';
import { awaitTool } from '../tools/catalog.ts';
import { callTool, listedTools, toolNamed, toolNames, type Call, dataKey } from './calls.ts';
import type { Connection } from './connection.ts';
import { envelopeOf } from './envelope.ts';
import { briefingOf } from '../app/memory/briefing.ts';
import { rfcView, waitingRfcs } from '../app/rfc/views.ts';
import { questionView, waitingQuestions } from '../app/question/views.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { cascade } from '../core/hold/cascade.ts';
import { fileScopes, holderName, isRfc, openHolders } from '../core/hold/holds.ts';
import { isRfcId } from '../core/waiting/items.ts';
import { workspacePath, questionId } from '../core/kit/fields.ts';
import { isRfcWaiting, sinceOf } from '../core/rfc/rfc.ts';
import { raisedOf, undecidedQuestions, waitsForHuman } from '../core/state/state.ts';
import { firstLine } from '../core/kit/text.ts';
import { allFiles } from '../core/state/heldChanges.ts';
import { localOrigin, readSecret, servePort } from '../app/serving/editorLink.ts';
import type { ToolResult } from '../tools/kit/operation.ts';

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

interface Shown {
  readonly message: string;
  readonly url: string;
}

function shownOf(workspace: Workspace, id: string): Shown {
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
      own: Pick<Call, 'signal' | 'progress' | 'onWait'>,
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
    const progress = progressOf(context);
    const { signal } = context.mcpReq;
    const onWait = () => {
      if (opensLinks && era === 'legacy') showForms(connection, session.actor.id, context);
    };
    const call = () => start({ signal, progress, onWait });
    if (era === 'modern' && opensLinks && waits(tool) && shown === null) {
      // Without a wait, so that the human is shown the form first.
      const now = await start({ signal, progress }, { ...input, wait_seconds: 0 });
      const asks = askToShow(connection, now);
      if (asks || !onlyWaits(now)) return asks ?? now;
    }
    return call();
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
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [questionTemplate, rfcTemplate, briefingTemplate],
  }));
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

function progressOf({ mcpReq }: ServerContext): Call['progress'] {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return null;
  return {
    token,
    send(notification) {
      mcpReq.notify(notification).catch(() => undefined); // the client has gone: the call ends by itself
    },
  };
}

/** Software can answer elicitations, so Holdpoint only shows links with them, and their validator is not bundled. */
function neverAsks(): never {
  throw new Error('Holdpoint asks humans in the editor, not through clients');
}

// Resources that clients can read without a tool call: open holds, the briefing, and waiting questions and RFCs.

interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: 'application/json';
}

const scheme = 'holdpoint://';
const holds = `${scheme}holds`;
const waiting = `${scheme}waiting`;
const memory = `${scheme}briefing`;
const questions = `${scheme}questions/`;
const rfcs = `${scheme}rfcs/`;
const mimeType = 'application/json' as const;

const questionTemplate = {
  uriTemplate: `${questions}{id}`,
  name: 'question',
  title: 'One question',
  description: 'A question with its status and, once a human has decided, the decision.',
  mimeType,
} as const;

const rfcTemplate = {
  uriTemplate: `${rfcs}{id}`,
  name: 'rfc',
  title: 'One RFC',
  description: 'A design with its sections, feedback, revisions and, once a human has decided, the decision.',
  mimeType,
} as const;

/** Three fixed resources, and one for each waiting question and RFC. */
function listResources(workspace: Workspace): ListedResource[] {
  return [
    {
      uri: holds,
      name: 'holds',
      title: 'Open holds',
      description: 'Work items and files that are held, each with the question or RFC that holds it.',
      mimeType,
    },
    {
      uri: waiting,
      name: 'waiting',
      title: 'Waiting for a human',
      description: 'Questions and RFCs that a human has not decided, most urgent first.',
      mimeType,
    },
    {
      uri: memory,
      name: 'briefing',
      title: 'Briefing',
      description: 'Critical warnings, questions and RFCs that wait for a human, and what is known about this project.',
      mimeType,
    },
    ...waitingIn(workspace).map(({ id, text }) => ({
      uri: `${isRfcId(id) ? rfcs : questions}${id}`,
      name: id,
      title: `${id}: ${firstLine(text)}`,
      description: isRfcId(id) ? 'An RFC that waits for a human.' : 'A question that waits for a human.',
      mimeType,
    })),
  ];
}

function waitingIn(workspace: Workspace): { readonly id: string; readonly text: string }[] {
  const { state } = workspace.standing();
  return [
    ...(state ? undecidedQuestions(state) : []).map(({ id, raised }) => ({ id, text: raised.text })),
    ...[...(state?.rfcs.values() ?? [])].filter(isRfcWaiting).map(({ id, title }) => ({ id, text: title })),
  ];
}

const briefingTemplate = {
  uriTemplate: `${memory}/{+path}`,
  name: 'briefing-of-path',
  title: 'Briefing for one file or folder',
  description: 'The briefing focused on a workspace-relative path.',
  mimeType,
} as const;

/** Null if the resource does not exist. */
export async function readResource(workspace: Workspace, uri: string): Promise<object | null> {
  const standing = workspace.standing();
  const unknown = standing.problem && { state: 'UNKNOWN', problem: standing.problem.message };
  if (uri === holds) return unknown ?? openHolds(workspace);
  if (uri === waiting) return unknown ?? waitingOn((await workspace.store()).read());
  if (uri === memory || uri.startsWith(`${memory}/`)) {
    const focus = focusOf(uri.slice(memory.length + 1));
    if (focus === undefined) return null;
    return unknown ?? { briefing: briefingOf(workspace, (await workspace.store()).read(), { focus }).briefing };
  }
  const rfcId = uri.startsWith(rfcs) ? uri.slice(rfcs.length) : '';
  if (isRfcId(rfcId)) {
    if (unknown) return unknown;
    const rfc = rfcView((await workspace.store()).read(), rfcId);
    return rfc && { rfc };
  }
  const id = questionId.safeParse(uri.startsWith(questions) ? uri.slice(questions.length) : '');
  if (!id.success) return null;
  if (unknown) return unknown;
  const question = questionView((await workspace.store()).read(), id.data);
  return question && { question };
}

/** Null for the whole project; undefined for an invalid path. */
function focusOf(encoded: string): string | null | undefined {
  if (encoded === '') return null;
  try {
    return workspacePath.safeParse(decodeURIComponent(encoded)).data;
  } catch {
    return undefined;
  }
}

function waitingOn(view: Parameters<typeof waitingQuestions>[0]): object {
  return { waiting: waitingQuestions(view), rfcs: waitingRfcs(view) };
}

function openHolds(workspace: Workspace): object {
  const { state } = workspace.standing();
  if (!state) return { state: 'UNKNOWN' };
  const open = openHolders(state).map((holder) => {
    const { direct, dependants } = cascade(state, holder);
    return {
      id: holder.id,
      text: holderName(holder),
      urgency: isRfc(holder) ? null : holder.urgency,
      status: holder.status,
      agent_id: holder.asker.id,
      worktree: holder.asker.worktree ?? null,
      raised_at: isRfc(holder) ? sinceOf(holder) : holder.raisedAt,
      work: direct,
      dependants,
      files: fileScopes(state, holder),
      all_files: allFiles(holder),
    };
  });
  return { state: open.length === 0 ? 'CLEAR' : 'BLOCKED', holds: open };
}
