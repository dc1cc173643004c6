import assert from 'node:assert/strict';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import {
  askedContent,
  guardrailProblem,
  shownAppointment,
  shownRequest,
  type RequestAct,
} from '../../../src/core/request/request.ts';
import { type RequestCreated, requestStatus, type RequestStatus } from '../../../src/core/records/request.ts';
import type { Actor } from '../../../src/core/records/records.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { bot, makeLab, noon, work, type Lab } from '../../support/store/lab.ts';
import { makeHuman } from '../../support/store/people.ts';

const human = makeHuman();
const system: Actor = { kind: 'system', id: 'sweep' };
const as = (id: string): Actor => ({ kind: 'agent', id });
const ada: Actor = { kind: 'human', id: 'Ada' };

const at = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString();

function appointed(lab: Lab, id: string, responsibilityKind: 'steward' | 'human', agents: string[] = []): void {
  const record = { kind: 'responsibility.appointed', v: 1, id, responsibilityKind, name: id, agents } as const;
  const shown = hashOf(shownAppointment(lab.state, { id, kind: responsibilityKind, name: id, agents }));
  sound(lab.write([lab.signed(record, { shown })], ada));
}

function sound(folded: { readonly refused: readonly { readonly why: string }[] }): void {
  assert.deepEqual(folded.refused, []);
}

const registered = (id: string, more: object = {}) => ({
  kind: 'responsibility.registered',
  v: 1,
  id,
  responsibilityKind: 'agent',
  name: id,
  ...more,
});

const created = (number: number, target: string, more: object = {}) => ({
  kind: 'request.created',
  v: 1,
  id: `R-${String(number)}`,
  ask: { type: 'request_for_action', payload: {} },
  origin: 'asker',
  target,
  subject: 'Look at the login.',
  summary: 'It fails now and then.',
  availableAt: noon,
  dueAt: at(600),
  responseSeconds: 60,
  completionSeconds: 60,
  ...more,
});
const moved = (act: string, more: object = {}) => ({ kind: 'request.moved', v: 1, id: 'R-1', act, ...more });

/** Two agents' responsibilities with one agent in both, a steward and a human without agents. */
function labWithResponsibilities(): Lab {
  const lab = makeLab(human);
  sound(lab.write([registered('asker', { agents: ['both-001'] })], as('asker-001')));
  sound(lab.write([registered('doer', { agents: ['both-001'] })], as('doer-001')));
  appointed(lab, 'boss', 'human');
  appointed(lab, 'jane', 'steward');
  return lab;
}

/** A signed record about R-1 in its current state. */
function decided(lab: Lab, record: object): unknown {
  const request = lab.state.requests.get('R-1');
  const shown = request ? hashOf(shownRequest(request)) : '0'.repeat(64);
  return lab.signed({ ...record, content: request?.content ?? '0'.repeat(64) } as Unsigned, { shown });
}

/** Writes the record of an act by the target: a signed one for a human, an unsigned one for an agent. */
function byTarget(lab: Lab, target: string, act: string, more: object = {}): void {
  if (target === 'doer') sound(lab.write([moved(act, more)], as('doer-001')));
  else sound(lab.write([decided(lab, { ...moved(act, more), kind: 'request.movedByHuman' })], ada));
}

/** Brings R-1 into a status by the transitions below. */
const reach: Readonly<Record<RequestStatus, (lab: Lab, target: string) => void>> = {
  created(lab, target) {
    sound(lab.write([created(1, target, { availableAt: at(30) })], as('asker-001')));
  },
  pending(lab, target) {
    sound(lab.write([created(1, target)], as('asker-001')));
  },
  accepted(lab, target) {
    reach.pending(lab, target);
    byTarget(lab, target, 'accept');
  },
  deferred(lab, target) {
    reach.pending(lab, target);
    byTarget(lab, target, 'defer', { until: at(45) });
  },
  rejected(lab, target) {
    reach.pending(lab, target);
    byTarget(lab, target, 'reject', { note: 'No time.' });
  },
  cancelled(lab, target) {
    reach.pending(lab, target);
    sound(lab.write([moved('cancel', { note: 'Done by others.' })], as('asker-001')));
  },
  expired(lab, target) {
    reach.pending(lab, target);
    sound(lab.write([moved('expire')], system, at(601)));
  },
  completed(lab, target) {
    reach.accepted(lab, target);
    byTarget(lab, target, 'complete', { note: 'It was the clock.' });
  },
};

