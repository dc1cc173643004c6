/** A decision that a passkey signed elsewhere, handed in through the API where the policy asks for a passkey. */
import assert from 'node:assert/strict';
import {
  changePolicy,
  decideQuestion,
  shownHash,
  shownPolicyHash,
  type Signing,
} from '../../src/app/decision/decisions.ts';
import { prepareSigned, type Prepared } from '../../src/app/decision/passkey.ts';
import { pinKey } from '../../src/app/keys/enrolment.ts';
import { confirmPasskey } from '../../src/app/keys/acts.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { canonicalJson } from '../../src/trust/canonical.ts';
import { payloadType } from '../../src/trust/envelope.ts';
import type { PasskeySignature } from '../../src/trust/webauthn.ts';
import { makePasskey, type Passkey } from '../support/authenticator.ts';
import { enrolledHuman } from '../support/store/people.ts';
import { beginning } from '../../src/core/waiting/eventStream.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { followEvents } from './following.ts';
import { openApi, type Api, type Called } from './api.ts';
import { environmentOf, startServe, type Served } from './program.ts';

const answer = { text: 'Signed on a phone.', choices: [] as string[] };

describe('a decision that a passkey signed', () => {
  let served: Served;
  let workspace: Workspace;
  let api: Api;
  let passkey: Passkey;
  let id: string;
  let prepared: Prepared;

  before(async () => {
    served = await startServe();
    workspace = served.sandbox.open({ clock: Date.now });
    api = await openApi(served, 'worker-001');
    passkey = makePasskey('Ada', { origin: served.origin });
    pinKey(workspace, passkey.pin);
    const signing = {
      store: await workspace.store(),
      signer: enrolledHuman(workspace),
      newId: workspace.options.newId,
    };
    await confirmPasskey(signing, passkey.pin, '0'.repeat(64));
    const { state } = signing.store.read();
    const policy = { ...state.policy, passkeys: { rules: [{ urgencies: ['critical' as const] }] } };
    await changePolicy(signing, policy, shownPolicyHash(state));
    id = await raise('Drop the table?');
    prepared = await prepare(id);
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  async function raise(question: string): Promise<string> {
    const { status, body } = await api.call('POST', '/blockers', { question, urgency: 'critical' });
    assert.equal(status, 201, JSON.stringify(body));
    return String(body['id']);
  }

  /** What the passkey is to sign. */
  async function prepare(question: string): Promise<Prepared> {
    const store = await workspace.store();
    workspace.standing();
    const { state } = store.read();
    const seen = shownHash(state, state.questions.get(question) ?? assert.fail());
    const act = (signing: Signing) => decideQuestion(signing, question, { kind: 'answer', answer }, seen);
    return prepareSigned({ store, newId: workspace.options.newId, pin: passkey.pin }, act);
  }

  function recordOf(
    { payloads: [payload], keyid }: Prepared,
    { signature, authenticatorData, clientDataJSON }: PasskeySignature,
  ) {
    const sig = Buffer.from(signature, 'base64url').toString('base64');
    const signatures = [{ keyid, sig, webauthn: { authenticatorData, clientDataJSON } }];
    const envelope = { payloadType, payload: Buffer.from(canonicalJson(payload)).toString('base64'), signatures };
    return { kind: 'question.answered', v: 1, id, answer, envelope };
  }

  const resolve = (record: object, at = id): Promise<Called> => api.call('POST', `/blockers/${at}/resolve`, { record });
  const statusOf = async (one: string) => (await api.call('GET', `/blockers/${one}`)).body['status'];

  const forgeries: Readonly<Record<string, Parameters<Passkey['assert']>[1]>> = {
    'for another site': { origin: 'https://evil.example' },
    'for another domain': { rpId: 'evil.example' },
    'without a fingerprint, face or PIN': { flags: 1 },
    'without its human’s presence': { flags: 4 },
    'as a registration': { type: 'webauthn.create' },
    'over cut data': { cut: (data) => data.subarray(0, -1) },
  };
  for (const [how, change] of Object.entries(forgeries))
    it(`does not count when it signed ${how}`, async () => {
      const { status, body } = await resolve(recordOf(prepared, passkey.assert(prepared.options.challenge, change)));
      assert.deepEqual([status, body['code']], [403, 'denied'], JSON.stringify(body));
      assert.equal(await statusOf(id), 'PENDING');
    });

  it('does not count for another challenge, by another passkey, or with other words', async () => {
    const { challenge } = prepared.options;
    const signed = recordOf(prepared, passkey.assert(challenge));
    const forged = [
      recordOf(prepared, passkey.assert(Buffer.alloc(32).toString('base64url'))),
      recordOf(prepared, makePasskey('Ada', { origin: served.origin }).assert(challenge)),
      { ...signed, answer: { ...answer, text: 'Something else.' } },
    ];
    for (const record of forged) assert.equal((await resolve(record)).status, 403, JSON.stringify(record));
    assert.equal(await statusOf(id), 'PENDING');
  });

  it('resolves the blocker, and no other one', async () => {
    const other = await raise('Drop the other table?');
    const signed = recordOf(prepared, passkey.assert(prepared.options.challenge));
    const done = await resolve(signed);
    assert.deepEqual([done.status, done.body['status']], [200, 'RESOLVED'], JSON.stringify(done.body));
    const { body } = await api.call('GET', `/blockers/${id}`);
    assert.deepEqual([body['answer'], body['answered_by']], [answer.text, 'Ada']);
    assert.equal((await resolve(signed)).status, 409);
    assert.equal((await resolve({ ...signed, id: other }, other)).status, 403);
    assert.equal(await statusOf(other), 'PENDING');
  });

  it('is dated by the API, the events, the lists and the audit with the one instant that was signed', async () => {
    const at = prepared.payloads[0]?.at;
    const events = await followEvents({ origin: served.origin, token: api.token, since: beginning });
    await until('the event came', () =>
      events.events.some(({ type, blocker_id }) => type === 'blocker_resolved' && blocker_id === id),
    );
    events.stop();
    const event = events.events.find(({ type }) => type === 'blocker_resolved');
    const where = { workspace: served.sandbox.folder, env: environmentOf(served.sandbox) };
    const printed = async (...argv: string[]) => JSON.parse((await holdpoint(where, ...argv, '--json')).out) as object;
    const { questions } = (await printed('question', 'list', '--all')) as { questions: Record<string, unknown>[] };
    const { entries } = (await printed('audit')) as { entries: Record<string, unknown>[] };
    const dated = {
      api: (await api.call('GET', `/blockers/${id}`)).body['resolved_at'],
      event: event?.['resolved_at'],
      stream: event?.['time'],
      list: questions.find((one) => one['id'] === id)?.['answered_at'],
      audit: entries.find((one) => one['kind'] === 'question.answered' && one['mark'] === 'verified')?.['time'],
    };
    assert.deepEqual(dated, { api: at, event: at, stream: at, list: at, audit: at });
  });
});
