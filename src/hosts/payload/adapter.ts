/** What an adapter of a host is: values and small functions; reading and printing are the same for all. */
import type { HookAnswer, HookCall, HookEvent } from '../call.ts';
import type { HostName } from '../names.ts';
import type { Fields } from './fields.ts';
import type { ToolTable } from './toolKinds.ts';

export interface Adapter {
  readonly host: HostName;
  /** Its names for events; those it has beside these are `other` only if listed. */
  readonly events: Readonly<Record<string, HookEvent>>;
  /** The event of a payload that does not name it; null for what cannot be told. */
  readonly unnamedEvent?: (payload: Fields) => HookEvent | null;
  readonly tools: ToolTable;
  /** Whether a tool belongs to a server: those change more than files, and their input is not known. */
  readonly isServerTool: (name: string, payload: Fields) => boolean;
  /** How it names a tool of an MCP server. */
  readonly serverToolName: (server: string, tool: string) => string;
  /** Null for nothing. Printed on standard output as JSON. */
  readonly print: (answer: HookAnswer, call: Pick<HookCall, 'eventName'>) => object | null;
}