/** The record for each act; the first six also exist as signed records of a human. */
const recordOf: Readonly<Record<RequestAct, object>> = {
  accept: moved('accept'),
  defer: moved('defer', { until: at(2_000) }),
  reject: moved('reject', { note: 'No.' }),
  complete: moved('complete', { note: 'Done.' }),
  cancel: moved('cancel', { note: 'Never mind.' }),
  'record a step': { kind: 'request.stepRecorded', v: 1, id: 'R-1', step: 'normalise', note: 'Done.', requests: [] },
  release: moved('release'),
  resume: moved('resume'),
  expire: moved('expire'),
  acknowledge: { kind: 'request.acknowledged', v: 1, id: 'R-1' },
  'report a failure': { kind: 'request.attemptFailed', v: 1, id: 'R-1', error: 'It crashed.' },
  'make work': { kind: 'request.workMade', v: 1, id: 'R-1', work: ['t-1'] },
  alert: { kind: 'request.alerted', v: 1, id: 'R-1', breach: 'response' },
  escalate: { kind: 'request.escalated', v: 1, id: 'R-1' },
  reassign: { kind: 'request.reassigned', v: 1, id: 'R-1', target: 'jane' },
};

/** The transitions between statuses, as an independent second copy, with the role that may make them. */
const transitions: Readonly<Partial<Record<RequestStatus, Partial<Record<RequestAct, [RequestStatus, string]>>>>> = {
  created: { release: ['pending', 'system'] },
  pending: {
    accept: ['accepted', 'target'],
    defer: ['deferred', 'target'],
    reject: ['rejected', 'target'],
    cancel: ['cancelled', 'origin'],
    expire: ['expired', 'system'],
    acknowledge: ['pending', 'target'],
    alert: ['pending', 'system'],
  },
  accepted: {
    complete: ['completed', 'target'],
    'report a failure': ['accepted', 'target'],
    'record a step': ['accepted', 'target'],
    'make work': ['accepted', 'target'],
    alert: ['accepted', 'system'],
    escalate: ['accepted', 'system'],
    reassign: ['accepted', 'system'],
  },
  deferred: { resume: ['pending', 'system'] },
};

/** All writers of lines, with their roles in a request from asker to one of the targets. */
const writers: readonly { name: string; actor: Actor; signs?: true; roles: (target: string) => string[] }[] = [
  { name: 'an agent of the origin', actor: as('asker-001'), roles: () => ['origin'] },
  {
    name: 'an agent of an agent target',
    actor: as('doer-001'),
    roles: (target) => (target === 'doer' ? ['target'] : []),
  },
  {
    name: 'an agent of both',
    actor: as('both-001'),
    roles: (target) => (target === 'doer' ? ['origin', 'target'] : ['origin']),
  },
  { name: 'an agent of neither', actor: bot, roles: () => [] },
  { name: 'a human who signs', actor: ada, signs: true, roles: (target) => (target === 'doer' ? [] : ['target']) },
  { name: 'an actor that claims to be human', actor: ada, roles: (target) => (target === 'doer' ? [] : ['seen']) },
  { name: 'an agent with the target’s ID', actor: as('jane'), roles: () => [] },
  { name: 'the reviewer', actor: { kind: 'reviewer', id: 'doer-001' }, roles: () => [] },
  { name: 'the system', actor: system, roles: () => ['system'] },
];

const signable = ['accept', 'defer', 'reject', 'complete', 'cancel', 'record a step'];
const acts = Object.keys(recordOf) as RequestAct[];

