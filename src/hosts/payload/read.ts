/** Parses a host's JSON into a call. Field names may be snake or camel case; unknown fields are allowed. */
import path from 'node:path';
import {
  UnreadableCall,
  type Asking,
  type HookCall,
  type HookEvent,
  type ToolUse,
  type HostAnswer,
  type HostQuestion,
} from '../call.ts';
import type { Adapter } from '../host.ts';
import { isOwnTool, isOwnServer } from '../ownTools.ts';
import type * as Commands from './commands.ts';
import { isFields, pathsIn, textOf, toolInput, type Fields, type ToolKind } from './toolKinds.ts';

export interface ReadOptions {
  readonly platform: NodeJS.Platform;
  readonly home?: string;
  /** For calls that need it (`hasCommands`). */
  readonly commands?: typeof Commands | undefined;
}

/** @throws UnreadableCall for anything that could be a tool call but is not understood */
export function readCall(adapter: Adapter, sent: unknown, options: ReadOptions): HookCall {
  if (!isFields(sent)) throw new UnreadableCall('the host did not send an object');
  const payload = adapter.commonForm?.(sent) ?? sent;
  const version = payload['v'] ?? payload['hook_version'] ?? payload['hookVersion'] ?? payload['schema_version'];
  if (version !== undefined && version !== 1 && version !== '1')
    throw new UnreadableCall(`the host speaks version ${JSON.stringify(version)} of its hooks, which is not supported`);
  const { event, eventName } = eventOf(adapter, payload);
  return {
    event,
    eventName,
    session: textOf(payload, 'session_id', 'sessionId', 'sessionID'),
    cwd: folderOf(payload, options),
    tool:
      event === 'tool'
        ? toolOf(adapter, payload, options)
        : event === 'after'
          ? ranTool(adapter, payload, options)
          : null,
    asking: askingOf(adapter, payload, { event, eventName }),
    stopping: payload['stop_hook_active'] === true || payload['stopHookActive'] === true,
  };
}

function folderOf(payload: Fields, options: ReadOptions): string | null {
  const cwd = textOf(payload, 'cwd', 'workingDirectory', 'working_directory');
  return cwd !== null && platformPath(options).isAbsolute(cwd) ? cwd : null;
}

function platformPath({ platform }: ReadOptions): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

function eventOf(adapter: Adapter, payload: Fields): { event: HookEvent; eventName: string } {
  const eventName = textOf(payload, 'hook_event_name', 'hookEventName', 'hookName');
  if (eventName === null) {
    const event = adapter.unnamedEvent?.(payload) ?? null;
    if (event === null) throw new UnreadableCall('the host did not say which event this is');
    return { event, eventName: '' };
  }
  const event = Object.hasOwn(adapter.events, eventName) ? adapter.events[eventName] : undefined;
  if (event === undefined) throw new UnreadableCall(`the event "${eventName.slice(0, 80)}" is not known`);
  return { event, eventName };
}

/** Only the question that the host is about to ask, and its report afterwards. */
function askingOf(adapter: Adapter, payload: Fields, named: Pick<HookCall, 'event' | 'eventName'>): Asking | null {
  const asking = askingOfTool(adapter.questionTools ?? [], textOf(payload, ...toolFields), payload);
  if (asking === null) return askingOfServer(named.eventName, payload);
  return (named.event === 'tool') === (asking.kind === 'asked') ? asking : null;
}

const toolFields = ['tool_name', 'toolName', 'tool'] as const;

function toolOf(adapter: Adapter, payload: Fields, options: ReadOptions): ToolUse {
  const name = textOf(payload, ...toolFields);
  if (name === null) throw new UnreadableCall('the host did not say which tool this is');
  const input = inputOf(payload);
  if (input === null) throw new UnreadableCall(`the input of ${name.slice(0, 80)} is not an object`);
  const base = {
    name,
    own: false,
    server: false,
    changes: true,
    files: [],
    searched: [],
    named: [],
    wholeTree: false,
    opaque: false,
    command: '',
    text: '',
    unread: '',
    instead: '',
    configured: [],
    input,
  };
  if (isOwn(name, payload)) return { ...base, own: true, changes: false };
  const kind = kindOf(adapter, name, input);
  if (kind) return withKind(base, kind, options);
  if (adapter.isServerTool(name, payload))
    return { ...base, ...inHome(commandsIn(options).reachOfServerTool(input), options), server: true };
  return { ...base, files: pathsIn(input) ?? [], opaque: true };
}

