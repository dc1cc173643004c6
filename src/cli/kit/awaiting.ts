import { exitCodes } from '../../tools/kit/outcome.ts';
import type { Result } from '../../tools/kit/outcome.ts';
import type { ToolResult } from '../../tools/kit/operation.ts';
import type { ExitCode } from './io.ts';
import type { VerbOptions } from './runVerb.ts';

/** A script that waits must not continue until a human has decided, nor after a refusal. */
function exitCodeOf({ data }: ToolResult): ExitCode {
  const result = data['result'];
  return isResult(result) ? exitCodes[result] : 2;
}

function isResult(value: unknown): value is Result {
  return typeof value === 'string' && Object.hasOwn(exitCodes, value);
}

export const untilDecided: VerbOptions = { waitMs: Infinity, exitCode: exitCodeOf };

/** Asking without waiting succeeds even though the question is still waiting. */
export const unlessOnlyAsked: VerbOptions = {
  exitCode(result, given) {
    const code = exitCodeOf(result);
    return code === 3 && given['wait_seconds'] === undefined ? 0 : code;
  },
};