describe('guardrails of requests', () => {
  for (const target of ['doer', 'jane', 'boss'])
    for (const status of requestStatus.options)
      it(`allow nothing else for a ${status} request to ${target}`, () => {
        for (const act of acts)
          for (const { name, actor, signs, roles } of writers) {
            const lab = labWithResponsibilities();
            reach[status](lab, target);
            const signed = signs === true && signable.includes(act);
            const record = signed
              ? decided(lab, {
                  ...recordOf[act],
                  kind: act === 'record a step' ? 'request.stepRecordedByHuman' : 'request.movedByHuman',
                })
              : recordOf[act];
            const arrow = transitions[status]?.[act];
            // A human's signature binds; an unsigned record by a human only counts as having seen it.
            const role = signs === true && !signed ? roles(target).map(() => 'seen') : roles(target);
            const may = role.includes(arrow?.[1] ?? 'none') || (act === 'acknowledge' && role.includes('seen'));
            const doer = { kind: actor.kind, id: actor.id, signed };
            const problem = guardrailProblem(lab.state, 'R-1', act, doer);
            const cell = `${status} ${act} by ${name}`;
            assert.equal(problem === null, arrow !== undefined && may, `${cell}: ${problem?.why ?? 'allowed'}`);
            // Enough time has passed that only guardrails can refuse.
            const { refused } = lab.write([record], actor, at(1_000));
            const after = lab.state.requests.get('R-1')?.status ?? lab.state.settledRequests.get('R-1');
            if (problem) {
              assert.equal(refused.length, 1, cell);
              assert.equal(after, status, cell);
            } else if (refused.length === 0) assert.equal(after, arrow?.[0], cell);
            else assert.match(refused[0]?.why ?? '', notGuardrails, cell);
          }
      });

  /** Refusals for the content of a record, not for its author or its time. */
  const notGuardrails = /steps belong to|due|no unreported|not overdue|no human's policy|was not registered/;

  it('name the allowed transitions', () => {
    const lab = labWithResponsibilities();
    reach.pending(lab, 'doer');
    const [refusal] = lab.write([moved('complete', { note: 'Done.' })], as('doer-001')).refused;
    assert.equal(refusal?.why, 'R-1 is pending: it can only become expired, accepted, deferred, rejected, cancelled');
    byTarget(lab, 'doer', 'reject', { note: 'No.' });
    assert.equal(
      guardrailProblem(lab.state, 'R-1', 'accept', { ...as('doer-001'), signed: false })?.why,
      'R-1 is rejected: that is final',
    );
    assert.equal(guardrailProblem(lab.state, 'R-9', 'accept', { ...bot, signed: false })?.code, 'not_found');
  });

  it('say that a human decides in a form', () => {
    const lab = labWithResponsibilities();
    reach.pending(lab, 'boss');
    const [refusal] = lab.write([moved('accept')], as('both-001')).refused;
    assert.equal(refusal?.why, 'R-1 is for boss, a human: it is answered in a form of the editor');
  });
});

describe('responsibilities', () => {
  it('of agents are registered by agents, which admit others', () => {
    const lab = labWithResponsibilities();
    const join = (agents: string[], actor: Actor) =>
      lab.write([{ kind: 'responsibility.joined', v: 1, id: 'doer', agents }], actor).refused.map(({ why }) => why);
    assert.deepEqual(join(['other-001'], bot), ['copilot-001 does not act for doer: someone who does must add it']);
    assert.deepEqual(join(['other-001'], as('doer-001')), []);
    assert.deepEqual(lab.state.responsibilities.get('doer')?.agents, ['doer-001', 'both-001', 'other-001']);
    const again = lab.write([registered('doer')], bot).refused;
    assert.match(again[0]?.why ?? '', /already registered/);
    assert.match(lab.write([registered('other')], ada).refused[0]?.why ?? '', /only an agent registers itself/);
  });

  it('of stewards and humans are appointed only by a human', () => {
    const lab = labWithResponsibilities();
    const steward = { ...registered('mary'), responsibilityKind: 'steward' };
    assert.match(lab.write([steward]).refused[0]?.why ?? '', /malformed/);
    const record: Unsigned = {
      kind: 'responsibility.appointed',
      v: 1,
      id: 'mary',
      responsibilityKind: 'steward',
      name: 'Mary',
      agents: ['copilot-001'],
    };
    assert.equal(lab.write([lab.signed(record, { shown: '0'.repeat(64) })], ada).refused[0]?.reason, 'forgery');
    const stranger = makeHuman('Eve');
    const shown = hashOf(
      shownAppointment(lab.state, { id: 'mary', kind: 'steward', name: 'Mary', agents: ['copilot-001'] }),
    );
    assert.equal(lab.write([lab.signed(record, { shown, signer: stranger })], ada).refused[0]?.reason, 'forgery');
    sound(lab.write([lab.signed(record, { shown })], ada));
    assert.deepEqual(lab.state.responsibilities.get('mary')?.agents, ['copilot-001']);
    const joined = lab.write([{ kind: 'responsibility.joined', v: 1, id: 'mary', agents: ['evil-001'] }]).refused;
    assert.match(joined[0]?.why ?? '', /only a human can appoint who acts for mary/);
  });

  it('of a human have no agents, and cannot take an agent’s ID', () => {
    const lab = labWithResponsibilities();
    const appoint = (id: string, responsibilityKind: 'steward' | 'human', agents: string[]) => {
      const record = { kind: 'responsibility.appointed', v: 1, id, responsibilityKind, name: id, agents } as const;
      const shown = hashOf(shownAppointment(lab.state, { id, kind: responsibilityKind, name: id, agents }));
      return lab.write([lab.signed(record, { shown })], ada).refused[0]?.why;
    };
    assert.equal(appoint('max', 'human', ['copilot-001']), 'no agent acts for a human');
    assert.equal(appoint('doer', 'steward', []), 'doer is already registered, as agent');
    assert.equal(appoint('jane', 'steward', ['helper-001']), undefined);
  });
});

