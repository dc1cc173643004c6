/** When a person is reminded by their own settings, and what the messages say. */
import assert from 'node:assert/strict';
import { commandEnvironment, messageText, webhookBody } from '../../../src/core/waiting/reminderFormats.ts';
import { dueReminders, type Reminder } from '../../../src/core/waiting/reminderSchedule.ts';
import { isQuiet, reminderSettings } from '../../../src/core/waiting/reminderSettings.ts';
import { makeLab, noon, question, type Lab } from '../../support/store/lab.ts';
import { proposed, submitted } from '../../support/store/rfcRecords.ts';

const at = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString();
const settings = (more: object = {}) => reminderSettings.parse({ v: 1, ...more });
const day = 24 * 60;

function names({ state }: Lab, minutes: number, more: object = {}, sent: readonly string[] = []): string[] {
  const isSent = (name: string) => sent.includes(name);
  return dueReminders(state, { settings: settings(more), now: at(minutes), isSent }).map(({ name }) => name);
}

function asked(more: object = {}): Lab {
  const lab = makeLab();
  lab.write([question(1, { expiresAt: at(day), ...more })]);
  return lab;
}

describe('reminders of a person', () => {
  it('begin after the first minutes of the urgency, and repeat', () => {
    const rules = { rules: { high: { first: 10, every: 20 } } };
    const lab = asked({ urgency: 'high' });
    assert.deepEqual(names(lab, 9, rules), []);
    assert.deepEqual(names(lab, 10, rules), ['Q-1']);
    assert.deepEqual(names(lab, 29, rules, ['Q-1']), []);
    assert.deepEqual(names(lab, 30, rules, ['Q-1']), ['Q-1-high-1']);
    assert.deepEqual(names(lab, 50, rules, ['Q-1', 'Q-1-high-1']), ['Q-1-high-2']);
  });

  it('say the occasion first, even if a reminder is due as well', () => {
    const lab = asked({ urgency: 'high' });
    const [first] = dueReminders(lab.state, { settings: settings(), now: at(100), isSent: () => false });
    assert.equal(first?.name, 'Q-1');
    assert.deepEqual(first.replaces, ['Q-1-high-3']);
  });

  it('leave out an urgency without a rule, and switched-off occasions', () => {
    assert.deepEqual(names(asked({ urgency: 'low' }), 300), []);
    const lab = asked({ urgency: 'medium' });
    assert.deepEqual(names(lab, day - 30, {}, ['Q-1']), ['Q-1-expiring']);
    const on = { escalated: true, expiring: false, expired: false, replied: true };
    assert.deepEqual(names(lab, day - 30, { on }, ['Q-1']), []);
  });

  it('know that a question has expired or escalated before any program recorded it', () => {
    const lab = asked({ urgency: 'medium' });
    assert.deepEqual(names(lab, day + 1), ['Q-1-expired']);
    lab.state.policy = { ...lab.state.policy, onExpiry: 'escalate' };
    assert.deepEqual(names(lab, day + 1), ['Q-1-escalated']);
  });

  it('of an RFC begin with its submission, not when its text was written', () => {
    const rules = { rules: { high: { first: 10, every: 20 } } };
    const lab = makeLab();
    lab.write([proposed({ workflows: [], holds: ['src/**'] })]);
    lab.write([submitted(1)], undefined, at(60));
    assert.deepEqual(names(lab, 69, rules), []);
    assert.deepEqual(names(lab, 70, rules), ['RFC-1-r1']);
    const [first] = dueReminders(lab.state, { settings: settings(rules), now: at(70), isSent: () => false });
    assert.equal(first?.waitingSince, at(60));
    assert.deepEqual(names(lab, 90, rules, ['RFC-1-r1']), ['RFC-1-r1-1']);
  });

  it('are for this person only, if they want that', () => {
    const lab = makeLab();
    lab.write([question(1, { for: 'Ada' }), question(2, { for: 'Grace' }), question(3)]);
    assert.deepEqual(names(lab, 60, { for: 'ada' }), ['Q-1', 'Q-3']);
  });

  it('end with a decision', () => {
    const lab = asked();
    const answer = { text: 'Yes', choices: [] };
    lab.write([lab.signed({ kind: 'question.answered', v: 1, id: 'Q-1', answer })], { kind: 'human', id: 'Ada' });
    assert.deepEqual(names(lab, 60), []);
  });

  it('wait in quiet hours and while "do not disturb" is on, and come afterwards', () => {
    const lab = asked({ urgency: 'critical' });
    const quietHours = { from: '12:00', to: '13:00', timeZone: 'UTC' };
    assert.deepEqual(names(lab, 59, { quietHours }), []);
    assert.deepEqual(names(lab, 60, { quietHours }), ['Q-1']);
    assert.deepEqual(names(lab, 59, { quietHours, criticalInQuietHours: true }), ['Q-1']);
    const doNotDisturbUntil = at(30);
    assert.deepEqual(names(lab, 29, { doNotDisturbUntil, criticalInQuietHours: true }), []);
    assert.deepEqual(names(lab, 30, { doNotDisturbUntil }), ['Q-1']);
  });

  describe('quiet hours', () => {
    const quiet = (time: string, hours: object) =>
      isQuiet(
        settings({ quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', ...hours } }),
        'high',
        time,
      );

    it('are in their time zone, with summer time, and pass midnight', () => {
      assert.equal(quiet('2026-01-15T20:59:00Z', {}), false);
      assert.equal(quiet('2026-01-15T21:00:00Z', {}), true);
      assert.equal(quiet('2026-01-16T05:59:00Z', {}), true);
      assert.equal(quiet('2026-01-16T06:00:00Z', {}), false);
      assert.equal(quiet('2026-07-15T19:59:00Z', {}), false);
      assert.equal(quiet('2026-07-15T20:00:00Z', {}), true);
    });

    it('begin on the given days', () => {
      // 2026-01-16 is a Friday.
      const days = ['fri', 'sat'];
      assert.equal(quiet('2026-01-15T23:00:00Z', { days }), false);
      assert.equal(quiet('2026-01-16T23:00:00Z', { days }), true);
      assert.equal(quiet('2026-01-18T05:00:00Z', { days }), true, 'Saturday’s, on Sunday morning');
      assert.equal(quiet('2026-01-18T23:00:00Z', { days }), false);
    });

    it('are refused if malformed', () => {
      for (const wrong of [{ from: '25:00' }, { timeZone: 'Mars/Base' }, { to: '7' }, { days: ['Monday'] }])
        assert.throws(() => quiet(noon, wrong));
    });
  });

  it('have no settings for links to other schemes', () => {
    for (const page of ['http://example.org', 'javascript:alert(1)', 'https://a/b', 'https://a@b', 'file:///x'])
      assert.throws(() => settings({ page }), page);
    assert.ok(settings({ page: 'https://holdpoint.example:8443' }));
  });
});

describe('messages of reminders', () => {
  const hostile =
    '<!channel> <https://evil.example|click> @here *bold* [link](https://evil.example) {{DATE(2026-01-01T00:00:00Z,SHORT)}}\u202e $(reboot) `id`\nsecond line';
  function message() {
    const lab = asked({ text: hostile, urgency: 'high' });
    const reminders: Reminder[] = dueReminders(lab.state, { settings: settings(), now: at(5), isSent: () => false });
    assert.equal(reminders.length, 1);
    return {
      reminders,
      project: '<!here> & co',
      workspace: 'w',
      link: 'vscode://holdpoint.holdpoint/open/Q-1?workspace=w',
    };
  }

  it('are one short line without hidden characters', () => {
    const text = messageText(message());
    assert.ok(!text.includes('\n') && !text.includes('\u202e') && !text.includes('second'), text);
    const [long] = dueReminders(asked({ text: 'x'.repeat(2_000), urgency: 'high' }).state, {
      ...{ settings: settings(), now: at(5), isSent: () => false },
    });
    assert.ok((long?.title.length ?? 999) <= 120);
  });

  it('mention no one in Slack, and give no markup of agents to its interpreter', () => {
    const body = webhookBody('slack', message()) as {
      text: string;
      blocks: { text?: { type: string; text: string } }[];
    };
    assert.ok(!JSON.stringify(body).includes('<!'));
    assert.ok(body.text.includes('&lt;!channel&gt;'));
    const interpreted = body.blocks.flatMap(({ text }) => (text?.type === 'mrkdwn' ? [text.text] : []));
    assert.deepEqual(interpreted, ['<vscode://holdpoint.holdpoint/open/Q-1?workspace=w|Open>']);
  });

  it('give Teams no Markdown and no function, and only a link as an action', () => {
    const text = JSON.stringify(webhookBody('teams', message()));
    assert.ok(!text.includes('{{DATE'), text);
    assert.ok(!text.includes('"TextBlock"'), 'text blocks interpret Markdown');
    assert.deepEqual(text.match(/Action\.\w+/g), ['Action.OpenUrl']);
  });

  it('contain no way to decide', () => {
    for (const format of ['json', 'slack', 'teams'] as const) {
      const text = JSON.stringify(webhookBody(format, message()));
      assert.ok(
        !/Action\.(Submit|Http|Execute)|"actions":\[\{"type":"button"|response_url|callback/.test(text),
        format,
      );
      assert.ok(text.includes('/open/Q-1'), format);
    }
  });

  it('name the number if there are several', () => {
    const [one] = message().reminders;
    assert.ok(one);
    assert.match(
      messageText({ ...message(), reminders: [one, one, one, one] }),
      /^4 questions from copilot-001\. First: /,
    );
    assert.equal(commandEnvironment({ ...message(), reminders: [one, one] })['HOLDPOINT_COUNT'], '2');
  });
});
