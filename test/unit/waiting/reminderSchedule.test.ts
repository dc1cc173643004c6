/** When a person is reminded by their own settings, and what the messages say. */
import assert from 'node:assert/strict';
import {
  commandEnvironment,
  dueReminders,
  heldChangeNotices,
  messageText,
  type Reminder,
  webhookBody,
} from '../../../src/core/waiting/reminderSchedule.ts';
import { isQuiet, reminderSettings } from '../../../src/core/waiting/reminderSettings.ts';
import { type Lab, makeLab, noon, question } from '../../support/store/lab.ts';
import { proposed, submitted } from '../../support/store/rfcRecords.ts';
import type { RecordOf } from '../../../src/core/records/records.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { shownAppointment, shownRequest } from '../../../src/core/request/request.ts';
import { openChangeWatch } from '../../../src/vscode/settings/changedOutside.ts';

{
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
}

/** When a human is notified of changed held files, and what the stream says about them. */
describe('changed held files', () => {
  const [a, b] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string];

  const later = '2026-03-02T13:00:00.000Z';

  const change = { path: 'src/one', was: a, is: b };

  interface Records {
    readonly taken: RecordOf<'hold.baselineTaken'>;
    readonly violated: RecordOf<'hold.violated'>;
    readonly restored: RecordOf<'hold.fileRestored'>;
  }

  const of = (id: string): Records => ({
    taken: { kind: 'hold.baselineTaken', v: 1, id, part: 1, hash: a, scopes: hashOf(['src/one']), files: 1 },
    violated: { kind: 'hold.violated', v: 1, id, files: [change], call: 'npm run fmt' },
    restored: { kind: 'hold.fileRestored', v: 1, id, paths: ['src/one'] },
  });

  /** Q-1 holds `src/one` and waits a day before it reminds. */
  function scene(): Lab {
    const lab = makeLab();
    const lines = [
      question(1, { holds: ['src/one'], urgency: 'low' }),
      proposed({ holds: ['src/one'], workflows: [] }),
    ];
    for (const record of [...lines, of('Q-1').taken, of('RFC-1').taken])
      assert.deepEqual(lab.write([record]).refused, []);
    return lab;
  }

  function due({ state }: Lab, more: object = {}, sent: readonly string[] = []) {
    const settings = reminderSettings.parse({ v: 1, rules: { high: { first: null, every: 0 } }, ...more });
    return dueReminders(state, { settings, now: noon, isSent: (name) => sent.includes(name) });
  }

  it('notify once for each change, of questions and RFCs, and no longer once they are restored', () => {
    const lab = scene();
    assert.deepEqual(heldChangeNotices(lab.state), []);
    lab.write([of('Q-1').violated]);
    lab.write([of('RFC-1').violated]);
    const first = heldChangeNotices(lab.state);
    assert.deepEqual(
      first.map(({ holder, how }) => [holder.id, how]),
      [
        ['Q-1', 'now'],
        ['RFC-1', 'now'],
      ],
    );
    lab.write([{ ...of('Q-1').violated, files: [{ ...change, path: 'src/two' }] }], undefined, later);
    const again = heldChangeNotices(lab.state);
    assert.notEqual(again[0]?.name, first[0]?.name);
    assert.equal(again[1]?.name, first[1]?.name);
    lab.write([{ ...of('Q-1').restored, paths: ['src/two'] }]);
    assert.equal(heldChangeNotices(lab.state)[0]?.name, first[0]?.name, 'the change before it was notified already');
    lab.write([of('Q-1').restored]);
    lab.write([of('RFC-1').restored]);
    assert.deepEqual(heldChangeNotices(lab.state), []);
  });

  it('follow the policy as a critical question of the same agent does', () => {
    const lab = scene();
    lab.write([of('Q-1').violated]);
    const how = (agent: string, urgencies?: readonly string[]) => {
      const rule = { agent, how: 'silent', ...(urgencies ? { urgencies } : {}) } as never;
      const interruptions = { urgencies: { critical: 'now', high: 'now', medium: 'now', low: 'silent' } as const };
      lab.state.policy = {
        ...lab.state.policy,
        interruptions: { ...interruptions, agents: [rule], digestMinutes: 30, perHour: 1 },
      };
      return heldChangeNotices(lab.state)[0]?.how;
    };
    const [agent = ''] = [...lab.state.questions.values()].map(({ asker }) => asker.id);
    assert.equal(how(agent), 'now');
    assert.equal(how(agent, ['critical']), 'silent');
    assert.equal(how('other-001', ['critical']), 'now');
  });

  it('remind through every channel at once, outside of quiet hours', () => {
    const lab = scene();
    lab.write([of('Q-1').violated]);
    const [reminder, ...others] = due(lab);
    assert.ok(reminder);
    assert.deepEqual([others, reminder.kind, reminder.urgency, reminder.id], [[], 'changed', 'critical', 'Q-1']);
    const text = messageText({ reminders: [reminder], project: 'shop', workspace: 'w', link: 'l' });
    assert.match(text, /^Held files were changed, Q-1 of .*: /);
    assert.deepEqual(due(lab, {}, [reminder.name]), []);
    assert.deepEqual(due(lab, { doNotDisturbUntil: '2099-01-01T00:00:00.000Z' }), []);
    assert.deepEqual(due(lab, { for: 'grace' }).length, 1, 'it is for everybody');
  });
});