describe('requests', () => {
  const create = (more: object, actor = as('asker-001'), target = 'doer') => {
    const lab = labWithResponsibilities();
    return lab.write([created(1, target, more)], actor).refused[0]?.why;
  };

  it('are sent between responsibilities of this workspace', () => {
    assert.equal(create({}), undefined);
    assert.match(create({ target: 'nobody' }) ?? '', /target: there is no responsibility nobody in this workspace/);
    assert.match(create({ origin: 'nobody' }) ?? '', /origin: there is no responsibility nobody/);
    assert.match(create({ origin: 'doer', target: 'asker' }) ?? '', /asker-001 does not act for doer/);
    assert.match(create({ target: 'asker' }) ?? '', /goes to another responsibility/);
    assert.match(create({ origin: 'jane' }) ?? '', /does not act for jane/);
    assert.match(create({ origin: 'boss' }) ?? '', /does not act for boss/);
    assert.match(create({}, ada) ?? '', /Ada does not act for asker/);
    assert.match(create({ dueAt: noon }) ?? '', /due_at/);
    assert.match(create({ id: 'R-2' }) ?? '', /next request is R-1/);
  });

  it('have the payload of their type', () => {
    const payload = (type: string, given: object) => create({ ask: { type, payload: given }, target: 'jane' });
    assert.equal(payload('ingest_new_context', { bundle_ids: ['b-1'], objectives: ['Know it.'] }), undefined);
    assert.equal(
      payload('ingest_new_context', {
        bundle_ids: ['b-1'],
        objectives: 'Know it.',
        user_hints: { suggested_responsibilities: ['doer'] },
        tags: ['auth'],
      }),
      undefined,
    );
    for (const wrong of [
      {},
      { bundle_ids: [], objectives: 'x' },
      { bundle_ids: ['b-1'] },
      { bundle_ids: ['b-1'], objectives: [] },
      { bundle_ids: ['b-1'], objectives: 'x', extra: 1 },
      { bundle_ids: ['b-1'], objectives: 'x', user_hints: { other: [] } },
    ])
      assert.match(payload('ingest_new_context', wrong) ?? '', /malformed/, JSON.stringify(wrong));
    assert.match(payload('task', {}) ?? '', /malformed/);
    assert.match(create({ bodyPath: '../outside.md' }) ?? '', /bodyPath must be inside the workspace/);
  });

  it('are created once per idempotency key', () => {
    const lab = labWithResponsibilities();
    sound(lab.write([created(1, 'doer', { idempotencyKey: 'k' })], as('asker-001')));
    const [refusal] = lab.write([created(2, 'doer', { idempotencyKey: 'k' })], as('asker-001')).refused;
    assert.equal(refusal?.why, 'R-1 already has this idempotency key');
    const other = { origin: 'doer', target: 'asker', idempotencyKey: 'k' };
    sound(lab.write([created(2, 'doer', other)], as('doer-001')));
  });

  it('can be deferred only forward and not past their end', () => {
    const lab = labWithResponsibilities();
    reach.pending(lab, 'doer');
    const defer = (until: string | undefined, time = at(10)) =>
      lab.write([moved('defer', { until })], as('doer-001'), time).refused[0]?.why ?? 'deferred';
    assert.match(defer(undefined), /state when/);
    assert.match(defer(at(10)), /later than now/);
    assert.match(defer(at(5)), /later than now/);
    assert.match(defer(at(600)), /is due/);
    assert.equal(defer(at(20)), 'deferred');
    assert.equal(lab.state.requests.get('R-1')?.availableAt, at(20));
    sound(lab.write([moved('resume')], system, at(20)));
    // Setting the clock back does not change this.
    assert.match(defer(at(15), at(10)), /later than now and than/);
  });

  it('are reported overdue once per limit', () => {
    const lab = labWithResponsibilities();
    reach.pending(lab, 'doer');
    const alert = (breach: string, time: string) =>
      lab.write([{ kind: 'request.alerted', v: 1, id: 'R-1', breach }], system, time).refused[0]?.why ?? 'admitted';
    assert.match(alert('response', at(1)), /no unreported/);
    assert.match(alert('completion', at(2)), /no unreported/);
    assert.equal(alert('response', at(2)), 'admitted');
    assert.match(alert('response', at(3)), /no unreported/);
    byTarget(lab, 'doer', 'defer', { until: at(60) });
    sound(lab.write([moved('resume')], system, at(60)));
    assert.match(alert('response', at(61)), /no unreported/);
    assert.equal(alert('response', at(62)), 'admitted');
    sound(lab.write([moved('accept')], as('doer-001'), at(63)));
    assert.match(alert('completion', at(64)), /no unreported/);
    assert.equal(alert('completion', at(65)), 'admitted');
    assert.match(alert('completion', at(66)), /no unreported/);
  });

  it('create work of their own, and cannot claim existing work', () => {
    const lab = labWithResponsibilities();
    lab.write([work('old')], as('doer-001'));
    sound(lab.write([created(1, 'doer')], as('asker-001')));
    const make = (ids: string[], time: string) =>
      lab.write([{ kind: 'request.workMade', v: 1, id: 'R-1', work: ids }], as('doer-001'), time).refused[0]?.why;
    sound(lab.write([moved('accept')], as('doer-001'), at(1)));
    assert.match(make(['old'], at(2)) ?? '', /old was not registered for R-1/);
    assert.match(make(['nowhere'], at(2)) ?? '', /nowhere was not registered for R-1/);
    sound(lab.write([work('new')], as('doer-001'), at(2)));
    assert.equal(make(['new'], at(2)), undefined);
  });

  it('reach others only after a steward has processed them', () => {
    const lab = labWithResponsibilities();
    const ingest = {
      ask: { type: 'ingest_new_context', payload: { bundle_ids: ['b-1'], objectives: 'Know it.' } },
      target: 'jane',
    };
    const tell = (bundle: string) => ({
      ...created(2, 'doer'),
      kind: 'request.createdByHuman',
      ask: {
        type: 'new_context_available',
        payload: { bundle_ids: [bundle], objectives: 'Know it.', suggested_actions: [], links: [], tags: [] },
      },
      origin: 'jane',
      priority: 100,
    });
    const dispatch = (bundle: string) => {
      const shown = hashOf(askedContent(tell(bundle) as unknown as RequestCreated));
      return lab.write([lab.signed(tell(bundle) as Unsigned, { shown })], ada).refused[0]?.why;
    };
    assert.match(create({ ask: ingest.ask, target: 'doer' }) ?? '', /doer is not a steward/);
    assert.match(
      create({ ask: { ...ingest.ask, type: 'new_context_available' }, target: 'doer' }) ?? '',
      /only stewards originate new_context_available/,
    );
    sound(lab.write([created(1, 'jane', ingest)], as('asker-001')));
    const step = (name: string, more: object = {}) => {
      const record = { kind: 'request.stepRecordedByHuman', v: 1, id: 'R-1', step: name, note: 'Done.', requests: [] };
      return lab.write([decided(lab, { ...record, ...more })], ada).refused[0]?.why;
    };
    assert.match(dispatch('b-1') ?? '', /no steward has reviewed b-1/);
    assert.match(step('normalise') ?? '', /R-1 is pending/);
    byTarget(lab, 'jane', 'accept');
    assert.match(dispatch('b-1') ?? '', /no steward has reviewed b-1/);
    assert.match(step('dispatch') ?? '', /record normalise and lineage first/);
    assert.equal(step('normalise'), undefined);
    assert.match(step('dispatch') ?? '', /record lineage first/);
    assert.match(dispatch('b-1') ?? '', /no steward has reviewed b-1/);
    const complete = () =>
      lab.write([decided(lab, { ...moved('complete', { note: 'Done.' }), kind: 'request.movedByHuman' })], ada)
        .refused[0]?.why;
    assert.match(complete() ?? '', /once these steps are recorded: lineage, dispatch/);
    assert.equal(step('lineage', { requests: ['R-1'] }), 'requests belong to the step dispatch');
    assert.equal(step('lineage'), undefined);
    assert.equal(dispatch('b-1'), undefined);
    assert.equal(step('dispatch', { requests: ['R-7'] }), 'there is no request R-7');
    assert.match(step('dispatch', { requests: ['R-1'] }) ?? '', /R-1 is not a new_context_available request of jane/);
    assert.equal(step('dispatch', { requests: ['R-2'] }), undefined);
    assert.equal(complete(), undefined);
  });

  it('about new context are completed with its relevance', () => {
    const lab = makeLab(human);
    sound(lab.write([registered('doer')], as('doer-001')));
    appointed(lab, 'jane', 'steward', ['jane-001']);
    const ask = { type: 'new_context_available', payload: { bundle_ids: ['b-1'], objectives: 'Know it.' } };
    sound(lab.write([created(1, 'doer', { ask, origin: 'jane' })], as('jane-001')));
    const say = (act: string, more: object = {}) =>
      lab.write([moved(act, more)], as('doer-001')).refused[0]?.why ?? 'done';
    assert.match(say('accept'), /is answered with ack_context_relevant or not_relevant/);
    assert.match(say('reject', { note: 'No.' }), /is answered with/);
    assert.match(say('accept', { relevance: 'not_relevant' }), /is answered with/);
    assert.equal(say('reject', { relevance: 'not_relevant' }), 'done');
    sound(lab.write([created(2, 'doer', { ask, origin: 'jane' })], as('jane-001')));
    assert.equal(say('accept', { id: 'R-2', relevance: 'ack_context_relevant' }), 'done');
    const lab2 = labWithResponsibilities();
    reach.pending(lab2, 'doer');
    const [refusal] = lab2.write([moved('accept', { relevance: 'not_relevant' })], as('doer-001')).refused;
    assert.match(refusal?.why ?? '', /answers new_context_available, and nothing else/);
  });

  it('are decided in their displayed state or not at all', () => {
    const lab = labWithResponsibilities();
    reach.pending(lab, 'boss');
    const request = lab.state.requests.get('R-1');
    assert.ok(request);
    const record = { ...moved('accept'), kind: 'request.movedByHuman', content: request.content } as Unsigned;
    const signed = (changes: object, other: object = {}) =>
      lab.write([lab.signed({ ...record, ...other }, { shown: hashOf(shownRequest(request)), ...changes })], ada)
        .refused[0];
    assert.equal(signed({ shown: '1'.repeat(64) })?.reason, 'forgery');
    assert.equal(signed({}, { content: '1'.repeat(64) })?.reason, 'forgery');
    assert.equal(signed({ signer: makeHuman('Eve') })?.reason, 'forgery');
    assert.equal(signed({ workspace: '6f1c2b34-0000-4000-8000-000000000002' })?.reason, 'forgery');
    assert.equal(signed({}), undefined);
    assert.equal(lab.state.requests.get('R-1')?.status, 'accepted');
  });
});
