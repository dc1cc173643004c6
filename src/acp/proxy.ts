/**
 * Passes messages between an ACP client and its agent, and asks the hooks' gate about those that change something. Both
 * directions are handled in order, each by itself. It sends no request of its own, so that no id can collide.
 */
import path from 'node:path';
import { onlyReads } from '../hosts/payload/acp.ts';
import { isFields, textOf } from '../hosts/payload/fields.ts';
import type { Fields } from '../hosts/payload/fields.ts';
import { openGate } from './gate.ts';
import type { AskHook } from './gate.ts';
import { BrokenConnection, errorText, notificationText, readMessage, requestText, resultText } from './messages.ts';
import type { Id, Message } from './messages.ts';
import { openPending } from './pending.ts';
import { askedEachTime, decisionIn, refusal } from './permission.ts';
import { withContext } from './prompts.ts';
import { openSession, starting, withServer } from './sessions.ts';
import type { Session } from './sessions.ts';

export interface ProxyOptions {
  readonly ask: AskHook;
  /** Writes one line. */
  readonly toAgent: (line: string | Uint8Array) => Promise<void>;
  readonly toClient: (line: string | Uint8Array) => Promise<void>;
  readonly newId: () => string;
  /** The command of Holdpoint's MCP server for a session. */
  readonly server: (folder: string, stamp: string) => Fields;
  /** The folder that decides; null for that of each session. */
  readonly workspace: string | null;
  /** For a person who looks for the cause of something. */
  readonly log: (text: string) => void;
}

export interface Proxy {
  /** One line each. @throws BrokenConnection */
  fromAgent(line: Uint8Array): Promise<void>;
  fromClient(line: Uint8Array): Promise<void>;
  /** Answers what the client still waits for. */
  end(reason: string): Promise<void>;
}

type Request = Extract<Message, { readonly kind: 'request' }>;
type Notification = Extract<Message, { readonly kind: 'notification' }>;
type Response = Extract<Message, { readonly kind: 'response' }>;
interface Sent {
  readonly method: string;
  readonly params: Fields;
  /** Opened by this request; its id is in the response. */
  readonly session?: Session;
}

/** The version of the protocol whose messages the proxy knows. */
const version = 1;

/** What agents ask of clients that changes nothing. */
const harmless: ReadonlySet<string> = new Set([
  'fs/read_text_file',
  'terminal/output',
  'terminal/release',
  'terminal/wait_for_exit',
  'terminal/kill',
]);
const harmlessNotifications: ReadonlySet<string> = new Set(['session/update', 'elicitation/complete']);

