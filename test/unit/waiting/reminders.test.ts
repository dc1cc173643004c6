/** When a window notifies of a question, and when it repeats that: by the policy, the clock and what is visible. */
import assert from 'node:assert/strict';
import { noticesOf } from '../../../src/core/waiting/reminders.ts';
import { nextNoticeTime, noticesIn, openSeen, type Notice, onScreen } from '../../../src/vscode/status/notices.ts';
import type { OpenFolder } from '../../../src/ui/kit/folders.ts';
import { bot, makeLab, noon, question, type Lab } from '../../support/store/lab.ts';

/** Minutes after noon, the time at which the lab raises its questions. */
const at = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString();
const day = 24 * 60;

describe('notices of a question', () => {
  const names = ({ state }: Lab, minutes: number) =>
    [...state.questions.values()].flatMap((one) => noticesOf(state, one, at(minutes)).map(({ name }) => name));
  const asked = (more: object = {}) => {
    const lab = makeLab();
    lab.write([question(1, { expiresAt: at(day), ...more })]);
    assert.equal(lab.state.questions.get('Q-1')?.raisedAt, noon);
    return lab;
  };

  it('appear when it is raised, in the last hour before it expires, and when it has expired', () => {
    const lab = asked();
    assert.deepEqual(names(lab, 0), ['Q-1']);
    assert.deepEqual(names(lab, day - 61), ['Q-1']);
    assert.deepEqual(names(lab, day - 60), ['Q-1-expiring']);
    lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }]);
    assert.deepEqual(names(lab, day), ['Q-1-expired']);
    assert.deepEqual(names(lab, 9 * day), ['Q-1-expired'], 'it still holds');
  });

  it('appear in the last tenth of a short life', () => {
    const lab = asked({ expiresAt: at(60) });
    assert.deepEqual(names(lab, 53), ['Q-1']);
    assert.deepEqual(names(lab, 54), ['Q-1-expiring']);
  });

  it('end a day after an async question expired', () => {
    const lab = asked({ mode: 'async' });
    lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }]);
    assert.deepEqual(names(lab, day + 1), ['Q-1-expired']);
    assert.deepEqual(names(lab, 2 * day), []);
  });

  it('include the escalation, which replaces the notice of expiry and starts reminders', () => {
    const lab = asked();
    lab.state.policy = { ...lab.state.policy, onExpiry: 'escalate' };
    assert.deepEqual(names(lab, day - 1), ['Q-1']);
    lab.write([{ kind: 'question.escalated', v: 1, id: 'Q-1' }]);
    assert.deepEqual(names(lab, day + 1), ['Q-1-escalated']);
    assert.deepEqual(names(lab, day + 5), ['Q-1-escalated', 'Q-1-critical-1']);
  });

  describe('with a human who asks back', () => {
    const askBack = (lab: Lab) => {
      const record = { kind: 'question.askedBack', v: 1, id: 'Q-1', text: 'Why now?' } as const;
      const { refused } = lab.write([lab.signed(record)], { kind: 'human', id: lab.human.name });
      assert.deepEqual(refused, []);
    };
    const reply = (lab: Lab, number: number, minutes: number) => {
      const { refused } = lab.write(
        [{ kind: 'question.replied', v: 1, id: 'Q-1', number, text: 'So.' }],
        bot,
        at(minutes),
      );
      assert.deepEqual(refused, []);
    };

    it('stop until the agent replies, and each reply notifies', () => {
      const lab = asked({ urgency: 'critical' });
      assert.deepEqual(names(lab, 6), ['Q-1', 'Q-1-critical-1']);
      askBack(lab);
      assert.deepEqual(names(lab, 60), []);
      assert.equal(nextNoticeTime(lab.state, at(60)), at(day - 60), 'only that it expires');
      reply(lab, 1, 61);
      assert.deepEqual(names(lab, 61), ['Q-1-replied-1']);
      assert.equal(nextNoticeTime(lab.state, at(61)), at(66));
      assert.deepEqual(names(lab, 66), ['Q-1-replied-1', 'Q-1-replied-1-critical-1']);
      askBack(lab);
      reply(lab, 2, 70);
      assert.deepEqual(names(lab, 70), ['Q-1-replied-2']);
    });

    it('go on with what time does', () => {
      const lab = asked();
      askBack(lab);
      assert.deepEqual(names(lab, day - 60), ['Q-1-expiring']);
      reply(lab, 1, day - 30);
      assert.deepEqual(names(lab, day - 30), ['Q-1-replied-1']);
      lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }]);
      assert.deepEqual(names(lab, day), ['Q-1-expired']);
    });

    it('an escalated one is critical, even while its agent owes a reply', () => {
      const lab = asked();
      lab.state.policy = { ...lab.state.policy, onExpiry: 'escalate' };
      askBack(lab);
      lab.write([{ kind: 'question.escalated', v: 1, id: 'Q-1' }]);
      assert.deepEqual(names(lab, day + 20), ['Q-1-escalated']);
    });
  });

  it('end when it is decided', () => {
    const lab = asked({ urgency: 'critical' });
    const { state } = lab;
    const one = state.questions.get('Q-1')!;
    const resolution = { how: 'cancelled', answer: null, note: 'No.', by: 'Ada', keyid: '', at: noon } as const;
    assert.deepEqual(noticesOf(state, { ...one, status: 'cancelled', resolution }, at(60)), []);
    assert.deepEqual(noticesOf(state, { ...one, status: 'expired', mode: 'async', resolution }, at(60)), []);
  });

  it('repeat every 5 minutes if it is critical, every 30 if it is high, else never', () => {
    const turns = (urgency: string) => [4, 5, 29, 30, 61].map((minutes) => names(asked({ urgency }), minutes).slice(1));
    assert.deepEqual(turns('critical'), [
      [],
      ['Q-1-critical-1'],
      ['Q-1-critical-5'],
      ['Q-1-critical-6'],
      ['Q-1-critical-12'],
    ]);
    assert.deepEqual(turns('high'), [[], [], [], ['Q-1-high-1'], ['Q-1-high-2']]);
    for (const urgency of ['medium', 'low']) assert.deepEqual(turns(urgency).flat(), [], urgency);
  });

  it('follow the policy that a human signed', () => {
    const lab = asked({ urgency: 'medium' });
    lab.state.policy = { ...lab.state.policy, reminders: { critical: 0, high: 0, medium: 10, low: 0 } };
    assert.deepEqual(names(lab, 25), ['Q-1', 'Q-1-medium-2']);
    assert.deepEqual(names(asked({ urgency: 'critical' }), 1).length, 1);
  });

  it('include the time of the next one', () => {
    assert.equal(nextNoticeTime(asked({ urgency: 'high' }).state, at(31)), at(60));
    assert.equal(nextNoticeTime(asked({ urgency: 'low' }).state, at(31)), at(day - 60));
    assert.equal(nextNoticeTime(asked({ urgency: 'low' }).state, at(day - 60)), null);
    assert.equal(nextNoticeTime(makeLab().state, noon), null);
  });
});

