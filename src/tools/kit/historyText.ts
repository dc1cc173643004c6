/** The line in which lists mention imported history, which they leave out. */
import type { HistoryKind } from '../../core/records/import.ts';
import type { ToolContext } from './operation.ts';

/** At most one line. Only a command-line verb lists history, no tool does. */
export function besides({ guide }: Pick<ToolContext, 'guide'>, count: number, kind: HistoryKind): string[] {
  if (count === 0) return [];
  const more = count === 1 ? '1 imported history item is' : `${String(count)} imported history items are`;
  const where = guide?.call === 'Run' ? `: holdpoint history --kind ${kind}` : '';
  return [`${more} not listed here and not verified${where}`];
}
