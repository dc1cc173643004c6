/** Lists in parts: an agent reads every line that a tool returns. */
import * as z from 'zod';
import { guideOf, type ToolContext } from './operation.ts';

/** Of an agent, which reads every line, unless its input asks for more. */
const usual = 5;

export const pageFields = {
  skip: z.int().min(0).default(0).describe('Number of items to skip, to continue a list.'),
  limit: z.int().min(1).max(10_000).optional().describe('The maximum number of items.'),
};

export interface Page {
  readonly skip: number;
  /** May be Infinity. */
  readonly limit: number;
}

export function pageOf(
  { listsAll = false }: ToolContext,
  { skip, limit }: { skip: number; limit?: number | undefined },
): Page {
  return { skip, limit: limit ?? (listsAll ? Infinity : usual) };
}

/** How a list begins: how many there are, and how many of them follow. */
export function headText(total: number, shown: number, what: string): string {
  return shown === total ? what : `${String(shown)} of ${what}`;
}

/** How to continue the list, in at most one line. */
export function restText(context: ToolContext, { skip }: Page, shown: number, total: number): string[] {
  const next = skip + shown;
  if (shown === 0 || next >= total) return [];
  const how = guideOf(context).call === 'Run' ? `--skip ${String(next)}` : `"skip": ${String(next)}`;
  return [`${String(total - next)} more: repeat this with ${how}.`];
}
