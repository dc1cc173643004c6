/** One agent asks ten thousand questions: gates, lists and the tree keep working correctly for the others. */
import assert from 'node:assert/strict';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { listQuestions, waitingCount, waitingQuestions } from '../../../src/app/question/views.ts';
import { heldWork } from '../store/heldWork.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { agent, decide } from '../store/people.ts';
import { inMemory, makeSandbox } from '../store/sandbox.ts';
import { agreement } from './agreement.ts';
import { ask, heldItems, register, setStage } from './stage.ts';
import { aside, count, goesOn, newRow, once, scaled, type Budget, type Row } from './row.ts';

const flooder = agent('flooder-001');
const pieces = 100;

export async function flood(bundle: string, budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, 10_000);
  const row = newRow(
    'questions by one agent, one after the other',
    wanted,
    'each exists or was clearly refused; gate, list and tree keep answering; no other agent loses a hold; the question of another agent is answered',
  );
  const sandbox = makeSandbox(inMemory);
  const workspace = sandbox.open();
  const human = await setStage(workspace);
  const store = await workspace.store();
  for (let number = 0; number < pieces; number++) await register(store, `piece-${String(number)}`);
  let saved = 0;
  const held = new Set<string>();
  const others = waitingQuestions(store.read()).length;
  for (let number = 0; number < wanted && goesOn(budget); number++) {
    const work = `piece-${String(number % (pieces - 1))}`;
    await once(row, `question ${String(number)}`, async () => {
      const text = `Flood ${String(number)}?`;
      const mode = number % 4 === 0 ? 'async' : 'sync';
      try {
        await raiseQuestion(store, flooder, { text, work, type: 'decision', urgency: 'high', mode });
        saved++;
        if (mode === 'sync') held.add(work);
      } catch (error) {
        assert.ok(error instanceof AppError, String(error));
        count(row, `refused: ${error.code}`);
      }
    });
    // Checked only eight times, because the tree grows.
    if (number % Math.ceil(wanted / 8) === 0 || number === wanted - 1)
      await aside(row, `after ${String(number)}`, look);
  }
  count(row, 'questions saved', saved);
  await aside(row, 'another agent', async () => {
    const id = await ask(store, 'And mine?', `piece-${String(pieces - 1)}`, { urgency: 'critical' });
    assert.equal(waitingQuestions(store.read())[0]?.id, id, 'the most pressing one comes first');
    assert.equal((await decide(workspace, human, id)).outcome, 'decided');
    assert.equal(askGate(sandbox.open(), { work: `piece-${String(pieces - 1)}` }).state, 'CLEAR');
    look();
    await agreement(bundle, sandbox);
  });
  sandbox.remove();
  return [row];

  function look(): void {
    const view = store.read();
    const fresh = sandbox.open();
    const began = performance.now();
    for (const program of [workspace, fresh]) {
      for (const work of [...heldItems, ...held]) assert.equal(askGate(program, { work }).state, 'BLOCKED', work);
      assert.equal(askGate(program, { work: 'free' }).state, 'CLEAR');
      assert.equal(askGate(program, { work: 'free', session: { agent: 'codex-001' } }).state, 'CLEAR');
    }
    fresh.close();
    count(row, 'gates asked', 2 * (held.size + heldItems.length + 2));
    assert.equal(heldWork(view.state).size, held.size + heldItems.length);
    const listed = listQuestions(view, { agent: flooder.actor.id });
    assert.equal(listed.total, saved);
    assert.equal(listQuestions(view, { work: 'held' }).total, 1);
    const tree = waitingQuestions(view);
    assert.equal(tree.length, saved + others);
    assert.equal(waitingCount(view.state), saved + others);
    row.counts['ms for the last check (gates of two programs, lists, tree)'] = Math.round(performance.now() - began);
  }
}
