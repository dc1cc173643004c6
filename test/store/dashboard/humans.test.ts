/** The figures about humans add up: every question is in exactly one of them, and only humans' answers are timed. */
import assert from 'node:assert/strict';
import { dashboard } from '../../../src/app/dashboard/dashboard.ts';
import { raiseQuestion, withdrawQuestion, type RaiseInput } from '../../../src/app/question/questions.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import { dashboardText } from '../../../src/cli/dashboard/dashboard.ts';
import { agent, cancel, decide, release } from '../../support/store/people.ts';
import { hour, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const calendar = { days: 3, offsetMinutes: () => 0 };

describe('the figures about humans', () => {
  afterEach(removeSandboxes);

  it('count each question once', async () => {
    const { sandbox, workspace, human, store } = await withHuman();
    const ask = async (text: string, more: Partial<RaiseInput> = {}) => {
      const input = { text, type: 'clarification', urgency: 'high', mode: 'sync', work: null, ...more } as const;
      return (await raiseQuestion(store, agent(), input)).question.id;
    };
    await decide(workspace, human, await ask('Answered at once?'));
    const late = await ask('Expired, then released?');
    await ask('Expired and still held?');
    await ask('Expired with its assumption?', { mode: 'async', assumption: 'Yes.' });
    sandbox.clock.now += 25 * hour;
    await sweep(store);
    await decide(workspace, human, late, release);
    const cancelled = await ask('Cancelled?');
    await decide(workspace, human, cancelled, cancel);
    const slow = await ask('Answered after two hours?');
    sandbox.clock.now += 2 * hour;
    await decide(workspace, human, slow);
    const withdrawn = await ask('Withdrawn?', { mode: 'async' });
    await withdrawQuestion(store, agent(), withdrawn, 'Found it.');
    await ask('Open?', { mode: 'async' });

    const humans = dashboard(store.read(), 'humans', calendar);
    const { waiting, answered, cancelled: no, released, withdrawn: back, expired } = humans;
    assert.deepEqual(
      { waiting, answered, no, released, back, expired },
      { waiting: 2, answered: 2, no: 1, released: 1, back: 1, expired: 3 },
    );
    const assumed = 1; // The expired async question waits for nobody.
    assert.equal(waiting + answered + no + released + back + assumed, store.read().state.questions.size);
    const { count, mean_ms, median_ms } = humans.time_to_answer;
    assert.deepEqual({ count, mean_ms, median_ms }, { count: 2, mean_ms: hour, median_ms: hour });
    assert.equal(
      Object.values(humans.time_to_answer_by_urgency).reduce((sum, one) => sum + one.count, 0),
      count,
    );
    assert.deepEqual(
      humans.days.map(({ day, raised, decided }) => [day, Object.values(raised).reduce((a, b) => a + b), decided]),
      [
        ['2026-03-01', 0, 0],
        ['2026-03-02', 4, 1],
        ['2026-03-03', 4, 3],
      ],
    );
    assert.match(
      dashboardText('humans', humans),
      /^2 questions waiting, 2 answered, 1 cancelled, 1 released, 1 withdrawn, 3 expired before a decision\.\n/,
    );
  });
});
