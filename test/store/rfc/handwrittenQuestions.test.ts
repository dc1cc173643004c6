/** Open questions of an RFC that need a human, in records that an agent wrote by hand. */
import assert from 'node:assert/strict';
import { approvalGaps } from '../../../src/core/rfc/rfc.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { agent, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const text = 'May we store personal data?';
const raised = {
  ...{ kind: 'question.raised', v: 1, id: 'Q-1', text, type: 'clarification', urgency: 'low', work: null },
  ...{ choices: [], multiple: false, freeText: true, alternatives: [], files: [], holds: [] },
  ...{ expiresAt: '2026-03-02T11:00:00.000Z', rfc: { id: 'RFC-1', question: 1 } },
};

describe('a question of an RFC that needs a human', () => {
  afterEach(removeSandboxes);

  async function written(...records: object[]) {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    enrolledHuman(workspace);
    await registerWork(await workspace.store(), agent(), { id: 'T1', workKind: 'task', title: 'Outbox' });
    workspace.close();
    const questions = [{ text, answered: false, humanRequired: true }];
    writeByHand(sandbox.journal, [
      {
        ...{
          kind: 'rfc.proposed',
          v: 1,
          id: 'RFC-1',
          workflows: [],
          tasks: ['T1'],
          holds: ['src/outbox'],
          contexts: [],
        },
        document: { title: 'Outbox', sections: [], alternatives: [], questions },
      },
      { kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision: 1 },
      ...records,
    ]);
    const { state } = (await sandbox.open().store()).read();
    const rfc = state.rfcs.get('RFC-1');
    assert.ok(rfc);
    return { refused: state.refusals.map(({ why }) => why), gaps: approvalGaps(state, rfc) };
  }

  for (const [mode, why] of [
    ['async', 'Q-1 is a question of RFC-1 for a human'],
    ['sync', 'Q-1 is sync: only a human ends it'],
  ] as const)
    it(`is not settled by its agent, who withdraws it (${mode})`, async () => {
      const withdrawn = { kind: 'question.withdrawn', v: 1, id: 'Q-1', reason: 'Never mind.' };
      const { refused, gaps } = await written({ ...raised, mode }, withdrawn);
      assert.deepEqual(refused, [why]);
      assert.deepEqual(
        gaps.questions.map(({ number }) => number),
        [1],
      );
    });
});
