/** What lists say about imported history, which they leave out. */
import type { HistoryKind } from '../../core/records/import.ts';
import type { ToolContext } from './tool.ts';

/** One line, or none. No tool lists history; a verb does. */
export function besides({ guide }: Pick<ToolContext, 'guide'>, count: number, kind: HistoryKind): string[] {
  if (count === 0) return [];
  const more = count === 1 ? '1 imported row of history is' : `${String(count)} imported rows of history are`;
  const where = guide?.call === 'Run' ? `: holdpoint history --kind ${kind}` : '';
  return [`${more} not listed here, and not verified${where}`];
}
