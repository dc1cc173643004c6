import assert from 'node:assert/strict';
import { endedOf, questionsEnded } from '../../../src/core/dashboard/agents.ts';
import { bot, makeLab, question } from '../../support/store/lab.ts';

describe('how the questions of an agent ended', () => {
  it('counts each by agent, and those that were asked back apart from those answered in one go', () => {
    const lab = makeLab();
    lab.write([1, 2, 3, 4, 5, 6].map((number) => question(number)));
    lab.write([question(7)], { kind: 'agent', id: 'claude-002' });
    const at = '2026-03-02T13:00:00.000Z';
    const askedBack = [{ number: 1, by: 'Ada', text: 'Which one?', at, reply: null }];
    const ended: Readonly<Record<string, object>> = {
      'Q-1': { resolution: { how: 'answered', at } },
      'Q-2': { resolution: { how: 'answered', at }, askBacks: askedBack },
      'Q-3': { resolution: { how: 'cancelled', at } },
      'Q-4': { resolution: { how: 'released', at } },
      'Q-5': { resolution: { how: 'withdrawn', at } },
      'Q-6': { askBacks: askedBack },
    };
    const all = [...lab.state.questions.values()].map((one) => ({ ...one, ...ended[one.id] }));
    const found = questionsEnded(all);
    assert.deepEqual(endedOf(found, bot.id), { answered_in_one_go: 1, asked_back: 2, cancelled: 1, not_needed: 2 });
    const none = { answered_in_one_go: 0, asked_back: 0, cancelled: 0, not_needed: 0 };
    assert.deepEqual(endedOf(found, 'claude-002'), none);
    assert.deepEqual(endedOf(found, 'unknown-001'), none);
  });
});
