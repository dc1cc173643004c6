/**
 * The mutated files, and the tests that must detect the changes: fast ones first, because the first failure ends a run.
 */
export interface Slice {
  readonly file: string;
  /** Relative to test/, without extension. */
  readonly tests: readonly string[];
  /**
   * Excludes tests with this in their titles: they take seconds each. Changes that only they would detect count as
   * undetected.
   */
  readonly leftOut?: readonly string[];
}

/** These run hundreds of random histories each. */
const long = [
  'holds are the same by the model',
  'holds are tried with records of every kind',
  'holds never shrink',
  'holds can be taken back',
  'is approved as the text that was read',
];
const holding = {
  tests: [
    'unit/hold/holdsParts',
    'unit/fold/widening',
    'unit/hold/holds',
    'unit/hold/gate',
    'unit/question/decisions',
    'unit/rfc/rfc',
  ],
  leftOut: long,
};

export const slices: readonly Slice[] = [
  { file: 'src/trust/canonical.ts', tests: ['unit/keys/trust'] },
  { file: 'src/trust/envelope.ts', tests: ['unit/keys/trust', 'unit/question/decisions'] },
  { file: 'src/trust/keyring.ts', tests: ['unit/keys/trust'] },
  { file: 'src/trust/publicKeys.ts', tests: ['unit/keys/publicKeys'] },
  { file: 'src/core/hold/holds.ts', ...holding },
  { file: 'src/core/hold/gate.ts', ...holding },
  { file: 'src/core/records/decision.ts', tests: ['unit/records/policyDecision', 'unit/question/decisions'] },
  {
    file: 'src/core/fold/decision.ts',
    tests: [
      ...[
        'unit/records/policyDecision',
        'unit/question/decisions',
        'unit/fold/widening',
        'unit/question/answerOnce',
        'unit/memory/events',
        'unit/request/requests',
      ],
      'unit/rfc/rfc',
    ],
    leftOut: long,
  },
  {
    file: 'src/core/question/fold.ts',
    tests: [
      'unit/fold/fold',
      'unit/question/decisions',
      'unit/fold/widening',
      'unit/question/answerOnce',
      'unit/hold/holds',
    ],
    leftOut: long,
  },
  { file: 'src/core/rfc/foldDecision.ts', tests: ['unit/rfc/decision', 'unit/rfc/rfc'], leftOut: long },
  { file: 'src/core/fold/widening.ts', tests: ['unit/fold/widening'] },
  {
    file: 'src/core/question/question.ts',
    tests: [
      'unit/question/dueQuestions',
      'unit/question/answerOnce',
      'unit/question/decisions',
      'unit/records/policyDecision',
    ],
  },
  { file: 'src/core/hold/crowd.ts', tests: ['unit/question/dueQuestions'] },
];
