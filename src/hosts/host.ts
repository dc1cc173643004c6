/**
 * What one agent host is, in one object: how to find it, its files, its payload and answer, its canary, and how far it
 * enforces holds. Hooks load these objects: whatever reads files is given to them.
 */
import type { hostNames } from '../core/kit/limits.ts';
import type { HookAnswer, HookCall, HookEvent } from './call.ts';
import type { Fields, ToolTable } from './payload/toolKinds.ts';

export type HostName = (typeof hostNames)[number];

/** Any other host calls the hook as `generic`, and describes itself (payload/form.ts). */
export type HookHost = HostName | 'generic';

/** The output of a denial, for hosts that read more than exit code 2 and standard error. */
export interface Denial {
  /** JSON for standard output; `$reason` in its texts becomes the reason. */
  readonly json: Readonly<Record<string, string | boolean | number>>;
  /** 0 where only the output matters. */
  readonly exit: 0 | 2;
}

/** How a hook is called and answers. */
export interface Adapter {
  readonly host: HookHost;
  readonly title: string;
  /**
   * The agent type in the agent's id (`claude-code-001`). The hook uses this value; the MCP server takes it from
   * `--agent-type`, which setup writes, or from the client's name. So both act for the same agent.
   */
  readonly agentType: string;
  /** Types that its MCP clients register under where `--agent-type` is missing, from their client names. */
  readonly alsoCalled: readonly string[];
  /** It passes the session id that its hook adds to the input of Holdpoint's own tools (ownTools.ts). */
  readonly stampsCalls: boolean;
  /** The host's names for events. List ignored events as `other`: unlisted names are refused. */
  readonly events: Readonly<Record<string, HookEvent>>;
  /** Infers the event of a payload that does not name it; null if it cannot. */
  readonly unnamedEvent?: (payload: Fields) => HookEvent | null;
  /** Converts the payload of a host with fields of its own to the fields that `readCall` reads. */
  readonly commonForm?: (payload: Fields) => Fields;
  readonly tools: ToolTable;
  /** The tools that ask the user. */
  readonly questionTools?: readonly string[];
  /** Whether a tool belongs to an MCP server: those may change more than files, and their input is unknown. */
  readonly isServerTool: (name: string, payload: Fields) => boolean;
  readonly serverToolName: (server: string, tool: string) => string;
  /** The answer as JSON for standard output; null for none. */
  readonly print: (answer: HookAnswer, call: Pick<HookCall, 'eventName'>) => object | null;
  /** The output of a denial where it is data. Without it, exit code 2 and the reason on standard error deny. */
  readonly deny?: Denial;
  /** The exit code of an answer that keeps an agent from stopping; default that of a denial. */
  readonly goOnExit?: 0 | 2;
}

/** How far holds are enforced: a row in docs/hosts.md. A host that runs agents in several ways has one for each. */
export interface HostLevel {
  /** Default: the host's title. */
  readonly name?: string;
  readonly level: 'enforced' | 'advisory' | 'not proven';
  readonly stopped: string;
  readonly open: string;
  readonly testedWith: string;
  /** Below `test`, without `.test.ts`. */
  readonly tests: string;
  /** What the plugin that we ship does there, where that was tried with the real program. */
  readonly plugin?: 'enforces' | 'skill only';
}

export interface Host extends Adapter {
  readonly host: HostName;
  readonly levels: readonly HostLevel[];
  readonly setup: HostSetup;
}

export type Shell = 'posix' | 'cmd' | 'powershell';

