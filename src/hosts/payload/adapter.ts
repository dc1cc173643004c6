/** A host's adapter: values and small functions; reading and printing are shared. */
import type { HookAnswer, HookCall, HookEvent } from '../call.ts';
import type { HookHost } from '../names.ts';
import type { Fields } from './fields.ts';
import type { ToolTable } from './toolKinds.ts';

export interface Adapter {
  readonly host: HookHost;
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
  /** The host's name for a tool of an MCP server. */
  readonly serverToolName: (server: string, tool: string) => string;
  /** The answer as JSON for standard output; null for none. */
  readonly print: (answer: HookAnswer, call: Pick<HookCall, 'eventName'>) => object | null;
  /** The exit code of a denial; default 2. With 0 only the output denies. */
  readonly denialExit?: 0 | 2;
  /** The same for the answer that keeps an agent from stopping. */
  readonly goOnExit?: 0 | 2;
}
