/** What a verb has of the outside world. Tests hand in their own. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  out(text: string): void;
  err(text: string): void;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Becomes the MCP server with these arguments. Returns once it listens; the program then lasts as long as it does. */
  serveMcp(argv: readonly string[]): Promise<ExitCode>;
  /** Becomes the program of hooks with these arguments, which ends this one. */
  answerHook(argv: readonly string[]): Promise<ExitCode>;
}

/** 0 done, or decided and may proceed; 1 error; 2 denied or refused; 3 still waiting: docs/outcomes.md has the table. */
export type ExitCode = 0 | 1 | 2 | 3;
