/** A part of `npm run bench`: measures one thing and returns it as a section of bench/results/performance.md. */
import type { Seed } from './seed.ts';

export interface Part {
  /** For `--only`. */
  readonly name: string;
  /** For `--list`: what it measures and the reference. */
  readonly what: string;
  /** Time limit. */
  readonly minutes: number;
  /** Markdown, including its heading. */
  run(bench: Bench): Promise<string>;
}

export interface Bench {
  /** A temporary folder. */
  readonly folder: string;
  /** Fewer sizes and rounds, as a smoke test. */
  readonly quick: boolean;
  readonly say: (line: string) => void;
  /** The store with this many open questions, created once for all parts. */
  seed(questions: number): Promise<Seed>;
}

/** Whether a goal is met, for the last column. */
export function met(value: number, goal: number): string {
  return value <= goal ? 'yes' : 'no';
}
