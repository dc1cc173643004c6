/** The work that continues after decisions, and the work that has other holds. Pure. */
import { blocksOf } from '../../core/hold/holds.ts';
import { isFinished, isStop } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import type { TriageEndView } from '../../protocol/question/triage.ts';

/** A recorded decision, and the work that its question held until then. */
export interface Settled {
  readonly key: string;
  readonly id: string;
  readonly agent: string;
  readonly work: readonly string[];
  /** The agent did nothing else meanwhile. */
  readonly wholeSession: boolean;
}

type Resumed = Pick<TriageEndView, 'runs' | 'stays'>;

export function resumed(state: State, settled: readonly Settled[]): Resumed {
  const runs = new Map<string, Map<string, string>>();
  const stays = new Map<string, Resumed['stays'][number]>();
  for (const { id, agent, work, wholeSession } of settled) {
    const question = state.questions.get(id);
    const continuing = runs.get(agent) ?? new Map<string, string>();
    for (const one of work) {
      const item = state.work.get(one);
      if (!item || isFinished(item)) continue;
      const by = blocksOf(state, one).map(({ holder }) => holder.id);
      if (by.length > 0) stays.set(one, { id: one, title: item.title, by });
      else continuing.set(one, item.title);
    }
    const freed = wholeSession && question !== undefined && !isStop(question);
    if (continuing.size > 0 || freed) runs.set(agent, continuing);
  }
  return {
    runs: [...runs].map(([agent, work]) => ({ agent, work: [...work].map(([id, title]) => ({ id, title })) })),
    stays: [...stays.values()],
  };
}
