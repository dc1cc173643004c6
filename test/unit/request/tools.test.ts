import assert from 'node:assert/strict';
import fs from 'node:fs';
import { appoint, shownAppointmentHash, type Appointment } from '../../../src/app/request/decisions.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { signedBy, enrolledHuman } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { callTool, says } from '../../support/store/callTool.ts';

describe('the tools for requests', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;

  beforeEach(async () => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    await call('register_responsibility', { id: 'asker', name: 'Asker' }, 'asker-001');
    await call('register_responsibility', { id: 'doer', name: 'Doer', agents: ['doer-002'] }, 'doer-001');
  });
  afterEach(removeSandboxes);

  const call = (name: string, input: unknown, as = 'doer-001') => callTool(workspace, name, input, { as });

  async function appointed(appointment: Appointment): Promise<void> {
    const store = await workspace.store();
    const human = enrolledHuman(workspace);
    await appoint(signedBy(store, human), appointment, shownAppointmentHash(store.read().state, appointment));
  }

  const create = (more: object = {}, as = 'asker-001') =>
    call('create_request', { target: 'doer', subject: 'Look.', summary: 'It fails.', ...more }, as);
  const respond = (action: string, more: object = {}, as = 'doer-001') =>
    call('respond_to_request', { id: 'R-1', action, ...more }, as);
  const list = (more: object = {}, as = 'doer-001') => call('list_requests', more, as);

  it('register a responsibility, and admit others', async () => {
    await says(
      call('register_responsibility', { id: 'doer', name: 'Doer', agents: ['doer-003'] }),
      'ok',
      /^Updated: agents was .*\. doer \(agent, "Doer"\): doer-001, doer-002, doer-003 act for it/,
    );
    await says(
      call('register_responsibility', { id: 'doer', name: 'Mine' }, 'evil-001'),
      'error',
      /[Rr]esponsibility doer already exists.*one of them to add you/,
    );
    await says(
      call('register_responsibility', { id: 'boss', name: 'Boss', kind: 'human' }),
      'error',
      /kind must be agent or automation/,
    );
    await says(call('register_responsibility', { id: 'Jane', name: 'Jane' }), 'error', /id: .*lower-case/);
    await appointed({ id: 'jane', kind: 'steward', name: 'Jane', agents: [] });
    await says(
      call('register_responsibility', { id: 'jane', name: 'Jane' }),
      'denied',
      /Only a human can appoint, in a form, who acts for jane, a steward/,
    );
  });

  it('carry a payload to the target, and refuse fields of the request in it', async () => {
    const payload_json = { ticket: 'API-7', nested: { deep: [null, 1.5] } };
    await says(create({ payload_json }), 'ok', /^Created R-1/);
    const shown = await says(list({ id: 'R-1' }), 'ok', /Data: \{"ticket":"API-7","nested":\{"deep":\[null,1\.5\]\}\}/);
    const { request } = shown.data as { readonly request: { readonly payload_json: unknown } };
    assert.deepEqual(request.payload_json, payload_json);
    const hints = { user_hints: { suggested_responsibilities: ['doer'] } };
    await says(
      create({ payload_json: hints }),
      'error',
      /user_hints has no effect there; give it as suggested_responsibilities/,
    );
    await says(create({ payload_json: { bundle_ids: [] } }), 'error', /give it as bundle_ids/);
    await says(create({ payload_json: [1] }), 'error', /payload_json: must be a JSON object/);
    await says(list({ box: 'outbox' }, 'asker-001'), 'ok', /^1 request\n/);
  });

  it('create a request, return the next step, and return the first request for a duplicate', async () => {
    await says(
      create({ idempotency_key: 'k', due_at: '2026-03-02T12:00:00+01:00' }),
      'ok',
      /^Created R-1 · pending · asker to doer · priority 100 · due 2026-03-02T11:00:00\.000Z · Look\.\. You do not have to wait: .*holdpoint_await_answer \{"id":"R-1"\}/,
    );
    await says(create({ idempotency_key: 'k' }), 'ok', /with this key already exists: R-1/);
  });

  it('refuse invalid input, naming the field', async () => {
    await says(create({ target: 'nobody' }), 'error', /[Tt]arget: there is no responsibility nobody/);
    await says(
      create({}, 'new-001'),
      'error',
      /act for no responsibility yet\. Register yours: holdpoint_register_responsibility\./,
    );
    await says(create({ type: 'ingest_new_context' }), 'error', /bundle_ids: is required for ingest_new_context/);
    await says(create({ bundle_ids: ['b'] }), 'error', /bundle_ids: does not belong to request_for_action/);
    await says(
      create({ type: 'new_context_available', bundle_ids: ['b'], objectives: ['x'] }),
      'denied',
      /only stewards originate new_context_available/,
    );
    await says(create({ available_at: 'tomorrow' }), 'error', /available_at must be a time such as/);
    await says(create({ subject: 'x'.repeat(201) }), 'error', /subject: must be at most 200/);
    await says(call('register_responsibility', { id: 'second', name: 'Second' }, 'asker-001'), 'ok');
    await says(create(), 'error', /name which of asker, second/);
    await says(create({ origin: 'asker' }), 'ok', /Created R-1/);
  });

  it('keep body_md_path inside the workspace, whatever its spelling', async () => {
    fs.mkdirSync(sandbox.at('elsewhere'));
    fs.writeFileSync(sandbox.at('elsewhere', 'secret.md'), '');
    fs.symlinkSync(sandbox.at('elsewhere'), sandbox.at('ws', 'link'));
    for (const outside of [
      '../elsewhere/secret.md',
      sandbox.at('elsewhere', 'secret.md'),
      'link/secret.md',
      '/etc/x.md',
    ])
      await says(create({ body_md_path: outside }), 'error', /body_md_path .*must be inside the workspace/);
    await says(create({ body_md_path: 'docs/why.txt' }), 'error', /must be a Markdown file/);
    const { data } = await says(create({ body_md_path: sandbox.at('ws', 'docs', 'why.md') }), 'ok');
    assert.equal((data['request'] as { body_md_path: string }).body_md_path, 'docs/why.md');
  });

  it('list incoming requests, outgoing requests and targets', async () => {
    await create({ priority: 50 });
    await create({ available_at: '2026-03-02T10:00:00Z' });
    await says(list(), 'ok', /^2 requests\nR-1 · pending .*\nR-2 · created .* · from 2026-03-02T10:00/);
    await says(list({ box: 'claimable' }), 'ok', /^1 request\nR-1/);
    await says(list({ box: 'outbox' }), 'ok', /^0 requests$/);
    await says(list({ box: 'outbox' }, 'asker-001'), 'ok', /^2 requests/);
    await says(list({ box: 'claimable' }, 'new-001'), 'error', /Responsibility|responsibility: you act for none yet/);
    await says(list({ responsibility: 'nobody' }), 'error', /no responsibility nobody/);
    await says(
      list({ box: 'all', limit: 1 }, 'new-001'),
      'ok',
      /^1 of 2 requests\nR-1.*\n1 more: repeat this with "skip": 1\.\nasker · agent · Asker · asker-001\ndoer · .*\ndoer: 1 open · 0 late/,
    );
    sandbox.clock.now += 2 * hour;
    await says(list({ box: 'claimable', responsibility: 'doer' }, 'new-001'), 'ok', /^2 requests\nR-1.*\nR-2/);
    await says(list({ id: 'R-9' }), 'error', /no request R-9/);
  });

  it('accept a request, return the next step, and complete it', async () => {
    await create({ suggested_actions: ['Read the log.'], links: ['docs/login.md'] });
    await says(respond('accept', {}, 'evil-001'), 'denied', /[Oo]nly its target doer can accept R-1/);
    await says(respond('complete', { note: 'x' }), 'error', /R-1 is pending: it can only become/);
    await says(respond('complete'), 'error', /note: is required for complete/);
    await says(
      respond('accept', { work: [{ id: 't-1', title: 'Look at it' }] }, 'doer-002'),
      'ok',
      /R-1 · accepted .* It is yours\. When it is done: holdpoint_respond_to_request \{"id":"R-1","action":"complete"/,
    );
    await says(respond('accept'), 'error', /R-1 is accepted: .*doer-002 accepted it at/);
    await says(respond('report_failure', { note: 'It crashed.' }), 'ok');
    await says(respond('make_work', { work: [{ id: 't-2', title: 'Again' }] }), 'ok');
    await says(respond('complete', { note: 'It was the clock.' }), 'ok', /R-1 · completed .*That is final/);
    await says(
      list({ id: 'R-1' }),
      'ok',
      /It fails\.\nLinks: docs\/login\.md\nSuggested: Read the log\.\n(?:.*\n)*Last error: It crashed\.\nWork: t-1; t-2\nNote: It was the clock\.\n/,
      / refused by evil-001: accept: only its target/,
      / completed by doer-001: It was the clock\.$/,
    );
  });

  it('defer, resume, reject and cancel', async () => {
    await create();
    await create();
    await create();
    await says(respond('defer'), 'error', /until: is required for defer/);
    await says(respond('defer', { until: '2026-03-02T08:00:00Z' }), 'error', /until: must be later than now/);
    await says(respond('defer', { until: '2026-03-02T10:00:00Z' }), 'ok', /comes back at 2026-03-02T10:00/);
    sandbox.clock.now += 2 * hour;
    await says(respond('accept'), 'ok', /accepted/);
    await says(respond('reject', { id: 'R-2', note: 'Not ours.' }), 'ok', /rejected/);
    await says(respond('cancel', { id: 'R-3', note: 'x' }), 'denied', /[Oo]nly its origin asker/);
    await says(respond('cancel', { id: 'R-3', note: 'x' }, 'asker-001'), 'ok', /cancelled/);
  });

  it('process new context through a steward, and announce it', async () => {
    await appointed({ id: 'jane', kind: 'steward', name: 'Jane', agents: ['jane-001'] });
    const bundle = { bundle_ids: ['b-1'], objectives: ['Know it.', 'Use it.'] };
    await says(
      create({
        type: 'ingest_new_context',
        target: 'jane',
        ...bundle,
        suggested_responsibilities: ['doer'],
        tags: ['auth'],
      }),
      'ok',
      /R-1 · pending · ingest_new_context/,
    );
    await says(
      respond('accept', {}, 'jane-001'),
      'ok',
      /record_step: normalise, lineage, dispatch.*ingest_request_id R-1/,
    );
    const step = (name: string) => respond('record_step', { step: name, note: 'Done.' }, 'jane-001');
    await says(step('lineage'), 'ok', /record_step: normalise, dispatch/);
    await says(step('dispatch'), 'error', /Record normalise first/);
    await says(step('normalise'), 'ok');
    await says(
      create({ type: 'new_context_available', ...bundle, ingest_request_id: 'R-1' }, 'jane-001'),
      'ok',
      /Created R-2/,
    );
    await says(respond('complete', { note: 'The doer has it.' }, 'jane-001'), 'ok');
    await says(respond('accept', { id: 'R-2' }), 'error', /ack_context_relevant or not_relevant/);
    await says(respond('not_relevant', { id: 'R-2' }), 'ok', /R-2 · rejected/);
    await says(list({ id: 'R-1' }), 'ok', /Bundles: b-1\nObjectives: Know it\.; Use it\.\n/);
  });
});
