/** The agent's sessions as the proxy knows them. */
import path from 'node:path';
import { isFields, textOf } from '../hosts/payload/fields.ts';
import type { Fields } from '../hosts/payload/fields.ts';
import { openToolCalls } from './toolCalls.ts';
import type { ToolCalls } from './toolCalls.ts';

export interface Session {
  /**
   * The session's id for Holdpoint. The MCP server of the session is started with it, before the agent has given the
   * session its own.
   */
  readonly stamp: string;
  readonly cwd: string;
  /** Absolute; the first is `cwd`. */
  readonly folders: readonly string[];
  readonly toolCalls: ToolCalls;
  /** Its agent has not had the briefing. */
  isNew: boolean;
  /** The turn was cancelled because of a call that did not ask. */
  isCancelled: boolean;
  /** Texts for the agent that go with the next prompt. */
  readonly notes: string[];
}

/** Requests that start or continue a session, with its folder and MCP servers. */
export const starting: ReadonlySet<string> = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);

/** @param workspace the folder that decides, where the proxy was started with one */
export function openSession(params: Fields, stamp: string, workspace: string | null): Session {
  const cwd = textOf(params, 'cwd') ?? '';
  const { additionalDirectories: more } = params;
  const folders = [workspace ?? cwd, ...(Array.isArray(more) ? (more as unknown[]) : [])].filter(
    (folder) => typeof folder === 'string',
  );
  return {
    stamp,
    cwd,
    // The hook refuses to judge by what is no folder, so what is not absolute denies.
    folders: [...new Set(folders.map((folder) => (path.isAbsolute(folder) ? path.resolve(folder) : folder)))],
    toolCalls: openToolCalls(),
    isNew: true,
    isCancelled: false,
    notes: [],
  };
}

const ownName = 'holdpoint';

/** With Holdpoint's MCP server for this session, in place of any other of its name. */
export function withServer(params: Fields, server: Fields): Fields {
  const { mcpServers: given } = params;
  const others = (Array.isArray(given) ? (given as unknown[]) : []).filter(
    (one) => !(isFields(one) && one['name'] === ownName),
  );
  return { ...params, mcpServers: [{ name: ownName, ...server }, ...others] };
}