/** Hosts and servers may take `~/x` for a file in the home folder, or for one in a folder named `~`: both count. */
function inHome<T extends Pick<ToolUse, 'files'>>(reach: T, { home }: ReadOptions): T {
  const more = reach.files.flatMap((file) => {
    const rest = /^(?:~|\$HOME|\$\{HOME\})((?:[\\/].*)?)$/s.exec(file)?.[1];
    return rest === undefined || home === undefined ? [] : [`${home}${rest}`];
  });
  return more.length === 0 ? reach : { ...reach, files: [...reach.files, ...more] };
}

function inputOf(payload: Fields): Fields | null {
  const given = ['tool_input', 'toolInput', 'toolArgs', 'tool_args', 'args'].map((field) => payload[field]);
  return toolInput(given.find((value) => value !== undefined));
}

function kindOf(adapter: Adapter, name: string, input: Fields): ToolKind | undefined {
  const listed = Object.hasOwn(adapter.tools, name) ? adapter.tools[name] : undefined;
  return typeof listed === 'function' ? listed(input) : listed;
}

/** Whether the call is read with `commands`. Looks values up. */
export function hasCommands(adapter: Adapter, sent: unknown): boolean {
  if (!isFields(sent)) return false;
  const payload = adapter.commonForm?.(sent) ?? sent;
  const name = textOf(payload, ...toolFields);
  const input = inputOf(payload);
  if (name === null || input === null) return false;
  const kind = kindOf(adapter, name, input);
  return kind ? kind.kind === 'shell' : adapter.isServerTool(name, payload);
}

function commandsIn({ commands }: ReadOptions): typeof Commands {
  if (!commands) throw new UnreadableCall('what reads commands was not loaded');
  return commands;
}

/** The host's name for a call that has ended; null for another event. Looks values up; parses no command. */
export function endedEvent(adapter: Adapter, sent: unknown): string | null {
  if (!isFields(sent)) return null;
  const { event, eventName } = eventOf(adapter, adapter.commonForm?.(sent) ?? sent);
  return event === 'after' ? eventName : null;
}

/** Null if it cannot be read: it has run already. */
function ranTool(adapter: Adapter, payload: Fields, options: ReadOptions): ToolUse | null {
  try {
    return toolOf(adapter, payload, options);
  } catch (error) {
    if (error instanceof UnreadableCall) return null;
    throw error;
  }
}

/** If the host names the tool's server, that decides. */
function isOwn(name: string, payload: Fields): boolean {
  const servers = [payload['mcp_server'], payload['mcp_context']].flatMap((server) =>
    isFields(server) ? (textOf(server, 'name', 'server_name') ?? []) : [],
  );
  return servers.every((server) => /holdpoint$/i.test(server)) && isOwnTool(name);
}

/** Quotes the command. */
function unreadPart(why: string, part: string): string {
  const [text, reason] = [part, why].map((one) => one.replaceAll(/\s+/g, ' ').trim().slice(0, 200));
  return text === '' ? (reason ?? '') : text === reason ? `\`${text}\`` : `\`${text ?? ''}\` (${reason ?? ''})`;
}

function withKind(base: ToolUse, kind: ToolKind, options: ReadOptions): ToolUse {
  const { input } = base;
  switch (kind.kind) {
    case 'reads':
      return { ...base, changes: false };
    case 'acts':
      return base;
    case 'opaque':
      return { ...base, files: pathsIn(input) ?? [], opaque: true, instead: kind.instead ?? '' };
    case 'edits': {
      const { files } = inHome({ files: [...new Set(kind.files(input) ?? [])] }, options);
      // An edit without a file has an unknown form of input.
      return { ...base, files, searched: kind.searched?.(input) ?? [], opaque: files.length === 0 };
    }
    case 'shell': {
      const command = kind.command(input);
      if (command === null) return { ...base, opaque: true };
      const style = kind.style ?? (options.platform === 'win32' ? 'any' : 'posix');
      const { readOnly, paths, ...effect } = commandsIn(options).classify(command, style, {
        isInteractive: kind.isInteractive,
        isTyped: kind.isTyped,
        home: options.home,
      });
      const start = textOf(input, 'workdir', 'cwd', 'Cwd', 'dir_path', 'working_directory', 'workingDirectory');
      const named =
        start === null
          ? paths
          : paths.map((one) => ({
              ...one,
              bases: [...one.bases, start, ...one.bases.map((base) => base && `${start}/${base}`)],
            }));
      return {
        ...base,
        changes: !readOnly,
        named,
        wholeTree: effect.wholeTree,
        opaque: effect.opaque !== null,
        unread: effect.opaque === null ? '' : unreadPart(effect.opaque, effect.part),
        text: effect.text,
        configured: effect.configured,
        command,
      };
    }
  }
}

