/** Parking marks a question and nothing else: only its agent parks it, and it holds what it held. */
import assert from 'node:assert/strict';
import { shownHash } from '../../../src/app/decision/decisions.ts';
import { openHolders } from '../../../src/core/hold/holds.ts';
import { briefLength } from '../../../src/core/records/question.ts';
import type { Actor } from '../../../src/core/records/records.ts';
import { parkingTime } from '../../../src/core/question/parking.ts';
import { bot, makeLab, noon, question, work, type Lab } from '../../support/store/lab.ts';

const parking = (brief: object = {}) => ({
  ...{ kind: 'question.parked', v: 1, id: 'Q-1' },
  brief: { doing: 'Moving the table.', next: 'Drop the old one.', ...brief },
});
const other: Actor = { kind: 'agent', id: 'claude-code-002' };

function lab(): Lab {
  const made = makeLab();
  made.write([work('T1'), question(1, { work: 'T1', holds: ['src'] })]);
  return made;
}

const stored = (made: Lab) => made.state.questions.get('Q-1')!;
const refusal = (made: Lab, record: unknown, actor: Actor = bot) => made.write([record], actor).refused[0]?.why;

describe('parking', () => {
  it('releases nothing, and keeps what a human is shown and signs', () => {
    const made = lab();
    const before = shownHash(made.state, stored(made));
    const held = openHolders(made.state).length;
    assert.equal(refusal(made, parking(), { ...bot, session: 's-1' }), undefined);
    assert.equal(openHolders(made.state).length, held);
    assert.deepEqual(stored(made).parked, { by: 'copilot-001', session: 's-1', at: noon });
    assert.equal(shownHash(made.state, stored(made)), before);
    const answer = made.signed({ kind: 'question.answered', v: 1, id: 'Q-1', answer: { text: 'Yes.', choices: [] } });
    assert.equal(refusal(made, answer, { kind: 'human', id: made.human.name }), undefined);
    assert.match(refusal(made, parking()) ?? '', /Q-1 is answered/);
  });

  it('keeps the session that the agent names; its id is never an option or more than a word', () => {
    const made = lab();
    for (const session of ['--yolo-mode', 'a b c d e f', '12345678;ls', 'short', 'x'.repeat(101)])
      assert.notEqual(refusal(made, { ...parking(), session }), undefined, session);
    const session = '0d1f6c1e-8a55-4a44-9d6e-111111111111';
    assert.equal(refusal(made, { ...parking(), session }, { ...bot, session: 's-1' }), undefined);
    assert.equal(stored(made).parked?.session, session);
  });

  it('is for the agent of the question only', () => {
    const made = lab();
    assert.match(refusal(made, parking(), other) ?? '', /only copilot-001 can park Q-1/);
    assert.match(refusal(made, parking(), { kind: 'human', id: 'copilot-001' }) ?? '', /only copilot-001/);
    assert.match(refusal(made, { ...parking(), id: 'Q-2' }) ?? '', /there is no question Q-2/);
    assert.equal(stored(made).parked, null);
  });

  it('takes a brief up to its limit', () => {
    const made = lab();
    const fits = { doing: 'd'.repeat(briefLength - 8), next: 'n', files: ['a.ts'], checkFirst: 'ok!' };
    assert.match(refusal(made, parking({ ...fits, checkFirst: 'more' })) ?? '', /4000 characters/);
    assert.equal(refusal(made, parking(fits)), undefined);
  });
});

describe('the time of parking', () => {
  const minutes = (made: Lab, agent: string) =>
    (parkingTime(made.state, stored(made), agent) - Date.parse(noon)) / 60_000;
  const register = (id: string, type: string) => ({
    ...{ kind: 'agent.registered', v: 1, id, type },
    ...{ host: 'mcp', label: id },
  });

  it('comes after four minutes for agents that pay for waiting, and never for others', () => {
    const made = lab();
    made.write([register('claude-code-001', 'claude-code'), register('copilot-002', 'copilot')]);
    assert.equal(minutes(made, 'claude-code-001'), 4);
    assert.equal(minutes(made, 'copilot-002'), Infinity);
    assert.equal(minutes(made, 'unknown-001'), Infinity);
  });

  it('follows the policy by urgency', () => {
    const made = lab();
    made.write([register('codex-001', 'codex')]);
    const { urgency } = stored(made);
    const policyOf = (n: number) => ({ minutes: { critical: 9, high: 9, medium: 9, low: 9, [urgency]: n } });
    made.state.policy = { ...made.state.policy, parking: policyOf(2) };
    assert.equal(minutes(made, 'codex-001'), 2);
    made.state.policy = { ...made.state.policy, parking: policyOf(0) };
    assert.equal(minutes(made, 'codex-001'), Infinity);
  });
});
