import type { ToolResult } from '../../tools/kit/tool.ts';
import type { VerbOptions } from './runVerb.ts';

/** `none`: there is nothing to wait for. */
const goesOn: ReadonlySet<string> = new Set(['answered', 'cancelled', 'released', 'approved', 'implemented', 'none']);

/** A script that goes on after `await` must not go on while no human has decided, nor after a no. */
export const untilDecided: VerbOptions = {
  waitMs: Infinity,
  exitCode: ({ data }: ToolResult) => (goesOn.has(String(data['outcome'])) ? 0 : 2),
};
