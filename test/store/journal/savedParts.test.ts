/** Gates answer from the saved state as from the journal, whatever becomes of the file. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { toolGuide } from '../../../src/core/kit/guide.ts';
import { gateText } from '../../../src/tools/kit/gateText.ts';
import { agent } from '../../support/store/people.ts';
import { savedBy } from '../../support/store/savedState.ts';
import { removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const queries = [
  { files: ['src/auth/login.ts'] },
  { files: ['docs/readme.md'] },
  { work: 'T1' },
  { work: 'T1', files: ['docs/readme.md'], session: { agent: agent().actor.id } },
  { session: 'unknown' },
] as const;

/** What an agent reads: verdicts, and the texts of the questions and RFCs that hold. */
function answersOf(workspace: Workspace): string[] {
  return queries.map((query) => gateText(askGate(workspace, query), { guide: toolGuide, asked: 'all' }));
}

function savedFile(sandbox: Sandbox): string {
  const folder = sandbox.at('ws', '.holdpoint');
  const [name = ''] = fs.readdirSync(folder).filter((one) => /^holdpoint-.*\.json$/.test(one));
  return `${folder}/${name}`;
}

describe('from the saved state, a gate', () => {
  afterEach(removeSandboxes);

  const saved = async () => (await savedBy()).sandbox;
  const answersFrom = (sandbox: Sandbox) => answersOf(sandbox.open());

  it('answers also where the file is removed or overwritten while it answers', async () => {
    const sandbox = await saved();
    const expected = answersFrom(sandbox);
    for (const change of [
      (file: string) => {
        fs.writeFileSync(file, 'something else');
      },
      (file: string) => {
        fs.rmSync(file);
      },
    ]) {
      const workspace = sandbox.open();
      assert.equal(workspace.current().problem, null);
      change(savedFile(sandbox));
      assert.deepEqual(answersOf(workspace), expected);
      assert.deepEqual(answersFrom(sandbox), expected);
    }
  });

  it('folds what came after it, for which it reads all of it', async () => {
    const sandbox = await saved();
    const store = await sandbox.open().store();
    const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
    const { question } = await raiseQuestion(store, agent(), {
      ...asked,
      text: 'Delete the backups?',
      holds: ['backups/**'],
    });
    assert.equal(question.id, 'Q-3');
    const workspace = sandbox.open();
    assert.equal(askGate(workspace, { files: ['backups/a'] }).verdict, 'deny');
    assert.ok(workspace.current().state?.questions.has('Q-1'), 'the closed question');
  });
});
