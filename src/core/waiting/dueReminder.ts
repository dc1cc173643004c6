/** Which reminder of one item is due by a rule: the first, or one of those that repeat it. */

/** When a waiting item notifies, in minutes. */
export interface ReminderRule {
  /** After it began to wait for a human; null: never. */
  readonly first: number | null;
  /** After the first, again and again; 0: once. */
  readonly every: number;
}

interface Asked {
  /** Of the first reminder. */
  readonly name: string;
  /** ISO 8601. */
  readonly since: string;
  readonly now: string;
}

export interface DueReminder {
  readonly name: string;
  readonly isFirst: boolean;
  readonly replaces: readonly string[];
  /** When it became due (ISO 8601). */
  readonly at: string;
}

/** Null when none is due yet. */
export function dueReminder(rule: ReminderRule, { name, since, now }: Asked): DueReminder | null {
  const turn = reminderTurn(rule, since, now);
  if (turn === null) return null;
  const minutes = (rule.first ?? 0) + turn * rule.every;
  const at = new Date(Date.parse(since) + minutes * 60_000).toISOString();
  if (turn === 0) return { name, isFirst: true, replaces: [], at };
  return { name: `${name}-${String(turn)}`, isFirst: false, replaces: [name], at };
}

/** 0 for the first reminder, then how often it was repeated; null before the first. */
export function reminderTurn({ first, every }: ReminderRule, since: string, now: string): number | null {
  if (first === null) return null;
  const minutes = (Date.parse(now) - Date.parse(since)) / 60_000 - first;
  if (minutes < 0) return null;
  return every === 0 ? 0 : Math.floor(minutes / every);
}
