/** How long what agents and people write may be, and the closed lists that programs need without zod. */

/** Lengths in UTF-16 code units, after trimming. Longer text is an error, never truncated. */
export const limits = {
  questionText: 2_000,
  answerText: 5_000,
  otherText: 10_000,
  title: 200,
  id: 100,
  glob: 300,
  path: 1_000,
  /** ISO 8601 with an offset and excessive digits. */
  time: 40,
  listItems: 100,
  /** Of JSON, in UTF-8. */
  payloadBytes: 16_384,
  payloadDepth: 16,
  importDepth: 64,
  choices: 20,
} as const;

/** The supported hosts: programs that run an agent and call Holdpoint's hooks. */
export const hostNames = [
  'vscode',
  'claude-code',
  'copilot-cli',
  'codex',
  'opencode',
  'gemini-cli',
  'cursor',
  'windsurf',
  'kiro',
  'antigravity',
  'qwen-code',
] as const;

// What can be imported, and what imported history consists of.

/** Supported programs and formats. */
export const importSources = ['codeframe', 'engram', 'markdown', 'json'] as const;

export const historyKinds = ['question', 'rfc', 'work', 'request', 'responsibility', 'event', 'decision'] as const;
