/** What reads commands and the input of MCP tools: loaded for the calls that have them. */
export { classify } from '../shell/classify.ts';
export { reachOfServerTool } from './serverTool.ts';
