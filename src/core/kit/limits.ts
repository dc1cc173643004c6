/** How long what agents and people write may be. */

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
