/** Puts texts into every text field of a snapshot, as long as such fields may be. */

/** Our own keys, words and numbers: none comes from an agent. */
const ours = new Set([
  'squares',
  'type',
  'key',
  'shown',
  'render',
  'claim',
  'question',
  'tab',
  'view',
  'day',
  'decided_at',
]);
/** Fields with one of our words, where they have a word. */
const words = new Set([
  ...['urgency', 'kind', 'mode', 'freeText', 'from', 'effect', 'confirm', 'onExpiry', 'overdue', 'tickedUpTo', 'panel'],
  ...[
    'critical',
    'high',
    'medium',
    'low',
    'status',
    'actions',
    'step',
    'action',
    'change',
    'confidence',
    'stage',
    'state',
  ],
  ...['verdict', 'how', 'way', 'priority', 'scope', 'mark', 'export', 'host', 'what', 'why', 'resuming', 'after'],
]);
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const word = /^[a-z][A-Za-z_-]*$/;

/** Of a title or a name, and of a longer text. */
const [short, long] = [200, 5_000];

export interface Field {
  readonly name: string;
  /** Its index among all filled fields, from 0. */
  readonly index: number;
  readonly atMost: number;
}

function isOurs(value: string, name: string): boolean {
  return ours.has(name) || time.test(value) || value === 'administrator' || (words.has(name) && word.test(value));
}

export function poisoner<T>(sample: T): { fill(text: (field: Field) => string): T; fields: number } {
  let fields = 0;

  function place(value: unknown, name: string, text: (field: Field) => string): unknown {
    if (typeof value === 'string') {
      if (/^\[(\{.*\})?\]$/s.test(value)) return JSON.stringify(place(JSON.parse(value), name, text)); // rows
      const atMost = value.length > 60 ? long : short;
      return isOurs(value, name) ? value : text({ name, index: fields++, atMost });
    }
    if (Array.isArray(value)) return value.map((item) => place(item, name, text));
    if (typeof value !== 'object' || value === null) return value;
    // A rule of the policy and a preset: the host's own texts, in which names of people are visible text already.
    if ('label' in value && (('type' in value && 'name' in value) || 'values' in value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, place(item, key, text)]));
  }

  function fill(text: (field: Field) => string): T {
    fields = 0;
    return place(sample, '', text) as T;
  }

  fill(() => 'x');
  return { fill, fields };
}
