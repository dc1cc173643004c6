import assert from 'node:assert/strict';
import { isForPerson } from '../../../src/core/waiting/reminders.ts';
import type { Responsibility } from '../../../src/core/state/items.ts';

const held = (id: string, kind: Responsibility['kind'], name: string): [string, Responsibility] => [
  id,
  { id, kind, name, agents: [], registeredBy: 'ada', registeredAt: '2026-03-02T09:00:00.000Z' },
];

describe('whom an item is for', () => {
  const state = {
    responsibilities: new Map([held('security', 'human', 'Ada'), held('ops', 'agent', 'grace')]),
  };

  it('is for everybody without an addressee', () => {
    assert.equal(isForPerson(state, null, 'linus'), true);
  });

  it('is for the person of that name, however it is written', () => {
    assert.equal(isForPerson(state, ' ADA', 'ada'), true);
    assert.equal(isForPerson(state, 'ada', 'grace'), false);
  });

  it('is for the person who holds the responsibility by a human’s signed record', () => {
    assert.equal(isForPerson(state, 'security', 'ada'), true);
    assert.equal(isForPerson(state, 'security', 'grace'), false);
  });

  it('is not for a person whom an agent registered as the name of its responsibility', () => {
    assert.equal(isForPerson(state, 'ops', 'grace'), false);
  });
});