/** Which hook: every failure of a `denying` one denies; one `after` a tool only looks at held files. */
export interface HookKind {
  readonly denying: boolean;
  readonly after?: boolean;
  /** Default: the one of this platform. */
  readonly shell?: Shell;
  /** Another host whose payload it gets. */
  readonly host?: HostName;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a host's files are written for: one folder of one user. */
export interface SetupTarget {
  readonly platform: NodeJS.Platform;
  readonly hook: (kind: HookKind) => string;
  readonly mcp: Program;
  /** A plugin that runs the hook, for a host without commands. */
  readonly plugin: () => string;
}

type Groups = object | readonly object[];

/** What setup puts into a file; several may be in one file. Everything else in it belongs to the user. */
export type HostFile = FileFrame &
  (
    | { readonly whole: string }
    /** Lists of hooks by event, under `hooks`. `made`: further content of a file that setup creates. */
    | { readonly hooks: Readonly<Record<string, Groups>>; readonly made?: object }
    | { readonly at: readonly string[]; readonly value: unknown; readonly made?: object }
    /** Lines of TOML: a table of its own at the end, or keys before the first table. */
    | { readonly lines: readonly string[]; readonly table?: readonly [string, string] }
  );

interface FileFrame {
  /** Below the folder; ignored in an administrator's file. */
  readonly file?: readonly string[];
  /** Used where it exists instead. */
  readonly orFile?: readonly string[];
  /** Default `hook`. */
  readonly kind?: 'mcp' | 'other';
  /** JSON of a host that ignores the whole file for a comment or a trailing comma. */
  readonly strictJson?: boolean;
}

/** What an administrator's files start. */
export interface MachineTarget {
  readonly platform: NodeJS.Platform;
  /** Without a shell: no file that a shell reads first can answer instead. */
  readonly program: (denying: boolean) => Program;
  readonly line: (denying: boolean) => string;
}

/** Reads the settings of a host; what cannot be read is empty. */
export interface SettingsReader {
  readonly workspace: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly machineFile: string | null;
  readonly settings: (file: string) => Fields;
  readonly isBelow: (folder: string) => boolean;
  readonly isReallyBelow: (folder: string) => boolean;
  /** The folder of the agents, as given and without links. */
  readonly folders: readonly string[];
}

/** How an agent could bypass a working hook. */
export type WayAround = {
  readonly code:
    /** The host's settings set variables that make programs run other code. */
    | 'environment'
    | 'codexReview'
    | 'codexUntrusted'
    | 'copilotUntrusted'
    | 'geminiUntrusted'
    /** The host itself was never run with this hook: known from its documentation only. */
    | 'notProven';
  readonly about: string;
} | null;

/**
 * A host as data: where its JSON has the tool, and what its tools do. Names of fields may be paths: `tool_info.cwd`,
 * `folders.0`. Tools that are not listed may change anything.
 */
export interface HostForm {
  /** Where the host names its event: any other than this one is refused. */
  readonly event?: { readonly field: string; readonly before: string };
  readonly tool: string;
  readonly input: string;
  readonly session?: string;
  /** The folder of relative paths: the first of these fields that is set. */
  readonly cwd?: readonly string[];
  readonly reads?: readonly string[];
  readonly edits?: Readonly<Record<string, readonly string[]>>;
  /** By tool: the field of its input that is a command for a shell. */
  readonly shells?: Readonly<Record<string, string>>;
  readonly servers?: { readonly prefix: string; readonly separator: string };
  /** One tool for all MCP servers, whose input names the server, the tool and the tool's input. */
  readonly serverCall?: {
    readonly tool: string;
    readonly server: string;
    readonly name: string;
    readonly input: string;
  };
  /** In addition to the reason on standard error and exit code 2. */
  readonly deny?: Denial;
}

export type CanaryTool = readonly [name: string, input: Fields];

export interface HostSetup {
  /** By what it is found: files in the folder and at home, and its program on the search path. */
  readonly signs: {
    readonly workspace: readonly string[];
    readonly home: readonly string[];
    readonly program: string;
  };
  readonly files: (to: SetupTarget) => readonly HostFile[];
  readonly isPlugin?: true;
  /** The shell that runs its hooks on Windows; default cmd. */
  readonly windowsShell?: Shell;
  /** The calls that a canary makes: one edits a file, one only reads it. Fields as in recorded payloads. */
  readonly canary: (file: string) => { readonly edit: CanaryTool; readonly read: CanaryTool };
  readonly form?: HostForm;
  /** A call as the host sends it; default: the form of Claude Code. */
  readonly call?: (tool: CanaryTool, folder: string) => Fields;
  /** What it sends after a call; without it, setup writes no hook after tools. */
  readonly called?: (call: Fields) => Fields;
  /** A file of settings that turns its hooks off. */
  readonly disabledIn?: (read: SettingsReader) => string | null;
  /** How an agent could bypass a working hook. */
  readonly wayAround?: (read: SettingsReader) => WayAround;
  /** Rules of an administrator, for every user and folder of the machine. */
  readonly machine?: {
    readonly linux: string;
    readonly darwin: string;
    readonly win32: string;
    readonly files: (to: MachineTarget) => readonly HostFile[];
  };
}

/** Of hosts that need a hook's name, and count its timeout in milliseconds. */
export const namedHook = { name: 'holdpoint', timeout: 30_000 };
/** Seconds. The hook gives up and denies long before; a timeout of the host would let the call through. */
export const hookTimeout = 30;
export const canarySession = 'holdpoint-canary';

export function toolCall(event: string): NonNullable<HostSetup['call']> {
  return ([tool, input], folder) => ({
    ...{ hook_event_name: event, session_id: canarySession, cwd: folder },
    ...{ tool_name: tool, tool_input: input },
  });
}

export const postToolUse: NonNullable<HostSetup['called']> = (call) => ({
  ...call,
  hook_event_name: 'PostToolUse',
  tool_response: { ok: true },
});

/** Hooks of these events, in the form of Claude Code, which others share. */
export function hookGroups<Event extends string>(
  to: Pick<SetupTarget, 'hook'>,
  events: Readonly<Record<Event, Partial<HookKind> & { readonly matcher?: string }>>,
  { timeout = hookTimeout, ...named }: { readonly name?: string; readonly timeout?: number } = {},
): Record<Event, object> {
  const group = ({ matcher, denying = false, ...kind }: Partial<HookKind> & { readonly matcher?: string }) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ ...named, type: 'command', command: to.hook({ denying, ...kind }), timeout }],
  });
  const groups = Object.entries<Parameters<typeof group>[0]>(events).map(([event, kind]) => [event, group(kind)]);
  return Object.fromEntries(groups) as Record<Event, object>;
}

/** The entry of our MCP server, in the form that most hosts share. */
export function mcpEntry(value: object, ...file: readonly string[]): HostFile {
  return { file, kind: 'mcp', at: ['mcpServers', 'holdpoint'], value };
}

/** `{event: kind}` for each of these names. */
export function recordOf<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}
