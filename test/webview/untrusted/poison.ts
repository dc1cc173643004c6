/** Puts texts into every field of a snapshot that takes one, as long as its schema lets them be. */
import type * as z from 'zod';

/** Ids by which the page and its host mean an item, times, and the page's own words: none is an agent's text. */
const ours = new Set([
  ...['type', 'key', 'shown', 'render', 'strings', 'locale', 'claim', 'question', 'tab', 'view'],
  ...[
    'at',
    'now',
    'since',
    'raisedAt',
    'createdAt',
    'proposedAt',
    'dueAt',
    'expiresAt',
    'decided_at',
    'copyFrom',
    'day',
  ],
]);

/** What can stand in one field: anything, at most so many characters, or only what stands there. */
type Room = number | 'kept';

export interface Field {
  readonly name: string;
  /** Its number among all that are filled, from 0. */
  readonly index: number;
  readonly atMost: number;
}

/**
 * Learns from the schema which fields take a text of their own and how long it may be, so that no list of fields has to
 * be kept: what it refuses stays as it was.
 */
export function poisoner<T>(
  schema: z.ZodType<T>,
  sample: T,
): { fill(text: (field: Field) => string): T; fields: number } {
  const rooms = new Map<string, Room>();
  let fields = 0;

  function place(value: unknown, path: string, name: string, text: (field: Field) => string): unknown {
    const room = rooms.get(path) ?? Infinity;
    if (room === 'kept') return value;
    if (typeof value === 'string') return ours.has(name) ? value : text({ name, index: fields++, atMost: room });
    if (Array.isArray(value)) return value.map((item, index) => place(item, `${path}/${String(index)}`, name, text));
    if (typeof value !== 'object' || value === null || name === 'strings') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, place(item, `${path}/${key}`, key, text)]),
    );
  }

  function fill(text: (field: Field) => string): T {
    for (let attempt = 0; attempt < 20; attempt++) {
      fields = 0;
      const parsed = schema.safeParse(place(sample, '', '', text));
      if (parsed.success) return parsed.data;
      for (const issue of parsed.error.issues) {
        const path = ['', ...issue.path.map(String)].join('/');
        rooms.set(path, issue.code === 'too_big' && !rooms.has(path) ? Number(issue.maximum) : 'kept');
      }
    }
    throw new Error('the schema takes no text at all');
  }

  fill(({ atMost }) => 'x'.repeat(Math.min(atMost, 3_000)));
  return { fill, fields };
}
