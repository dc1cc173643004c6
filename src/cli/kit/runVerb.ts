/** Runs one tool for one verb: opens the workspace, prints the result and determines the exit code. */
import type { AppError } from '../../app/workspace/errors.ts';
import { inTypedNames, type InputNames } from '../../tools/kit/inputProblems.ts';
import { schemaOf } from '../../tools/kit/outputs.ts';
import { runOperation, type Operation, type ToolContext, type ToolResult } from '../../tools/kit/operation.ts';
import { visibleJson } from '../../core/kit/visible.ts';
import { verbGuide } from './guide.ts';
import type { ExitCode, Io } from './io.ts';
import { openFolder } from './openFolder.ts';
import { isNamed, shellSession } from './session.ts';

export interface Globals {
  readonly workspace?: string | undefined;
  readonly json?: boolean | undefined;
}

export interface VerbOptions {
  /** How long to wait for a human. Milliseconds. */
  readonly waitMs?: number;
  /** For results other than a plain yes: refused or still waiting. */
  readonly exitCode?: (result: ToolResult, given: Readonly<Record<string, unknown>>) => ExitCode;
  /** The options and arguments of the verb, which errors mention. */
  readonly inputNames?: InputNames;
}

interface Call extends VerbOptions {
  readonly tool: Operation;
  readonly input: Readonly<Record<string, unknown>>;
}

export async function runVerb(
  io: Io,
  globals: Globals,
  { tool, input, waitMs = 0, exitCode, inputNames }: Call,
): Promise<ExitCode> {
  const workspace = openFolder(io, globals.workspace);
  try {
    let session = isNamed(io) ? shellSession(io, workspace) : null;
    const context: ToolContext = {
      workspace,
      // An agent without a name is found in the state. By then the tool has opened the store, so it is loaded once.
      get session() {
        session ??= shellSession(io, workspace);
        return session;
      },
      signal: io.signal,
      waitMs,
      guide: verbGuide,
      inputNames,
      listsAll: true,
    };
    const result = await runOperation(tool, context, input);
    print(io, globals, result);
    if (result.status !== 'ok') return result.status === 'denied' ? 2 : 1;
    return exitCode?.(result, input) ?? 0;
  } finally {
    workspace.close();
  }
}

function print(io: Io, globals: Globals, result: ToolResult): void {
  if (globals.json) io.out(visibleJson(result.data));
  else if (result.status === 'ok') io.out(result.text);
  else io.err(result.text);
}

/** Prints the error of any verb as one line or an error object. */
export function printError(
  io: Io,
  globals: Globals,
  error: unknown,
  { result = 'error', names }: { readonly result?: 'error' | 'denied'; readonly names?: InputNames } = {},
): void {
  // By name: a gate that loads this has a class of its own.
  const { code, advice } = (error as Partial<AppError>).name === 'AppError' ? (error as AppError) : failed;
  const said = error instanceof Error ? error.message : String(error);
  const plain = systemProblem(error) ?? inTypedNames(said, names);
  const message = advice ? `${plain}. ${advice(verbGuide)}` : plain;
  if (globals.json) io.out(visibleJson({ schema: schemaOf('error'), result, error: { code, message } }));
  else io.err(`holdpoint: ${message}`);
}

const failed = { code: 'error', advice: undefined } as const;

const systemWords: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'it is not permitted',
  EROFS: 'the file system is read-only',
};

/** What the system refused, in words; null for another error. */
function systemProblem(error: unknown): string | null {
  const { code, path: file } = error as NodeJS.ErrnoException;
  const why = error instanceof Error && code !== undefined ? systemWords[code] : undefined;
  return why === undefined ? null : `${file === undefined ? 'this failed' : file.slice(0, 200)}: ${why}`;
}
