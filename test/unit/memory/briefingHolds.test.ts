/** The holds that a briefing lists, found by folders, are those that looking at each of them finds. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { isRfc, openHolders } from '../../../src/core/hold/holds.ts';
import { urgency, urgencyRank } from '../../../src/core/kit/words.ts';
import { focusTest, gatherHolds, waitingHolds, type Place } from '../../../src/core/memory/briefing.ts';
import type { State } from '../../../src/core/state/state.ts';
import { globs, paths, worktrees } from '../../support/globs.ts';
import { runs } from '../../support/runs.ts';
import { agent, enrolledHuman, holdFiles } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const path = fc.option(paths(3), { freq: 11 });

const asked = fc.record({
  holds: fc.array(globs(3), { maxLength: 3 }),
  urgency: fc.constantFrom(...urgency.options),
  worktree: worktrees,
  onWork: fc.boolean(),
});

/** As the list says: those on the focus, then by urgency, then the oldest. */
function looked(state: State, place: Place, limit: number): string[] {
  const onFocus = focusTest(state, place);
  const rank = (holder: ReturnType<typeof openHolders>[number]) => urgencyRank(isRfc(holder) ? 'high' : holder.urgency);
  return openHolders(state)
    .toSorted((one, other) => Number(onFocus(other)) - Number(onFocus(one)) || rank(one) - rank(other))
    .slice(0, limit)
    .map((holder) => `${holder.id} ${String(onFocus(holder))}`);
}

describe('the holds in a briefing', () => {
  afterEach(removeSandboxes);

  it('are the same as by looking at each, whatever they hold and wherever the focus is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(asked, { maxLength: 12 }),
        fc.array(fc.tuple(path, worktrees, fc.boolean(), fc.constantFrom(1, 3, 50)), { minLength: 20, maxLength: 40 }),
        fc.boolean(),
        async (questions, places, isWidened) => {
          const workspace = makeSandbox().open();
          const store = await workspace.store();
          await registerWork(store, agent(), {
            id: 'T1',
            workKind: 'task',
            title: 'Task',
            holds: ['src/a', 'A*/x.ts'],
          });
          for (const [at, { onWork, worktree, ...one }] of questions.entries())
            await raiseQuestion(store, agent('copilot-001', { worktree }), {
              ...{
                text: `Question ${String(at)}?`,
                type: 'approval',
                mode: 'sync',
                work: onWork ? 'T1' : null,
                ...one,
              },
            });
          await proposeRfc(store, agent(), {
            ...{
              title: 'Limits',
              summary: 'Fewer.',
              workflows: [],
              tasks: [],
              holds: ['src/**'],
              contexts: [],
              submit: true,
            },
          });
          if (isWidened && questions.length > 0) await holdFiles(workspace, enrolledHuman(workspace), 'Q-1', 'all');
          const { state } = store.read();
          for (const [focus, worktree, ignoreCase, limit] of places) {
            const place = { focus, worktree, ignoreCase };
            for (const gathered of [null, gatherHolds(state, worktree)]) {
              const { items, more } = waitingHolds(state, place, limit, gathered);
              const listed = items.map((item) => `${item.id} ${String(item.concerns_focus)}`);
              assert.deepEqual(listed, looked(state, place, limit), JSON.stringify(place));
              assert.equal(more, openHolders(state).length - items.length);
            }
          }
          removeSandboxes();
        },
      ),
      { numRuns: runs(80) },
    );
  });
});
