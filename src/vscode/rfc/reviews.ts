/** What this editor remembers about reviews: drafts, and revisions the human has seen. */
import type * as vscode from 'vscode';
import type { RfcView } from '../../app/rfc/views.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';

export interface Reviews {
  /** The page's saved state. */
  kept(key: string): string | undefined;
  keep(key: string, saved: string): Promise<void>;
  saw(folder: OpenFolder, id: string, revision: number): void;
  /** The revision of the reader's last review before `shown`; `shown` itself once they have acted on it. */
  lastReview(folder: OpenFolder, rfc: RfcView, shown: number, me: string | null): number | undefined;
}

const keptName = 'holdpoint.keptReviews';
const seenName = 'holdpoint.seenRevisions';
/** Maximum number of reviews; the oldest are dropped. */
const atMost = 50;

export function openReviews(memory: vscode.Memento): Reviews {
  const entry = ({ workspace }: OpenFolder, id: string) => `${workspace.location.root} ${id}`;
  const seenOf = (folder: OpenFolder, id: string) =>
    memory.get<Record<string, readonly number[]>>(seenName, {})[entry(folder, id)] ?? [];

  return {
    kept: (key) => memory.get<Record<string, string>>(keptName, {})[key],

    async keep(key, saved) {
      await memory.update(keptName, latest(memory.get<Record<string, string>>(keptName, {}), key, saved));
    },

    saw(folder, id, revision) {
      const seen = seenOf(folder, id);
      if (seen.includes(revision)) return;
      const all = memory.get<Record<string, readonly number[]>>(seenName, {});
      void memory.update(seenName, latest<readonly number[]>(all, entry(folder, id), [...seen, revision]));
    },

    lastReview(folder, rfc, shown, me) {
      const acted = me === null ? [] : actsOf(rfc, me);
      if (acted.includes(shown)) return shown;
      const before = [...acted, ...seenOf(folder, rfc.id)].filter((revision) => revision < shown);
      return before.length === 0 ? undefined : Math.max(...before);
    },
  };
}

/** Revisions on which this human has signed something. */
function actsOf({ threads, decisions }: RfcView, me: string): number[] {
  return [
    ...threads.flatMap(({ signed, by, revision }) => (signed && by === me ? [revision] : [])),
    ...decisions.flatMap(({ by, revision }) => (by === me && revision !== null ? [revision] : [])),
  ];
}

function latest<Value>(all: Readonly<Record<string, Value>>, key: string, value: Value): Record<string, Value> {
  const others = Object.entries(all).filter(([one]) => one !== key);
  return Object.fromEntries([...others, [key, value] as const].slice(-atMost));
}
