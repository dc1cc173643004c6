/** What went on while the server of a shared journal did not answer becomes part of the journal at the next contact. */
import { pathsShown } from '../../core/records/offline.ts';
import type { RecordInput } from '../../core/records/records.ts';
import { limits } from '../../core/kit/words.ts';
import type { Allowed, Taken } from '../../store/shared/offlineLog.ts';
import type { View } from '../../store/store.ts';
import { freshnessOf } from '../workspace/freshness.ts';
import type { Workspace } from '../workspace/workspace.ts';

const system = { kind: 'system', id: 'gate' } as const;

/** Outages of one file that are recorded apart; later ones are counted with the last. */
const spansAtMost = 1_000;

/**
 * Records what this machine noted, once the server answers again. Whatever happens meanwhile, each outage is recorded
 * once: its file is removed only after that.
 * @throws StoreError
 */
export async function recordOffline(workspace: Workspace): Promise<void> {
  if (freshnessOf(workspace).state !== 'current' || workspace.offlineLog.isEmpty()) return;
  const store = await workspace.store();
  if (store.problem || store.readOnly) return;
  for (const taken of workspace.offlineLog.take(workspace.options.newId)) {
    const spans = spansOf(taken);
    if (spans.length > 0)
      await store.transact(system, (view) => ({
        records: spans.filter(({ span }) => !isRecorded(view, span)),
        result: null,
      }));
    taken.remove();
  }
}

function isRecorded({ rows }: View, span: string): boolean {
  return rows.all(rows.query.selectFrom('offline_spans').select('span').where('span', '=', span)).length > 0;
}

type Span = Extract<RecordInput, { kind: 'gate.decidedOffline' }>;

/** One for each confirmation that was the last. */
function spansOf({ id, lines, more }: Taken): Span[] {
  const bySince = new Map<string, Allowed[]>();
  for (const line of lines) {
    const acts = bySince.get(line.since) ?? (bySince.size < spansAtMost ? [] : [...bySince.values()].at(-1)) ?? [];
    if (acts.length === 0) bySince.set(line.since, acts);
    acts.push(line);
  }
  return [...bySince].map(([since, acts], index, all) => {
    const times = acts.map(({ at }) => at).toSorted();
    return {
      kind: 'gate.decidedOffline',
      v: 1,
      span: `${id}.${String(index)}`,
      since,
      from: times[0] ?? since,
      to: times.at(-1) ?? since,
      count: acts.length,
      by: [...new Set(acts.map(({ by }) => by))].slice(0, limits.listItems),
      paths: [...new Set(acts.flatMap(({ paths }) => paths))].slice(0, pathsShown),
      more: more && index === all.length - 1,
    };
  });
}
