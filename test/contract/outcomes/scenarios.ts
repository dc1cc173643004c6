/** How to bring about each kind of outcome. */
import { changePolicy, liftRefusal, shownAnswerHash, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { appoint, shownAppointmentHash } from '../../../src/app/request/decisions.ts';
import { decideRfc, shownRfcHash, type RfcVerdict } from '../../../src/app/rfc/decisions.ts';
import { reviewRfc } from '../../../src/app/rfc/review.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import type { AnswerEffect } from '../../../src/core/kit/words.ts';
import { agent, askAgent, cancel, decide, release } from '../../support/store/people.ts';
import { hour } from '../../support/store/sandbox.ts';
import type { EventKind, Kind, QuestionKind, RequestKind, RfcKind } from './kinds.ts';
import { newId, type Place } from './place.ts';

export interface Scenario {
  readonly id: 'Q-1' | 'RFC-1' | 'R-1' | 'E-1';
  /** Further input of the tool and options of the verb that asks. */
  readonly asks: Readonly<Record<string, unknown>>;
  readonly happens: (place: Place) => Promise<unknown>;
  /** How long `create --wait` waits for it, in seconds, where the question waits for a human after it too. */
  readonly wait?: number;
}

const approval = { text: 'May I drop the table?', type: 'approval', work_id: 't-1' };
const clarification = { text: 'Which table?', work_id: 't-1' };
const nothing = () => Promise.resolve();

function answered(effect: AnswerEffect): Scenario {
  const answer = effect === 'proceed' ? { choices: ['Yes'] } : { choices: ['No'], text: 'Keep it.', effect };
  return {
    id: 'Q-1',
    asks: approval,
    happens: ({ workspace, human }) => decide(workspace, human, 'Q-1', { kind: 'answer', answer }),
  };
}

/** Another question of the same agent holds the same work. */
async function whileHeld(place: Place, { happens }: Scenario): Promise<unknown> {
  await place.call('raise_question', { text: 'Which index?', work_id: 't-1' });
  return happens(place);
}

function question(asks: Scenario['asks'], happens: Scenario['happens']): Scenario {
  return { id: 'Q-1', asks, happens };
}

function expired(asks: Scenario['asks']): Scenario {
  return question(asks, async ({ sandbox, store }) => {
    sandbox.clock.now += 73 * hour;
    return Promise.resolve(await sweep(store));
  });
}

const questions: Readonly<Record<QuestionKind, Scenario>> = {
  'question waiting': question(approval, nothing),
  'question asked back': question(approval, ({ workspace, human }) =>
    askAgent(workspace, human, 'Q-1', 'Is there a backup?'),
  ),
  'question asked back, then replied': {
    ...question(approval, async ({ workspace, human, call }) => {
      await askAgent(workspace, human, 'Q-1', 'Is there a backup?');
      await call('reply_question', { id: 'Q-1', text: 'Yes, of last night.' });
    }),
    wait: 1,
  },
  'question answered: proceed': answered('proceed'),
  'question answered: do_not': answered('do_not'),
  'question answered: stop': answered('stop'),
  'question answered: proceed, still held': question(approval, (place) => whileHeld(place, answered('proceed'))),
  'question answered: do_not, still held': question(approval, (place) => whileHeld(place, answered('do_not'))),
  'question answered: do_not, then lifted': question(approval, async (place) => {
    await answered('do_not').happens(place);
    const { state } = place.store.read();
    const shown = shownAnswerHash(state, state.questions.get('Q-1')!);
    await liftRefusal(place.signing, { id: 'Q-1', reason: 'After the backup.', shown });
  }),
  'question dismissed as no longer needed': question(clarification, ({ workspace, human }) =>
    decide(workspace, human, 'Q-1', cancel),
  ),
  'question dismissed without an answer': question(clarification, ({ workspace, human }) =>
    decide(workspace, human, 'Q-1', release),
  ),
  'approval dismissed as no longer needed': question(approval, ({ workspace, human }) =>
    decide(workspace, human, 'Q-1', cancel),
  ),
  'approval dismissed without an answer': question(approval, ({ workspace, human }) =>
    decide(workspace, human, 'Q-1', release),
  ),
  'question withdrawn': question({ ...clarification, mode: 'async', assumption: 'The old one.' }, ({ call }) =>
    call('withdraw_question', { id: 'Q-1', reason: 'Found it.' }),
  ),
  'question expired: sync': { ...expired(clarification), wait: 1 },
  'question expired: async': expired({ ...clarification, mode: 'async', assumption: 'The old one.' }),
};

function rfc(happens: Scenario['happens'], asks: Scenario['asks'] = { submit: true }): Scenario {
  return { id: 'RFC-1', asks: { title: 'Tokens', summary: 'Signed.', blocked_tasks: ['t-1'], ...asks }, happens };
}

function decided(verdict: RfcVerdict, asks?: Scenario['asks']): Scenario {
  return rfc((place) => decideOn(place, verdict), asks);
}

async function decideOn({ store, signing }: Place, verdict: RfcVerdict): Promise<unknown> {
  const { state } = store.read();
  const shown = shownRfcHash(state, state.rfcs.get('RFC-1')!);
  return Promise.resolve(await decideRfc(signing, 'RFC-1', verdict, shown));
}

async function amendmentRejected(place: Place): Promise<void> {
  await decideOn(place, { ...approve, conditions: ['Log it.'], constraints: ['No passwords.'] });
  await place.call('update_rfc', { id: 'RFC-1', summary: 'Not signed.' });
  await decideOn(place, { kind: 'reject', reason: 'Keep signatures.', then: 'another_way' });
}

const approve = { kind: 'approve', conditions: [], constraints: [] } as const;
const prompt = { name: 'rfc-review', version: '1', body: '{{document}}' };
const rfcs: Readonly<Record<RfcKind, Scenario>> = {
  'rfc draft': rfc(nothing, {}),
  'rfc waiting': rfc(nothing),
  'rfc approved': decided(approve),
  'rfc approved, still held': rfc((place) => whileHeld(place, decided(approve))),
  'rfc approved with conditions': decided({ ...approve, conditions: ['Log it.'], constraints: ['No passwords.'] }),
  'rfc changes_requested': decided({ kind: 'request_changes', reason: 'Say how keys rotate.' }),
  'rfc rejected: another_way': decided({ kind: 'reject', reason: 'Too slow.', then: 'another_way' }),
  'rfc rejected: stop': decided({ kind: 'reject', reason: 'Not now.', then: 'stop' }),
  'rfc rejected: another_way, of stopped work': rfc(async (place) => {
    await place.call('raise_question', approval);
    await answered('stop').happens(place);
    await decideOn(place, { kind: 'reject', reason: 'Too slow.', then: 'another_way' });
  }),
  'rfc amendment rejected': rfc(amendmentRejected),
  'rfc amendment rejected, then implemented': rfc(async (place) => {
    await amendmentRejected(place);
    await place.call('update_rfc', { id: 'RFC-1', implemented: true });
  }),
  'rfc withdrawn': decided({ kind: 'withdraw', reason: 'Replaced.' }),
  'rfc sent back by the AI reviewer': rfc(({ store }) =>
    reviewRfc(store, 'RFC-1', {
      model: 'Scripted One',
      prompts: { review: prompt, followUp: prompt, repair: prompt },
      maxIterations: 1,
      callMs: 60_000,
      newId,
      signal: new AbortController().signal,
      onTransition: () => undefined,
      askModel: () => Promise.resolve('{"verdict":"revise","summary":"Say how keys rotate."}'),
    }),
  ),
};

const doer = agent('doer-001');
function request(...acts: readonly object[]): Scenario {
  return {
    id: 'R-1',
    asks: { target: 'doer', subject: 'Rotate keys', summary: 'They are old.' },
    async happens({ call }) {
      for (const act of acts) await call('respond_to_request', { id: 'R-1', ...act }, doer);
    },
  };
}

const accept = { action: 'accept' };
const requests: Readonly<Record<RequestKind, Scenario>> = {
  'request pending': request(),
  'request accepted': request(accept),
  'request deferred': request({ action: 'defer', until: '2999-01-01T00:00:00Z', note: 'After the release.' }),
  'request rejected': request({ action: 'reject', note: 'Not ours.' }),
  'request completed': request(accept, { action: 'complete', note: 'Rotated.' }),
  'request completed, still held': {
    ...request(),
    happens: (place) => whileHeld(place, request(accept, { action: 'complete', note: 'Rotated.' })),
  },
  'request cancelled': {
    ...request(),
    happens: ({ call }) => call('respond_to_request', { id: 'R-1', action: 'cancel', note: 'Not needed.' }),
  },
  'request expired': {
    ...request(),
    asks: { ...request().asks, due_at: new Date(Date.now() + hour).toISOString() },
    async happens({ sandbox, store }) {
      sandbox.clock.now += 2 * hour;
      return Promise.resolve(await sweep(store));
    },
  },
  'request reassigned': {
    ...request(),
    asks: { ...request().asks, sla_response_seconds: 60 },
    async happens({ store, signing, sandbox }) {
      const { state } = store.read();
      const overdue = { action: 'reassign', reassignTo: 'jane@app' } as const;
      await changePolicy(signing, { ...state.policy, overdue }, shownPolicyHash(state));
      sandbox.clock.now += hour;
      return Promise.resolve(await sweep(store));
    },
  },
};

const warning = { type: 'warning', text: 'Do not touch the table.' };
const events: Readonly<Record<EventKind, Scenario>> = {
  'event resolved': {
    id: 'E-1',
    asks: warning,
    happens: ({ call }) => call('close_event', { id: 'E-1', reason: 'Fixed.' }),
  },
  'event superseded': {
    id: 'E-1',
    asks: warning,
    async happens({ call }) {
      await call('post_event', { ...warning, text: 'Touch it with care.' });
      await call('close_event', { id: 'E-1', superseded_by: 'E-2' });
    },
  },
};

export const scenarios: Readonly<Record<Kind, Scenario>> = { ...questions, ...rfcs, ...requests, ...events };

const asking = {
  'Q-1': 'raise_question',
  'RFC-1': 'propose_rfc',
  'R-1': 'create_request',
  'E-1': 'post_event',
} as const;

/** Asks as the asker. Requests need a responsibility as their origin. */
export async function ask(place: Place, { id, asks }: Scenario): Promise<void> {
  if (id === 'R-1') {
    await place.call('register_responsibility', { id: 'asker', name: 'Asker' });
    await place.call('register_responsibility', { id: 'doer', name: 'Doer' }, doer);
    const jane = { id: 'jane@app', kind: 'human', name: 'Jane', agents: [] } as const;
    await appoint(place.signing, jane, shownAppointmentHash(place.store.read().state, jane));
  }
  const { status, text } = await place.call(asking[id], asks);
  if (status !== 'ok') throw new Error(text);
}