/** A call of a tool that asks. Null for other tools. */
export function askingOfTool(tools: readonly string[], tool: string | null, payload: Fields): Asking | null {
  if (tool === null || !tools.includes(tool)) return null;
  const given = payload['tool_input'] ?? payload['toolInput'] ?? payload['toolArgs'] ?? payload['args'];
  const asked = questionsIn(toolInput(given) ?? {});
  const response = payload['tool_response'] ?? payload['toolResult'] ?? payload['tool_result'];
  if (response === undefined) return { kind: 'asked', by: tool, questions: asked.map(questionOf) };
  return { kind: 'answered', by: tool, answers: answersIn(asked, response) };
}

/** A question that an MCP server asks through Claude Code, and how it ended. Its answer may be a secret, and is left out. */
export function askingOfServer(eventName: string, payload: Fields): Asking | null {
  const by = textOf(payload, 'mcp_server_name');
  // Our own server shows its questions by links: each is recorded already.
  if (by === null || isOwnServer(by)) return null;
  const [message, action] = [textOf(payload, 'message'), textOf(payload, 'action')];
  if (eventName === 'Elicitation' && message !== null)
    return { kind: 'asked', by, questions: [{ text: message, choices: [], multiple: false }] };
  if (eventName === 'ElicitationResult' && action !== null)
    return { kind: 'answered', by, answers: [{ question: null, text: action }] };
  return null;
}

/** One of several questions, or the only one. */
function questionsIn(input: Fields): Fields[] {
  const listed = input['questions'];
  return (Array.isArray(listed) ? (listed as unknown[]) : [input]).filter(isFields).filter(wordsOf);
}

function wordsOf(question: Fields): string | null {
  return textOf(question, 'question', 'message', 'title');
}

function questionOf(question: Fields): HostQuestion {
  const options = question['options'] ?? question['choices'];
  return {
    text: wordsOf(question) ?? '',
    choices: (Array.isArray(options) ? (options as unknown[]) : []).flatMap(choiceOf),
    multiple: question['multiSelect'] === true || question['multiple'] === true,
  };
}

function choiceOf(option: unknown): HostQuestion['choices'] {
  if (typeof option === 'string') return [{ label: option }];
  const label = isFields(option) ? textOf(option, 'label') : null;
  if (!isFields(option) || label === null) return [];
  const description = textOf(option, 'description');
  return [description === null ? { label } : { label, description }];
}

/** Hosts name an answer by its question's text, id or place. One without an answer is left out. */
function answersIn(asked: readonly Fields[], response: unknown): HostAnswer[] {
  const reported = (typeof response === 'string' ? toolInput(response) : response) ?? {};
  if (!isFields(reported)) return [];
  const { metadata } = reported;
  const answers = reported['answers'] ?? (isFields(metadata) ? metadata['answers'] : undefined);
  return asked.flatMap((question, index) => {
    const text = wordsOf(question) ?? '';
    const names = [text, textOf(question, 'id') ?? '', textOf(question, 'header') ?? ''];
    const found = Array.isArray(answers)
      ? (answers as unknown[])[index]
      : isFields(answers)
        ? names.map((name) => answers[name]).find((one) => one !== undefined)
        : undefined;
    const said = question['isSecret'] === true ? 'a secret' : saidIn(found);
    return found === undefined || said === '' ? [] : [{ question: text, text: said }];
  });
}

function saidIn(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  if (Array.isArray(answer)) return answer.map(saidIn).join(', ');
  return isFields(answer) ? saidIn(answer['answers'] ?? answer['selected']) : '';
}
