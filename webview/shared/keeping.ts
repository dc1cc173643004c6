/**
 * Saves a page's own state over selection changes and reloads: in the editor at once, and a moment later with
 * the host, because a window that crashes loses what only the page has.
 */
import type { Host } from './vscode.ts';

export interface Kept {
  /** Increases with each change: of two saved states, the higher one wins. */
  readonly revision: number;
}

export interface KeepingOptions<Saved extends Kept> {
  readonly host: Host<{ type: 'keep'; saved: string }, Saved>;
  readonly later: (ms: number, run: () => void) => void;
  readonly nothing: Saved;
  /** Parses what an earlier page saved; undefined for anything unexpected. */
  readonly parse: (value: unknown) => Saved | undefined;
}

/** How long typed text may exist only in the page. */
const keepMs = 300;

export function createKeeping<Saved extends Kept>({ host, later, nothing, parse }: KeepingOptions<Saved>) {
  let saved = host.restore() ?? nothing;
  let keeping = false;
  /** Something was typed or expanded in this page. */
  let touched = false;
  return {
    saved: (): Saved => saved,

    keep(change: Partial<Omit<Saved, 'revision'>>): void {
      saved = { ...saved, ...change, revision: saved.revision + 1 };
      host.save(saved);
      touched = true;
      if (keeping) return;
      keeping = true;
      later(keepMs, () => {
        keeping = false;
        host.post({ type: 'keep', saved: JSON.stringify(saved) });
      });
    },

    /** Takes the host's copy of an earlier page's state, unless this page has a later one. */
    takeBack(text: string | undefined): void {
      const kept = touched ? undefined : read(text, parse);
      if (kept && kept.revision > saved.revision) saved = kept;
    },
  };
}

function read<Saved>(text: string | undefined, parse: (value: unknown) => Saved | undefined): Saved | undefined {
  if (text === undefined) return undefined;
  try {
    return parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Enough for any list that a person works through; the oldest are dropped first. */
const keptAtMost = 50;

/** Adds a value as the latest and drops the oldest beyond the limit. */
export function remember<Value>(
  all: Readonly<Record<string, Value>>,
  key: string,
  value: Value | undefined,
): Record<string, Value> {
  const entries = Object.entries(all).filter(([one]) => one !== key);
  if (value !== undefined) entries.push([key, value]);
  return Object.fromEntries(entries.slice(-keptAtMost));
}

export function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