describe('a window', () => {
  function windowOf(level = 'all') {
    const lab = makeLab();
    lab.write([question(1, { urgency: 'critical', expiresAt: at(day) })]);
    let needed = true;
    const fresh = openSeen();
    const folder = { workspace: { standing: () => ({ state: lab.state }) } } as unknown as OpenFolder;
    const due = (minutes: number) => {
      const all = noticesIn(folder, lab.state, { level, now: at(minutes), isNeeded: () => needed });
      return fresh('w', all).map(({ name, how }) => (how === 'now' ? name : `${how} ${name}`));
    };
    const need = (now: boolean) => {
      needed = now;
    };
    return { lab, due, need };
  }

  it('shows each notice once, and one at a time', () => {
    const { due, lab } = windowOf();
    assert.deepEqual(due(7), ['Q-1'], 'no reminder with the first notice');
    assert.deepEqual(due(8), []);
    assert.deepEqual(due(10), ['Q-1-critical-2']);
    assert.deepEqual(due(22), ['Q-1-critical-4'], 'missed reminders become one');
    lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }]);
    assert.deepEqual(due(day), ['Q-1-expired']);
    assert.deepEqual(due(day + 5), ['Q-1-critical-289']);
  });

  it('is quiet where no reminder is needed, and does not repeat that reminder later', () => {
    const { due, need } = windowOf();
    need(false);
    assert.deepEqual(due(0), ['Q-1'], 'a new question is notified even beside the list');
    assert.deepEqual(due(5), ['silent Q-1-critical-1']);
    need(true);
    assert.deepEqual(due(6), []);
    assert.deepEqual(due(10), ['Q-1-critical-2']);
  });

  it('shows no notices that the settings turn off, also later', () => {
    const { due } = windowOf('off');
    assert.deepEqual([due(0), due(5)], [['silent Q-1'], ['silent Q-1-critical-1']]);
  });

  it('notifies of changed files beside the question that held them', () => {
    const fresh = openSeen();
    const notice = (name: string, more: object = {}) => ({ id: 'Q-1', name, ...more }) as Notice;
    const all = [notice('Q-1'), notice('Q-1-critical-1'), notice('Q-1-changed-5', { isChange: true })];
    assert.deepEqual(
      fresh('w', all).map(({ name }) => name),
      ['Q-1', 'Q-1-changed-5'],
    );
  });
});

describe('the screen', () => {
  it('keeps one place for each item, which a reminder takes over', async () => {
    const show = onScreen();
    const gone: (() => void)[] = [];
    let more = 0;
    const put = (item: string) =>
      show({
        agent: 'a-001',
        item,
        isCurrent: () => true,
        show: () => new Promise((resolve) => gone.push(() => resolve(undefined))),
        showMore: () => {
          more++;
          return Promise.resolve();
        },
      });
    const shown = [put('Q-1'), put('Q-2'), put('Q-3')];
    shown.push(put('Q-1'));
    assert.deepEqual([gone.length, more], [4, 0]);
    await put('Q-4');
    assert.equal(more, 1);
    // VS Code closes the earlier of two equal notifications; the place stays taken.
    gone[0]?.();
    await shown[0];
    await put('Q-4');
    assert.equal(more, 2);
    gone[3]?.();
    await shown[3];
    void put('Q-4');
    assert.deepEqual([gone.length, more], [5, 2]);
  });
});
