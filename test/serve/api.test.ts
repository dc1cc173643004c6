/** The API on the running program: an agent's token creates blockers, and only a human's signature resolves them. */
import assert from 'node:assert/strict';
import { shownHash, signRecord } from '../../src/app/decision/decisions.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { operations } from '../../src/tools/catalog.ts';
import { decide, enrolledHuman, makeHuman, type Human } from '../support/store/people.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { payloads } from '../webview/untrusted/payloads.ts';
import { openApi, type Api, type Called } from './api.ts';
import { send } from './attacks.ts';
import { startServe, type Served } from './program.ts';

describe('programs', () => {
  let served: Served;
  let workspace: Workspace;
  let human: Human;
  let api: Api;
  before(async () => {
    served = await startServe();
    workspace = served.sandbox.open({ clock: Date.now });
    human = enrolledHuman(workspace);
    api = await openApi(served, 'worker-001');
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  async function raise(more: object = {}): Promise<string> {
    const { status, body } = await api.call('POST', '/blockers', {
      question: `Which way, ${String(count++)}?`,
      ...more,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return String(body['id']);
  }
  let count = 0;

  async function statusOf(id: string): Promise<unknown> {
    return ((await api.call('POST', '/list_work', { id })).body['work'] as Record<string, unknown>)['status'];
  }

  function assertProblem({ status, body, headers }: Called, expected: number, said: RegExp): void {
    assert.equal(status, expected, JSON.stringify(body));
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    assert.match(String(body['detail']), said);
  }

  it('raise a blocker with the names of its fields, and read it', async () => {
    await api.call('POST', '/register_work', { id: 't-1', title: 'Authentication' });
    const created = await api.call('POST', '/blockers', {
      ...{ agent_id: 'worker-001', task_id: 't-1', blocker_type: 'SYNC' },
      question: 'JWT or sessions?',
    });
    assert.equal(created.status, 201);
    const { id, status, answer, task_title, blocker_type, agent_id, holding, blocks } = created.body;
    assert.equal(created.headers.location, `/api/blockers/${String(id)}`);
    assert.deepEqual(
      { status, answer, task_title, blocker_type, agent_id, holding, blocks },
      {
        ...{ status: 'PENDING', answer: null, task_title: 'Authentication', blocker_type: 'SYNC' },
        ...{ agent_id: 'worker-001', holding: true, blocks: [{ id: 't-1', title: 'Authentication' }] },
      },
    );
    const read = await api.call('GET', `/blockers/${String(id)}`);
    assert.deepEqual({ ...read.body, time_waiting_ms: 0 }, { ...created.body, time_waiting_ms: 0 });
    assert.equal(read.body['url'], `${served.origin}/open/${String(id)}`);
    const again = await api.call('POST', '/blockers', { task_id: 't-1', question: 'JWT or  sessions?' });
    assert.deepEqual([again.status, again.body['id']], [200, id], 'the same question is one blocker');
    assert.equal(await statusOf('t-1'), 'blocked_pending_human_input');
    const started = await api.call('POST', '/update_work', { id: 't-1', status: 'in_progress' });
    assertProblem(started, 403, new RegExp(`${String(id)}.*POST /api/await_answer \\{"id":"${String(id)}"\\}`, 's'));
  });

  it('list blockers with filters, in pages', async () => {
    const ids: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) ids.unshift(await raise({ blocker_type: 'ASYNC', urgency: 'low' }));
    const all = await api.call('GET', '/blockers?blocker_type=ASYNC');
    const idsOf = ({ body }: Called) => (body['blockers'] as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(idsOf(all), ids);
    const first = await api.call('GET', '/blockers?blocker_type=ASYNC&limit=2');
    assert.deepEqual([idsOf(first), first.body['total'], first.body['sync_count']], [ids.slice(0, 2), 5, 0]);
    const second = await api.call(
      'GET',
      `/blockers?blocker_type=ASYNC&limit=2&before=${String(first.body['next_before'])}`,
    );
    const third = await api.call(
      'GET',
      `/blockers?blocker_type=ASYNC&limit=2&before=${String(second.body['next_before'])}`,
    );
    assert.deepEqual([...idsOf(first), ...idsOf(second), ...idsOf(third)], ids);
    assert.equal(third.body['next_before'], null);
    assert.deepEqual(idsOf(await api.call('GET', '/blockers?agent_id=other-001')), []);
    assert.equal((await api.call('GET', '/blockers?status=PENDING&task_id=t-1')).body['total'], 1);
    const project = (await api.call('GET', '/whoami')).body['project_id'];
    assert.equal((await api.call('GET', `/blockers?project_id=${String(project)}&status=EXPIRED`)).body['total'], 0);
    assertProblem(await api.call('GET', '/blockers?project_id=1'), 404, /whoami/);
    for (const wrong of ['status=pending', 'limit=0', 'limit=501', 'before=12', 'colour=red'])
      assertProblem(await api.call('GET', `/blockers?${wrong}`), 422, /Nothing was done/);
    const unknown = /^Nothing was done\. There is no input "colour"\. The inputs are /;
    assert.match(String((await api.call('GET', '/blockers?colour=red')).body['detail']), unknown);
  });

  it('get a human’s answer by waiting for it, which counts as resuming', async () => {
    const id = await raise();
    const [waited] = await Promise.all([
      api.call('POST', '/await_answer', { id, wait_seconds: 30 }),
      decide(workspace, human, id, { kind: 'answer', answer: { text: 'Sessions.', choices: [] } }),
    ]);
    assert.equal(waited.body['result'], 'denied', 'others still hold the session');
    const { answer, status, answered_by, resolved_at } = (await api.call('GET', `/blockers/${id}`)).body;
    assert.deepEqual([answer, status, answered_by], ['Sessions.', 'RESOLVED', 'Ada']);
    assert.ok(resolved_at);
    const { state } = (await workspace.store()).read();
    assert.ok(state, 'the store is readable');
    assert.equal((await api.call('POST', '/await_answer', { id, wait_seconds: 0 })).body['result'], 'denied');
  });

  it('learn that they must not continue', async () => {
    const id = await raise({ type: 'approval' });
    const waiting = await api.call('POST', '/await_answer', { id, wait_seconds: 0 });
    assert.equal(waiting.body['result'], 'waiting');
    await decide(workspace, human, id, { kind: 'answer', answer: { text: 'Too risky.', choices: ['No'] } });
    const { result, approved } = (await api.call('POST', '/await_answer', { id })).body;
    assert.deepEqual([result, approved], ['refused', false]);
  });

  it('cannot resolve a blocker with words', async () => {
    const id = await raise();
    const answered = await api.call('POST', `/blockers/${id}/resolve`, { answer: 'Go on.' });
    assertProblem(answered, 403, /signature/);
    assert.equal(answered.body['url'], `${served.origin}/open/${id}`);
    for (const body of [{}, [], null, 'yes', { answer: 1 }, { record: {} }, { answer: 'x', by: 'Ada' }])
      assert.equal((await api.call('POST', `/blockers/${id}/resolve`, body)).status, 422, JSON.stringify(body));
    assert.equal((await api.call('GET', `/blockers/${id}`)).body['status'], 'PENDING');
  });

  it('can hand in what a human signed, and nothing else', async () => {
    const [id, other] = [await raise(), await raise()];
    const signed = await signedAnswer(id, human);
    const resolve = (record: unknown, at = id) => api.call('POST', `/blockers/${at}/resolve`, { record });
    workspace.standing();
    const before = workspace.position();
    assertProblem(await resolve(await signedAnswer(id, makeHuman('Ada'))), 403, /list of keys/);
    assertProblem(await resolve({ ...signed, answer: { text: 'Something else.', choices: [] } }), 403, /is not valid/);
    assertProblem(await resolve(signed, other), 422, new RegExp(`decides ${id}, not ${other}`));
    assertProblem(await resolve({ ...signed, id: other }, other), 403, /is not valid/);
    assertProblem(await resolve({ ...signed, kind: 'question.released', note: 'x' }), 403, /is not valid/);
    assertProblem(await resolve({ kind: 'work.registered', v: 1, id: 't-9', envelope: {} }), 422, /record/);
    workspace.standing();
    assert.deepEqual(workspace.position(), before, 'nothing forged is in the journal');
    const done = await resolve(signed);
    assert.deepEqual([done.status, done.body['status'], done.body['blocker_id']], [200, 'RESOLVED', id]);
    const twice = await resolve(signed);
    assert.deepEqual([twice.status, twice.body['resolved_at']], [409, done.body['resolved_at']]);
    assert.equal((await api.call('GET', `/blockers/${id}`)).body['answered_by'], 'Ada');
    assert.equal((await api.call('GET', `/blockers/${other}`)).body['status'], 'PENDING');
  });

  async function signedAnswer(id: string, signer: Human): Promise<object> {
    const store = await workspace.store();
    workspace.standing();
    const { state, now } = store.read();
    const question = state.questions.get(id);
    assert.ok(question);
    const record = {
      kind: 'question.answered',
      v: 1,
      id,
      answer: { text: 'Signed.', choices: [] as string[] },
    } as const;
    const nonce = workspace.options.newId();
    return signRecord(store, signer, record, { shown: shownHash(state, question), nonce, at: now });
  }

  it('say what was wrong and what to do', async () => {
    for (const at of ['/blockers/Q-999', '/blockers/x', '/blockers/Q-1%2f..']) {
      const missing = await api.call('GET', at);
      assertProblem(missing, 404, /GET \/api\/blockers/);
      assert.equal(missing.body['error'], 'Blocker not found');
    }
    assert.equal((await api.call('POST', '/blockers/Q-999/resolve', { reason: 'x' })).status, 404);
    assert.equal((await api.call('POST', '/await_answer', { id: 'Q-999' })).status, 404);
    assertProblem(await api.call('POST', '/await_answer', { id: 'Q-999', wait_seconds: 51 }), 422, /wait_seconds/);
    assertProblem(
      await api.call('POST', '/blockers', { agent_id: 'other-001', question: 'x?' }),
      403,
      /acts as worker-001/,
    );
    assertProblem(await api.call('POST', '/blockers', { question: 'x'.repeat(2_001) }), 422, /question: .*2000/);
    assertProblem(await api.call('POST', '/blockers', { question: '   ' }), 422, /question/);
    assertProblem(await api.call('POST', '/blockers', { question: 'x?', approve: true }), 422, /approve/);
    assertProblem(
      await api.call('POST', '/blockers', { question: 'x?', task_id: 'nowhere' }),
      404,
      /POST \/api\/register_work/,
    );
    assertProblem(await api.call('POST', '/list_work', { id: 'nowhere' }), 404, /nowhere/);
    assertProblem(await api.call('GET', '/check_gate'), 405, /takes POST/);
    assertProblem(await api.call('GET', '/secrets'), 404, /openapi/);
    const cut = await send(served.origin, {
      ...{ method: 'POST', path: '/api/blockers', body: '{"question":' },
      headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    });
    assert.equal(cut.status, 400, 'what is not JSON');
    assertProblem(await api.call('PATCH', '/blockers'), 405, /takes GET and HEAD and POST/);
  });

  it('ask the gate, whose denial is not a success', async () => {
    await api.call('POST', '/register_work', { id: 'flow/t#2', title: 'Payments', holds: ['src/pay/**'] });
    const free = await api.call('POST', '/check_gate', { work_id: 'flow/t#2', files: ['docs/a.md'] });
    const other = await openApi(served, 'gate-001');
    assert.equal((await other.call('POST', '/check_gate', { work_id: 'flow/t#2' })).status, 200);
    assert.ok([200, 403].includes(free.status));
    await raise({ task_id: 'flow/t#2' });
    const held = await other.call('POST', '/check_gate', { files: ['src/pay/card.ts'] });
    assert.deepEqual([held.status, held.body['verdict'], held.body['state']], [403, 'deny', 'BLOCKED']);
    assert.equal(await statusOf('flow/t#2'), 'blocked_pending_human_input');
    assert.equal((await other.call('POST', '/check_gate', { files: ['../../etc/passwd'] })).status === 200, false);
    assert.equal((await other.call('POST', '/check_gate', { work_id: 'unknown' })).status, 403);
  });

  it('read the document without a token, and it is the one that ships', async () => {
    const { status, body } = await send(served.origin, { path: '/api/openapi.json' });
    assert.equal(status, 200);
    const { paths } = JSON.parse(body) as { readonly paths: object };
    for (const { name } of operations) assert.ok(`/api/${name}` in paths, name);
  });

  it('get texts of agents as data, whatever they contain', async () => {
    const texts = payloads.filter((payload) => payload.trim() === payload && payload.length <= 2_000);
    assert.ok(texts.length > 100);
    const some = texts.filter((_, at) => at % 40 === 0);
    const asked = some.map((payload) => ({ question: payload, blocker_type: 'ASYNC', context: payload }));
    let stored = 0;
    for (const body of asked) {
      const created = await api.call('POST', '/blockers', body);
      if (created.status === 422) continue; // control characters
      stored += 1;
      assert.equal(created.body['question'], body.question);
      const answer = await send(served.origin, {
        path: `/api/blockers/${String(created.body['id'])}`,
        headers: { authorization: `Bearer ${api.token}`, accept: 'text/html' },
      });
      assert.match(String(answer.headers['content-type']), /^application\/json/);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff');
      assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/);
    }
    assert.ok(stored > asked.length / 2);
  });

  it('do not reach another folder through a path', async () => {
    for (const at of [
      '/../session',
      '/blockers/../../session',
      '/blockers/..%2f..%2fsession',
      '//blockers',
      '/blockers//',
    ])
      assert.notEqual(
        (await send(served.origin, { path: `/api${at}`, headers: { authorization: `Bearer ${api.token}` } })).status,
        200,
        at,
      );
  });
});
