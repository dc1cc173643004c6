/** Ids of agents as people read them in a journal that a team shares. */
import assert from 'node:assert/strict';
import { agentNamed, shownAgent } from '../../../src/core/kit/persons.ts';

describe('the id of an agent', () => {
  it('is shown without the person to that person, and whole to all others', () => {
    for (const [id, own, shown] of [
      ['Ada/claude-code-001', 'Ada', 'claude-code-001'],
      ['Ada/claude-code-001', 'Grace', 'Ada/claude-code-001'],
      ['Ada/claude-code-001', null, 'Ada/claude-code-001'],
      ['claude-code-001', 'Ada', 'claude-code-001'],
      ['Adam/claude-code-001', 'Ada', 'Adam/claude-code-001'],
    ] as const)
      assert.equal(shownAgent(id, own), shown);
  });

  it('that is shown names the same agent again', () => {
    for (const id of ['Ada/claude-code-001', 'Grace/claude-code-001'])
      assert.equal(agentNamed(shownAgent(id, 'Ada'), 'Ada'), id);
    assert.equal(agentNamed('claude-code-001', null), 'claude-code-001');
  });
});
