/** A part of `npm run bench`: it measures one thing and tells it as a section of docs/performance.md. */
import type { Seed } from './seed.ts';

export interface Part {
  /** For `--only`. */
  readonly name: string;
  /** For `--list`: what is measured, and against what. */
  readonly what: string;
  /** It is given up after this long. */
  readonly minutes: number;
  /** Markdown, its heading included. */
  run(bench: Bench): Promise<string>;
}

export interface Bench {
  /** A temporary folder. */
  readonly folder: string;
  /** Fewer sizes and rounds: to see that it runs. */
  readonly quick: boolean;
  readonly say: (line: string) => void;
  /** The store with so many open questions, made once for all parts. */
  seed(questions: number): Promise<Seed>;
}

/** Whether a goal is met, for the last column. */
export function met(value: number, goal: number): string {
  return value <= goal ? 'yes' : 'no';
}
