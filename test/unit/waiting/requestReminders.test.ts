/** Reminders of requests to humans, and of requests whose agreed time has passed. */
import assert from 'node:assert/strict';
import { messageText } from '../../../src/core/waiting/reminderFormats.ts';
import { dueReminders, type Reminder } from '../../../src/core/waiting/reminderSchedule.ts';
import { reminderSettings } from '../../../src/core/waiting/reminderSettings.ts';
import { shownAppointment, shownRequest } from '../../../src/core/request/request.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeLab, noon, type Lab } from '../../support/store/lab.ts';

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

describe('reminders of requests', () => {
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
