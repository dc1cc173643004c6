/** Records outside the store what the store acknowledged to programs: all of it must exist at the end. */

/** Marks a question whose asker waits in the call, so that the human answers it first. */
export const inCall = '(my call waits)';

export interface Asked {
  readonly text: string;
  readonly work: string | null;
  readonly by: string;
}

export interface Book {
  /** Questions acknowledged as stored, by id. */
  readonly asked: Map<string, Asked>;
  /** Answers acknowledged as saved by a form, by question. */
  readonly answered: Map<string, string>;
  /** Work items acknowledged as registered. */
  readonly registered: Set<string>;
  /** Answers returned by the call that waited for them. */
  readonly returned: Map<string, string>;
  readonly counts: Record<string, number>;
  readonly troubles: string[];
  count(what: string): void;
  /** Reports a violation, which fails the run. */
  trouble(what: string): void;
  summary(): string;
}

export function newBook(): Book {
  const counts: Record<string, number> = {};
  const troubles: string[] = [];
  const asked = new Map<string, Asked>();
  const answered = new Map<string, string>();
  return {
    asked,
    answered,
    registered: new Set(),
    returned: new Map(),
    counts,
    troubles,
    count(what) {
      counts[what] = (counts[what] ?? 0) + 1;
    },
    trouble: (what) => void troubles.push(what),
    summary: () =>
      Object.entries(counts)
        .map(([what, count]) => `${what}: ${String(count)}`)
        .join(', '),
  };
}
