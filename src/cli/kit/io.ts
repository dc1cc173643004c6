/** A verb's access to the outside world. Tests pass their own. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The folder of the built programs, and of SQLite next to them. */
  readonly programs: string;
  out(text: string): void;
  err(text: string): void;
  /** Asks for something that must not be seen. Null where no person is at a terminal, and after Ctrl-C. */
  readonly askSecret?: (question: string) => Promise<string | null>;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Becomes the MCP server with these arguments. Returns once it listens; the program then runs as long as the server. */
  serveMcp(argv: readonly string[]): Promise<ExitCode>;
  /** Becomes the server of forms for browsers, as `serveMcp`. */
  serveForms(argv: readonly string[]): Promise<ExitCode>;
  /** Becomes the hook program with these arguments; this program ends with it. */
  answerHook(argv: readonly string[]): Promise<ExitCode>;
}

/** 0: done or proceed; 1: error; 2: denied or refused; 3: still waiting. docs/outcomes.md has the table. */
export type ExitCode = 0 | 1 | 2 | 3;
