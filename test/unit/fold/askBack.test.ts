/** What humans ask back and agents reply: only a human's signature asks, only the asked agent replies, nothing is released. */
import assert from 'node:assert/strict';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { openHolders } from '../../../src/core/hold/holds.ts';
import { askBacksAtMost } from '../../../src/core/records/question.ts';
import type { Actor } from '../../../src/core/records/records.ts';
import { openAskBack } from '../../../src/core/state/state.ts';
import { bot, makeLab, question, work, type Lab } from '../../support/store/lab.ts';
import { makeHuman } from '../../support/store/people.ts';

const asking: Unsigned = { kind: 'question.askedBack', v: 1, id: 'Q-1', text: 'Is there a backup?' };
const replying = { kind: 'question.replied', v: 1, id: 'Q-1', number: 1, text: 'Yes.' };
const answering: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { text: 'Go on.', choices: [] } };
const other: Actor = { kind: 'agent', id: 'claude-002' };

function lab(more: object = {}): Lab {
  const made = makeLab();
  made.write([work('T1'), question(1, { work: 'T1', holds: ['src'], ...more }), question(2)]);
  return made;
}

const ada = (made: Lab): Actor => ({ kind: 'human', id: made.human.name });
const write = (made: Lab, record: unknown, actor: Actor = bot) => {
  const holding = openHolders(made.state).length;
  const { refused } = made.write([record], actor);
  return {
    why: refused[0]?.why ?? null,
    reason: refused[0]?.reason ?? null,
    released: holding - openHolders(made.state).length,
  };
};
const ask = (made: Lab) => write(made, made.signed(asking), ada(made)).why;
const thread = (made: Lab) => made.state.questions.get('Q-1')?.askBacks ?? [];

describe('asking back', () => {
  it('keeps the question open and all that it holds, also with the reply', () => {
    const made = lab();
    assert.equal(ask(made), null);
    const one = made.state.questions.get('Q-1')!;
    assert.deepEqual([one.status, openHolders(made.state).length], ['pending', 2]);
    assert.equal(openAskBack(one)?.text, 'Is there a backup?');
    assert.deepEqual(write(made, replying), { why: null, reason: null, released: 0 });
    assert.deepEqual(
      thread(made).map(({ text, by, reply }) => [text, by, reply?.text, reply?.by]),
      [['Is there a backup?', 'Ada', 'Yes.', 'copilot-001']],
    );
    assert.equal(openAskBack(made.state.questions.get('Q-1')!), null);
  });

  it('can be answered at any time, and the answer is to what was shown', () => {
    const made = lab();
    const early = made.signed(answering);
    ask(made);
    assert.match(write(made, early, ada(made)).why ?? '', /another state of the journal|changed since/);
    const meanwhile = made.signed(answering, { shown: '0'.repeat(64) });
    assert.equal(write(made, meanwhile, ada(made)).why, 'Q-1 has changed since it was shown');
    assert.deepEqual(write(made, made.signed(answering), ada(made)), { why: null, reason: null, released: 1 });
    assert.equal(write(made, replying).why, 'Q-1 is answered');
    assert.equal(ask(made), 'Q-1 is answered');
  });

  it('takes turns, up to a limit', () => {
    const made = lab();
    for (let number = 1; number <= askBacksAtMost; number++) {
      assert.equal(ask(made), null);
      assert.match(ask(made) ?? '', /has not replied/);
      assert.equal(write(made, { ...replying, number }).why, null);
      assert.equal(
        write(made, { ...replying, number }).why,
        'no human is waiting for a reply to Q-1',
        'one reply each',
      );
    }
    assert.match(ask(made) ?? '', /answer it/);
    assert.equal(thread(made).length, askBacksAtMost);
  });

  describe('is nothing that an agent can do', () => {
    const forgeries: Readonly<Record<string, (made: Lab) => unknown>> = {
      'without a signature': () => asking,
      'with a key of its own': (made) => made.signed(asking, { signer: makeHuman('Ada') }),
      'with another text': (made) => ({ ...(made.signed(asking) as object), text: 'Do it without asking.' }),
      'about another question': (made) => ({ ...(made.signed(asking) as object), id: 'Q-2' }),
      'for another workspace': (made) => made.signed(asking, { workspace: '00000000-0000-4000-8000-000000000009' }),
      'about what was shown before': (made) => made.signed(asking, { shown: '0'.repeat(64) }),
      'with the signature of an answer': (made) => ({
        ...asking,
        envelope: (made.signed(answering) as { envelope: unknown }).envelope,
      }),
    };
    for (const [name, forge] of Object.entries(forgeries))
      it(name, () => {
        const made = lab();
        const { why, reason } = write(made, forge(made), ada(made));
        assert.notEqual(why, null);
        assert.equal(reason, 'forgery', why ?? '');
        assert.deepEqual(thread(made), []);
      });

    it('a second time with the same signature', () => {
      const made = lab();
      const signed = made.signed(asking);
      write(made, signed, ada(made));
      write(made, replying);
      assert.equal(write(made, signed, ada(made)).reason, 'forgery');
      assert.equal(thread(made).length, 1);
    });

    it('and its envelope answers nothing', () => {
      const made = lab();
      const { envelope } = made.signed(asking) as { envelope: unknown };
      assert.equal(write(made, { ...answering, envelope }, ada(made)).reason, 'forgery');
      assert.equal(openHolders(made.state).length, 2);
    });
  });

  describe('a reply', () => {
    const refusals: Readonly<Record<string, { record?: object; actor?: Actor; asked?: boolean; why: RegExp }>> = {
      'to nothing': { asked: false, why: /no human is waiting for a reply/ },
      'of another agent': { actor: other, why: /only copilot-001 can reply/ },
      'in the name of a human': { actor: { kind: 'human', id: 'copilot-001' }, why: /only copilot-001 can reply/ },
      'of a timer': { actor: { kind: 'system', id: 'copilot-001' }, why: /only copilot-001 can reply/ },
      'with the number of another': { record: { number: 2 }, why: /the open one is number 1/ },
      'to a question that was not asked back': { record: { id: 'Q-2' }, why: /no human is waiting/ },
      'to no question': { record: { id: 'Q-9' }, why: /there is no question/ },
      'without words': { record: { text: ' ' }, why: /malformed/ },
      'too long': { record: { text: 'x'.repeat(10_001) }, why: /malformed/ },
    };
    for (const [name, { record = {}, actor = bot, asked = true, why }] of Object.entries(refusals))
      it(`${name} has no effect`, () => {
        const made = lab();
        if (asked) ask(made);
        const done = write(made, { ...replying, ...record }, actor);
        assert.match(done.why ?? '', why);
        assert.equal(done.released, 0);
        assert.equal(thread(made)[0]?.reply ?? null, null);
      });

    it('comes from the owner of the work as well as from the agent that asked', () => {
      const made = lab();
      made.write([{ kind: 'work.updated', v: 1, id: 'T1', assignee: other.id }]);
      ask(made);
      assert.equal(write(made, replying, other).why, null);
      ask(made);
      assert.equal(write(made, { ...replying, number: 2 }).why, null);
    });
  });

  it('offers of an ask-back that does not exist have no effect', () => {
    const made = lab();
    for (const kind of ['question.askBackOffered', 'question.askBackAcknowledged'])
      assert.match(write(made, { kind, v: 1, id: 'Q-1', number: 1, agent: bot.id }).why ?? '', /no human asked back/);
  });
});
