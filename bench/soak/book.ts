/** What programs were told, written down outside of the store: what was acknowledged must be there at the end. */

/** Part of a question's text: its asker waits for it in the call, so a human had better take it first. */
export const inCall = '(my call waits)';

export interface Asked {
  readonly text: string;
  readonly work: string | null;
  readonly by: string;
}

export interface Book {
  /** Questions that a program was told are stored, by id. */
  readonly asked: Map<string, Asked>;
  /** Answers that a form said were saved, by question. */
  readonly answered: Map<string, string>;
  /** Work items that a program was told are registered. */
  readonly registered: Set<string>;
  /** Answers that came back in the very call that waited. */
  readonly returned: Map<string, string>;
  readonly counts: Record<string, number>;
  readonly troubles: string[];
  count(what: string): void;
  /** What must never be: it fails the run. */
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
