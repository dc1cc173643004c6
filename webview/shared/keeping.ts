/**
 * What a page keeps of its own, over selection changes and reloads: with the editor at once, and a moment later with
 * the host, since a window that dies takes along what only the page has.
 */
import type { Host } from './vscode.ts';

export interface Kept {
  /** Grows with each change: of two that were kept, the later one counts. */
  readonly revision: number;
}

export interface KeepingOptions<Saved extends Kept> {
  readonly host: Host<{ type: 'keep'; saved: string }, Saved>;
  readonly later: (ms: number, run: () => void) => void;
  readonly nothing: Saved;
  /** What an earlier page left; undefined for anything unexpected. */
  readonly parse: (value: unknown) => Saved | undefined;
}

/** How long what is typed may be with the page alone. */
const keepMs = 300;

export function createKeeping<Saved extends Kept>({ host, later, nothing, parse }: KeepingOptions<Saved>) {
  let saved = host.restore() ?? nothing;
  let keeping = false;
  /** Something was typed or unfolded in this page. */
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

    /** What the host has kept of an earlier page, unless this one has something later. */
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

/** Enough for any list a person works through; the oldest go first. */
const keptAtMost = 50;

/** Puts one value in, as the latest, and drops the oldest beyond what is kept. */
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
