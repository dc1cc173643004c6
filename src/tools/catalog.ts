/** All tools, in display order. The editor and MCP offer them. */
import { list } from './agent/list.ts';
import { briefing, note } from './agent/memory.ts';
import { ask, awaitTool, park, reply, withdraw } from './agent/questions.ts';
import { request, respond, responsibility } from './agent/requests.ts';
import { propose } from './agent/rfcs.ts';
import { gate, recordWork } from './agent/work.ts';
import type { AgentTool } from './agent/tool.ts';

export const catalog: readonly AgentTool[] = [
  ...[ask, awaitTool, gate, recordWork, propose, briefing, note, list],
  ...[reply, park, withdraw],
  ...[responsibility, request, respond],
];