export function openProxy({ ask, toAgent, toClient, newId, server, workspace, log }: ProxyOptions): Proxy {
  const sessions = new Map<string, Session>();
  const fromClientSide = openPending<Sent>();
  const fromAgentSide = openPending<Sent>();
  let capabilities: Fields = {};
  let notes = Promise.resolve();
  const gate = openGate(ask, () => [
    ...new Set([workspace ?? process.cwd(), ...[...sessions.values()].flatMap(({ folders }) => folders)]),
  ]);

  function sessionOf(params: Fields): Session | null {
    const id = textOf(params, 'sessionId');
    return id === null ? null : (sessions.get(id) ?? null);
  }

  /** In the agent's name, because clients show nothing else: the text says who writes. */
  async function tellClient(params: Fields, text: string): Promise<void> {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `\n\n${text}\n\n` } };
    await toClient(notificationText('session/update', { sessionId: params['sessionId'], update }));
  }

  async function requestOfAgent(request: Request, line: Uint8Array): Promise<void> {
    const { id, method, params } = request;
    fromAgentSide.add(id, { method, params });
    if (harmless.has(method)) return toClient(line);
    if (method === 'elicitation/create') {
      note(params);
      return toClient(line);
    }
    if (method === 'session/request_permission') return permission(request);
    const reason = await gate.denial(sessionOf(params), method, params);
    // As it was judged: another reader may see more in the line.
    if (reason === null) return toClient(requestText(id, method, params));
    fromAgentSide.take(id);
    await toAgent(errorText(id, reason));
    await tellClient(params, reason);
  }

  async function permission({ id, method, params }: Request): Promise<void> {
    const { reason, changes } = await judged(params);
    if (reason === null) {
      const passed = changes ? askedEachTime(params) : params;
      fromAgentSide.take(id);
      fromAgentSide.add(id, { method, params: passed });
      return toClient(requestText(id, method, passed));
    }
    fromAgentSide.take(id);
    await toAgent(resultText(id, refusal(params, reason)));
    await tellClient(params, reason);
  }

  /** A permission, with all that was said of its call. */
  async function judged(params: Fields): Promise<{ readonly reason: string | null; readonly changes: boolean }> {
    const session = sessionOf(params);
    const update = isFields(params['toolCall']) ? params['toolCall'] : {};
    const toolCall = session?.toolCalls.note(update).said ?? update;
    const changes = !onlyReads(toolCall);
    const reason = changes ? await gate.denial(session, 'session/request_permission', { ...params, toolCall }) : null;
    return { reason, changes };
  }

  async function notificationOfAgent({ method, params }: Notification, line: Uint8Array): Promise<void> {
    if (method === 'session/update') await observe(params);
    // Extensions begin with `_`; a notification of theirs informs.
    const isKnown = harmlessNotifications.has(method) || /^(?:_|\$\/)/.test(method);
    const reason = isKnown ? null : await gate.denial(sessionOf(params), method, params);
    if (reason === null) await toClient(line);
    else log(`dropped the notification ${method}: ${reason}`);
  }

  /** A call that changes something and did not ask for permission is only noticed. */
  async function observe(params: Fields): Promise<void> {
    const session = sessionOf(params);
    const { update } = params;
    if (!session || !isFields(update) || !/^tool_call(?:_update)?$/.test(String(update['sessionUpdate']))) return;
    const { said, isGranted, isNoticed } = session.toolCalls.note(update);
    const id = textOf(update, 'toolCallId');
    if (id === null || isGranted || isNoticed || !hasRun(said)) return;
    session.toolCalls.mark(id, { isNoticed: true });
    const reason = await gate.denial(session, 'session/request_permission', { ...params, toolCall: said });
    if (reason === null) return;
    const what = textOf(said, 'title', 'name', 'kind') ?? 'A tool';
    const text = `Holdpoint noticed that this ran without asking for permission: ${what.slice(0, 200)}\n${reason}`;
    session.notes.push(`${text}\nThe turn was cancelled for this. Undo it, and ask.`);
    await tellClient(params, `${text}\nHoldpoint cancelled the turn. Check what was changed.`);
    if (session.isCancelled) return;
    session.isCancelled = true;
    await toAgent(notificationText('session/cancel', { sessionId: params['sessionId'] }));
  }

  /** Whether it has changed something, or is about to in a way that passes no gate. */
  function hasRun(call: Fields): boolean {
    const kind = textOf(call, 'kind') ?? '';
    if (!['edit', 'delete', 'move', 'execute'].includes(kind)) return false;
    if (call['status'] === 'completed') return true;
    const files = isFields(capabilities['fs']) ? capabilities['fs'] : {};
    const isGatedLater = kind === 'execute' ? capabilities['terminal'] === true : files['writeTextFile'] === true;
    return call['status'] === 'in_progress' && !isGatedLater;
  }

  async function responseOfAgent({ id, result, error }: Response, line: Uint8Array): Promise<void> {
    const sent = fromClientSide.take(id);
    if (!sent) {
      log('dropped a response of the agent to no request');
      return;
    }
    if (sent.method === 'initialize' && error === undefined) {
      const chosen = isFields(result) ? result['protocolVersion'] : null;
      if (chosen !== version)
        throw new BrokenConnection(`the agent speaks version ${JSON.stringify(chosen)} of ACP; Holdpoint knows 1`);
    }
    const given = isFields(result) ? textOf(result, 'sessionId') : null;
    if (sent.session && given !== null) sessions.set(given, sent.session);
    await toClient(line);
  }

  function note(params: Fields, result?: unknown): void {
    const session = sessionOf(params) ?? onlySession();
    if (session) notes = notes.then(() => gate.noteAsking(session, params, result));
  }

  /** An elicitation may belong to a request instead of a session. */
  function onlySession(): Session | null {
    const [first, second] = new Set(sessions.values());
    return first && !second ? first : null;
  }

  async function requestOfClient({ id, method, params }: Request, line: Uint8Array): Promise<void> {
    if (starting.has(method)) {
      const session = openSession(params, newId(), workspace);
      fromClientSide.add(id, { method, params, session });
      const known = textOf(params, 'sessionId');
      if (known !== null && method !== 'session/fork') sessions.set(known, session);
      const [folder = ''] = session.folders;
      return toAgent(requestText(id, method, withServer(params, server(path.resolve(folder), session.stamp))));
    }
    fromClientSide.add(id, { method, params });
    if (method === 'initialize') {
      capabilities = isFields(params['clientCapabilities']) ? params['clientCapabilities'] : {};
      const wanted = params['protocolVersion'];
      if (typeof wanted === 'number' && wanted > version)
        return toAgent(requestText(id, method, { ...params, protocolVersion: version }));
    }
    const session = method === 'session/prompt' ? sessionOf(params) : null;
    const changed = session && (await withContext(session, params, gate));
    await toAgent(changed ? requestText(id, method, changed) : line);
  }

  async function responseOfClient({ id, result, error }: Response, line: Uint8Array): Promise<void> {
    const sent = fromAgentSide.take(id);
    if (!sent) {
      log('dropped a response of the client to no request');
      return;
    }
    if (sent.method === 'elicitation/create') note(sent.params, error === undefined ? (result ?? {}) : {});
    if (sent.method === 'session/request_permission' && error === undefined)
      return decided({ id, params: sent.params, result, line });
    await toAgent(line);
  }

  interface Decided {
    readonly id: Id;
    readonly params: Fields;
    readonly result: unknown;
    readonly line: Uint8Array;
  }

  /** Judged again: meanwhile something may be held. */
  async function decided({ id, params, result, line }: Decided): Promise<void> {
    const decision = decisionIn(params, result);
    if (decision === 'refused') return toAgent(line);
    if (decision === 'unclear')
      return toAgent(
        resultText(id, refusal(params, 'Holdpoint denies this: the client chose what it was not offered.')),
      );
    const { reason } = await judged(params);
    const call = isFields(params['toolCall']) ? textOf(params['toolCall'], 'toolCallId') : null;
    if (reason === null) {
      if (call !== null) sessionOf(params)?.toolCalls.mark(call, { isGranted: true });
      return toAgent(resultText(id, result));
    }
    await toAgent(resultText(id, refusal(params, reason)));
    await tellClient(params, reason);
  }

  return {
    fromAgent(line) {
      const message = readMessage(line);
      if (message.kind === 'request') return requestOfAgent(message, line);
      return message.kind === 'response' ? responseOfAgent(message, line) : notificationOfAgent(message, line);
    },
    fromClient(line) {
      const message = readMessage(line);
      if (message.kind === 'request') return requestOfClient(message, line);
      return message.kind === 'response' ? responseOfClient(message, line) : toAgent(line);
    },
    async end(reason) {
      for (const id of fromClientSide.ids()) {
        fromClientSide.take(id);
        await toClient(errorText(id, reason));
      }
      await notes;
    },
  };
}
