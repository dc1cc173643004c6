/** When a human is notified of changed held files, and what the stream says about them. */
import assert from 'node:assert/strict';
import type { RecordOf } from '../../../src/core/records/records.ts';
import { messageText } from '../../../src/core/waiting/reminderFormats.ts';
import { dueReminders, heldChangeNotices } from '../../../src/core/waiting/reminderSchedule.ts';
import { reminderSettings } from '../../../src/core/waiting/reminderSettings.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeLab, noon, question, type Lab } from '../../support/store/lab.ts';
import { proposed } from '../../support/store/rfcRecords.ts';

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
  const lines = [question(1, { holds: ['src/one'], urgency: 'low' }), proposed({ holds: ['src/one'], workflows: [] })];
  for (const record of [...lines, of('Q-1').taken, of('RFC-1').taken])
    assert.deepEqual(lab.write([record]).refused, []);
  return lab;
}

function due({ state }: Lab, more: object = {}, sent: readonly string[] = []) {
  const settings = reminderSettings.parse({ v: 1, rules: { high: { first: null, every: 0 } }, ...more });
  return dueReminders(state, { settings, now: noon, isSent: (name) => sent.includes(name) });
}

describe('changed held files', () => {
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