/** Reminders of requests to humans, and of requests whose agreed time has passed. */
describe('reminders of requests', () => {
  const at = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString();

  const stamp = String(Date.parse(noon));

  const asked = `R-1-new-${stamp}`;

  const late = `R-1-response-${stamp}`;

  function due({ state }: Lab, minutes: number, more: object = {}, sent: readonly string[] = []): Reminder[] {
    const settings = reminderSettings.parse({ v: 1, ...more });
    return dueReminders(state, { settings, now: at(minutes), isSent: (name) => sent.includes(name) });
  }

  const names = (...args: Parameters<typeof due>) => due(...args).map(({ name }) => name);

  /** Two humans and an agent; a request of the first to the second. */
  function labWithRequest({ origin, target }: { origin: string; target: string }, more: object = {}): Lab {
    const lab = makeLab();
    for (const name of ['Ada', 'Grace']) {
      const id = name.toLowerCase();
      const appointed = {
        kind: 'responsibility.appointed',
        v: 1,
        id,
        responsibilityKind: 'human',
        name,
        agents: [] as string[],
      } as const;
      const shown = hashOf(shownAppointment(lab.state, { id, kind: 'human', name, agents: [] }));
      assert.deepEqual(lab.write([lab.signed(appointed, { shown })], { kind: 'human', id: 'Ada' }).refused, []);
    }
    for (const id of ['importer', 'copilot'])
      lab.write([{ kind: 'responsibility.registered', v: 1, id, responsibilityKind: 'agent', name: id }]);
    const request = {
      ...{ kind: 'request.created', v: 1, id: 'R-1', ask: { type: 'request_for_action', payload: {} } },
      ...{ origin, target, subject: 'Look at the login.', summary: 'It fails.', availableAt: noon, dueAt: at(300) },
      ...{ responseSeconds: 3_600, completionSeconds: 3_600, ...more },
    };
    assert.deepEqual(lab.write([request]).refused, []);
    return lab;
  }

  it('begin as for a question of medium urgency', () => {
    const lab = labWithRequest({ origin: 'importer', target: 'ada' });
    assert.deepEqual(names(lab, 14), []);
    assert.deepEqual(names(lab, 15), [asked]);
    assert.deepEqual(names(lab, 59, {}, [asked]), []);
    const often = { rules: { medium: { first: 0, every: 20 } } };
    assert.deepEqual(names(lab, 41, often, [asked]), [`${asked}-2`]);
  });

  it('know that the agreed time has passed before any program recorded it, and repeat as for high urgency', () => {
    const lab = labWithRequest({ origin: 'importer', target: 'ada' });
    assert.deepEqual(names(lab, 60, {}, [asked]), []);
    assert.deepEqual(names(lab, 62, {}, [asked]), [late]);
    assert.deepEqual(names(lab, 93, {}, [asked, late]), [`${late}-1`]);
    const on = { escalated: false, expiring: true, expired: true, replied: true };
    assert.deepEqual(names(lab, 62, { on }, [asked]), []);
  });

  it('end when the request expires, and when its human responds', () => {
    const lab = labWithRequest({ origin: 'importer', target: 'ada' });
    assert.deepEqual(names(lab, 299), [`${late}-7`]);
    assert.deepEqual(names(lab, 300), []);
    const request = lab.state.requests.get('R-1')!;
    const moved = { kind: 'request.movedByHuman', v: 1, id: 'R-1', act: 'reject', note: 'Not now.' } as const;
    const signed = lab.signed({ ...moved, content: request.content }, { shown: hashOf(shownRequest(request)) });
    assert.deepEqual(lab.write([signed], { kind: 'human', id: 'Ada' }).refused, []);
    assert.deepEqual(names(lab, 299), []);
  });

  it('wait until the request is available', () => {
    const lab = labWithRequest({ origin: 'importer', target: 'ada' }, { availableAt: at(120) });
    assert.deepEqual(names(lab, 134), []);
    assert.deepEqual(names(lab, 135), [`R-1-new-${String(Date.parse(at(120)))}`]);
  });

  it('are for its human, or for the human whose request an agent let pass', () => {
    const toAda = labWithRequest({ origin: 'importer', target: 'ada' });
    assert.deepEqual(names(toAda, 20, { for: 'ada' }), [asked]);
    assert.deepEqual(names(toAda, 20, { for: 'Grace' }), []);
    const ofGrace = labWithRequest({ origin: 'importer', target: 'copilot' });
    assert.deepEqual(names(ofGrace, 90), []);
    const grace = ofGrace.state.responsibilities.get('grace')!;
    ofGrace.state.responsibilities.set('importer', { ...grace, id: 'importer' });
    assert.deepEqual(names(ofGrace, 59), []);
    assert.deepEqual(names(ofGrace, 62, { for: 'Grace' }), [late]);
    assert.deepEqual(names(ofGrace, 62, { for: 'Ada' }), []);
  });

  it('wait in quiet hours', () => {
    const lab = labWithRequest({ origin: 'importer', target: 'ada' });
    const quietHours = { from: '12:00', to: '13:30', timeZone: 'UTC' };
    assert.deepEqual(names(lab, 89, { quietHours }), []);
    assert.deepEqual(names(lab, 90, { quietHours }), [late]);
  });

  it('say who asks, and of which kind the request is', () => {
    const lab = labWithRequest({ origin: 'importer', target: 'ada' });
    const text = (minutes: number) =>
      messageText({ reminders: due(lab, minutes), project: 'shop', workspace: 'w', link: 'https://x' });
    assert.equal(text(20), 'importer asks R-1: Request for action');
    assert.equal(text(62), 'Not answered or done in time, R-1 of importer: Request for action');
  });
});

