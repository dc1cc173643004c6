import { exitCodes } from '../../tools/kit/outcome.ts';
import type { Result } from '../../tools/kit/outcome.ts';
import type { ToolResult } from '../../tools/kit/tool.ts';
import type { ExitCode } from './io.ts';
import type { VerbOptions } from './runVerb.ts';

/** A script that goes on after a wait must not go on while no human has decided, nor after a no. */
function exitCodeOf({ data }: ToolResult): ExitCode {
  const result = data['result'];
  return isResult(result) ? exitCodes[result] : 2;
}

function isResult(value: unknown): value is Result {
  return typeof value === 'string' && Object.hasOwn(exitCodes, value);
}

export const untilDecided: VerbOptions = { waitMs: Infinity, exitCode: exitCodeOf };

/** A question that is asked without waiting is asked: that it still waits is no failure. */
export const unlessOnlyAsked: VerbOptions = {
  exitCode(result, given) {
    const code = exitCodeOf(result);
    return code === 3 && given['wait_seconds'] === undefined ? 0 : code;
  },
};
