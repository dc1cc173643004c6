/** Puts texts into every text field of a snapshot, as long as its schema allows. */
import type * as z from 'zod';

/** IDs and times: none comes from an agent. */
const ours = new Set([
  ...['type', 'key', 'shown', 'render', 'claim', 'question', 'tab', 'view'],
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

/** The texts that fit into one field: any text, a limited number of characters, or a fixed list. */
type Room = number | 'kept';

export interface Field {
  readonly name: string;
  /** Its index among all filled fields, from 0. */
  readonly index: number;
  readonly atMost: number;
}

/**
 * Learns from the schema which fields accept free text and how long it may be, so no list of fields is needed: a field
 * that refuses the text keeps its value.
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
    if (typeof value !== 'object' || value === null) return value;
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