describe('A change of the reminder settings by another program', () => {
  it('is reported once, when a second look finds it too', () => {
    const isToWarn = openChangeWatch();
    assert.equal(isToWarn('ours', 'ours'), false);
    assert.equal(isToWarn('theirs', 'ours'), false, 'a window may be about to accept what it wrote');
    assert.equal(isToWarn('theirs', 'ours'), true);
    assert.equal(isToWarn('theirs', 'ours'), false);
  });

  it('is not reported if this editor wrote it, or never wrote any', () => {
    const isToWarn = openChangeWatch();
    assert.equal(isToWarn('new', 'old'), false);
    assert.equal(isToWarn('new', 'new'), false);
    const never = openChangeWatch();
    assert.equal(never('theirs', undefined), false);
    assert.equal(never('theirs', undefined), false);
  });

  it('is reported again if it comes back after this person undid it, and so is each further one', () => {
    const isToWarn = openChangeWatch();
    const twice = (now: string, accepted: string) => [isToWarn(now, accepted), isToWarn(now, accepted)];
    assert.deepEqual(twice('theirs', 'ours'), [false, true]);
    assert.deepEqual(twice('another', 'ours'), [false, true]);
    assert.deepEqual(twice('ours', 'ours'), [false, false]);
    assert.deepEqual(twice('another', 'ours'), [false, true]);
  });
});
