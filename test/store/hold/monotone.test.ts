import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { exported } from '../../support/store/exported.ts';
import { preparedImport, runImport } from '../../../src/app/transfer/importing.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { askBackProblem } from '../../../src/core/question/fold.ts';
import { operations } from '../../../src/tools/catalog.ts';
import { runs } from '../../support/runs.ts';
import { heldFacts, lost, widened } from '../../support/store/model.ts';
import { agent, askAgent, enrolledHuman, type Human } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { call, furnish, randomCalls, type Call } from '../../support/store/toolCalls.ts';

const agents = ['copilot-001', 'claude-002'];

describe('no sequence of calls', () => {
  afterEach(removeSandboxes);

  it('of any tools, with sweeps, jumping clocks and humans who ask back, shrinks the held set or decides anything', async () => {
    const names = new Set<string>();
    let held = 0;
    const calls = randomCalls(agents);
    const acts = fc.oneof(
      ...calls,
      { weight: 2, arbitrary: fc.record({ hours: fc.integer({ min: -50, max: 50 }) }) },
      { weight: 5, arbitrary: fc.record({ asksBack: fc.nat({ max: 1 }) }) },
      { weight: 6, arbitrary: fc.record({ takes: fc.nat({ max: 2 }) }) },
    );
    const elsewhere = fc.array(fc.oneof(...calls), { minLength: 24, maxLength: 24 });
    const here = fc.array(acts, { minLength: 140, maxLength: 160, size: 'max' });
    let tookIn = 0;
    await fc.assert(
      fc.asyncProperty(here, elsewhere, async (sequence, others) => {
        const files = await exportsOf(others);
        const workspace = makeSandbox();
        const { clock } = workspace;
        const opened = workspace.open();
        const store = await opened.store();
        const human = enrolledHuman(opened);
        await furnish(opened, agents);
        for (const act of sequence) {
          const before = heldFacts(store.read().state);
          if ('hours' in act) {
            clock.now += act.hours * hour;
            await sweep(store);
          } else if ('asksBack' in act) {
            await askedBack(opened, human, act.asksBack);
          } else if ('takes' in act) {
            if (await imported(opened, files[act.takes]!)) tookIn++;
          } else {
            const { status } = await call(opened, act);
            if (status === 'ok') names.add(act.tool.name);
          }
          const { state } = store.read();
          const after = heldFacts(state);
          assert.deepEqual(lost(before, after), []);
          assert.deepEqual(widened(after), []);
          assert.ok(
            [...state.questions.values()].every(
              ({ resolution }) => resolution === null || resolution.how === 'withdrawn',
            ),
          );
          assert.ok([...state.rfcs.values()].every(({ approval, ended }) => approval === null && ended === null));
          if (after.size > 0) held++;
        }
        opened.close();
      }),
      { numRuns: runs(56) },
    );
    assert.deepEqual(
      operations.filter(({ name }) => !names.has(name)).map(({ name }) => name),
      [],
      'each tool got something done',
    );
    assert.ok(held > runs(200), String(held));
    assert.ok(tookIn > runs(30), `only ${String(tookIn)} imports brought anything`);
  }).timeout(120_000);
});

/** A human asks back about one of the first questions, if that can be done. */
async function askedBack(workspace: Workspace, human: Human, place: number): Promise<void> {
  const open = [...(await workspace.store()).read().state.questions.values()].filter(
    (one) => askBackProblem(one) === null,
  );
  const question = open[place];
  if (question) await askAgent(workspace, human, question.id);
}

/** Three exports of another workspace at different times, as file paths. */
async function exportsOf(calls: readonly Call[]): Promise<string[]> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  await furnish(workspace, agents);
  const files: string[] = [];
  for (const [index, one] of calls.entries()) {
    await call(workspace, one);
    if ((index + 1) % 8 !== 0) continue;
    const file = path.join(sandbox.at('.'), `export-${String(index)}.json`);
    fs.writeFileSync(file, await exported(workspace, 'json'));
    files.push(file);
  }
  workspace.close();
  return files;
}

/** Whether anything was imported; a rule may refuse it all. */
async function imported(workspace: Workspace, file: string): Promise<boolean> {
  const options = { path: file, source: path.basename(file), drafts: true };
  try {
    const plan = await preparedImport(workspace, 'json', options);
    const done = await runImport(workspace, agent(agents[1]).actor, plan);
    return done.outcome === 'imported';
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return false;
  }
}
