/** A store with an answered question, whose answer becomes a precedent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Verdict } from '../../../src/app/decision/decisions.ts';
import { previewPrecedent, proposedEdits, setPrecedent } from '../../../src/app/decision/precedents.ts';
import type { PrecedentEdits } from '../../../src/app/decision/precedents.ts';
import type { Signing } from '../../../src/app/decision/decisions.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { catalog } from '../../../src/tools/catalog.ts';
import { runTool } from '../../../src/tools/kit/tool.ts';
import { agent, decide, enrolledHuman } from './people.ts';
import { makeSandbox } from './sandbox.ts';

const claude = agent('claude-code-001', { session: 'first' });
const add: Verdict = { kind: 'answer', answer: { choices: ['Add it'] } };
export const asked = (name: string, more: object = {}) => ({
  text: `Add dependency \`${name}\`?`,
  type: 'decision',
  work_id: 'T1',
  holds: ['app/package.json'],
  choices: [{ label: 'Add it' }, { label: 'Leave it' }],
  wait_seconds: 0,
  ...more,
});

/** Q-1 is answered with "Add it". */
export async function setting() {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  const store = await workspace.store();
  await registerWork(store, claude, { id: 'W1', workKind: 'workflow', title: 'Release' });
  await registerWork(store, claude, { id: 'T1', title: 'Clean up', workflow: 'W1' });
  const call = (name: string, input: object = {}, session = claude) => {
    const tool = catalog.find((one) => one.name === `holdpoint_${name}`)!;
    return runTool(tool, { workspace, session, signal: new AbortController().signal, waitMs: 0 }, input);
  };
  const signing = { store, signer: human, newId: randomUUID };
  const set = async (more: Partial<PrecedentEdits> = {}, by: Signing = signing) => {
    const { state } = store.read();
    const edits = { ...proposedEdits(state, state.questions.get('Q-1')!, workspace.now()), ...more };
    const { shown, problem } = previewPrecedent(state, 'Q-1', edits, workspace.now());
    assert.equal(problem, null);
    return setPrecedent(by, { from: 'Q-1', edits, shown: shown! });
  };
  await call('raise_question', asked('react'));
  await decide(workspace, human, 'Q-1', add);
  const isHeld = () => askGate(workspace, { files: ['app/package.json'] }).verdict === 'deny';
  return { sandbox, workspace, human, store, call, signing, set, isHeld };
}
