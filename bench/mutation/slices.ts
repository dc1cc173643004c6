/** What is changed, and by which tests it must be noticed: quick ones first, for the first that fails ends it. */
export interface Slice {
  readonly file: string;
  /** Below test/, without the ending. */
  readonly tests: readonly string[];
  /** Titles have this in them: tests that take seconds each. What they alone would notice counts as unnoticed. */
  readonly leftOut?: readonly string[];
}

/** Hundreds of random histories each. */
const long = [
  'holds are the same by the model',
  'holds are tried with records of every kind',
  'holds never shrink',
  'holds can be taken back',
  'is approved as the text that was read',
];
const holding = {
  tests: ['unit/holdsParts', 'unit/widening', 'unit/holds', 'unit/gate', 'unit/decisions', 'unit/rfc'],
  leftOut: long,
};

export const slices: readonly Slice[] = [
  { file: 'src/trust/canonical.ts', tests: ['unit/trust'] },
  { file: 'src/trust/envelope.ts', tests: ['unit/trust', 'unit/decisions'] },
  { file: 'src/trust/keyring.ts', tests: ['unit/trust'] },
  { file: 'src/trust/publicKeys.ts', tests: ['unit/publicKeys'] },
  { file: 'src/core/holds.ts', ...holding },
  { file: 'src/core/gate.ts', ...holding },
  { file: 'src/core/decision.ts', tests: ['unit/policyDecision', 'unit/decisions'] },
  {
    file: 'src/core/foldDecision.ts',
    tests: [
      ...['unit/policyDecision', 'unit/decisions', 'unit/widening', 'unit/answerOnce', 'unit/events', 'unit/requests'],
      'unit/rfc',
    ],
    leftOut: long,
  },
  {
    file: 'src/core/foldQuestion.ts',
    tests: ['unit/fold', 'unit/decisions', 'unit/widening', 'unit/answerOnce', 'unit/holds'],
    leftOut: long,
  },
  { file: 'src/core/foldRfcDecision.ts', tests: ['unit/rfcDecision', 'unit/rfc'], leftOut: long },
  { file: 'src/core/foldWidening.ts', tests: ['unit/widening'] },
  {
    file: 'src/core/question.ts',
    tests: ['unit/dueQuestions', 'unit/answerOnce', 'unit/decisions', 'unit/policyDecision'],
  },
  { file: 'src/core/crowd.ts', tests: ['unit/dueQuestions'] },
];
