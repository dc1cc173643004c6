/** Context that hooks give a session: new answers, with a prompt and before stopping, until they are acknowledged. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {
  createRequest,
  registerResponsibility,
  respondToRequest,
  type AgentAnswer,
} from '../../../src/app/request/requests.ts';
import { openAgent } from '../../../src/app/workspace/agents.ts';
import { hostNames } from '../../../src/core/kit/limits.ts';
import { hosts } from '../../../src/hosts/hosts.ts';
import type { HostName } from '../../../src/hosts/host.ts';
import { parkQuestion, awaitAnswer } from '../../../src/tools/question/waiting.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { asSentBy, hasContext } from '../../support/hostCalls.ts';
import { agent, decide, enrolledHuman, yes } from '../../support/store/people.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

type Event = 'SessionStart' | 'UserPromptSubmit' | 'Stop';

/** The output of a hook for an event of a session. */
async function answerTo(place: Sandbox, host: HostName, event: Event, session: string, more: object = {}) {
  const payload = { hook_event_name: event, session_id: session, cwd: place.folder, prompt: 'Go on', ...more };
  return hookAnswer(place, {}, { host, bytes: Buffer.from(JSON.stringify(asSentBy(host, payload))) });
}

const silence = { exit: 0, out: '', err: '' };

/** A session that asked one question without work, and whose program has ended. */
async function asked(host: HostName): Promise<Sandbox> {
  const place = makeSandbox();
  const workspace = place.open();
  const live = openAgent(workspace, { type: hosts[host].agentType, host, session: 'first' });
  const context = { workspace, session: live.session, signal: new AbortController().signal, waitMs: 0 };
  const raised = await runOperation(raiseQuestion, context, { text: 'JWT or sessions?', type: 'decision' });
  assert.equal(raised.status, 'ok', raised.text);
  live.release();
  return place;
}

async function answered(place: Sandbox): Promise<void> {
  const workspace = place.open();
  await decide(workspace, enrolledHuman(workspace), 'Q-1', yes);
}

describe('a hook delivers', () => {
  afterEach(removeSandboxes);

  for (const host of hostNames.filter(hasContext))
    it(`${host}: the resume brief with the answer, when the next session starts`, async () => {
      const place = await asked(host);
      const workspace = place.open();
      const live = openAgent(workspace, { type: hosts[host].agentType, host, session: 'first' });
      const context = { workspace, session: live.session, signal: new AbortController().signal, waitMs: 0 };
      const brief = { id: 'Q-1', doing: 'Writing the login.', next: 'Add the tokens.', check_first: 'The branch.' };
      assert.equal((await runOperation(parkQuestion, context, brief)).status, 'ok');
      live.release();
      await answered(place);
      const { exit, out } = await answerTo(place, host, 'SessionStart', 'second', { source: 'startup' });
      assert.equal(exit, 0);
      assert.match(out, /Q-1 answered by Ada.*Yes, go on\..*Writing the login\..*Add the tokens\..*The branch\./);
    });

  for (const host of hostNames.filter(hasContext))
    it(`${host}: a late answer, with the next prompt of a new session, until it is acknowledged`, async () => {
      const place = await asked(host);
      assert.deepEqual(await answerTo(place, host, 'UserPromptSubmit', 'first'), silence);
      assert.deepEqual(await answerTo(place, host, 'Stop', 'first'), silence);
      await answered(place);
      for (const session of ['second', 'third']) {
        const { exit, out, err } = await answerTo(place, host, 'UserPromptSubmit', session);
        assert.deepEqual([exit, err], [0, '']);
        assert.match(out, /a human has answered\.\\nQ-1 answered by Ada.*Yes, go on\./);
      }
      const workspace = place.open();
      const live = openAgent(workspace, { type: hosts[host].agentType, host, session: 'third' });
      const context = { workspace, session: live.session, signal: new AbortController().signal, waitMs: 0 };
      assert.match((await runOperation(awaitAnswer, context, { id: 'Q-1' })).text, /^Q-1 answered by Ada/);
      live.release();
      for (const event of ['UserPromptSubmit', 'Stop'] as const)
        assert.deepEqual(await answerTo(place, host, event, 'third'), silence);
    });

  for (const host of hostNames.filter(hasContext))
    it(`${host}: a late answer once in the first message of a session, at its start and not with the prompt too`, async () => {
      const place = await asked(host);
      await answered(place);
      for (const again of [1, 2]) {
        const start = await answerTo(place, host, 'SessionStart', 'second', { source: 'resume' });
        assert.match(start.out, /Q-1 answered by Ada/, String(again));
        assert.deepEqual(await answerTo(place, host, 'UserPromptSubmit', 'second'), silence);
        assert.match((await answerTo(place, host, 'UserPromptSubmit', 'second')).out, /Q-1 answered by Ada/);
      }
      assert.match((await answerTo(place, host, 'UserPromptSubmit', 'third')).out, /Q-1 answered by Ada/);
    });

  for (const host of hostNames.filter(hasContext))
    it(`${host}: before the agent stops, once per session, and never while it continues because of that`, async () => {
      const place = await asked(host);
      await answered(place);
      assert.deepEqual(await answerTo(place, host, 'Stop', 'second', { stop_hook_active: true }), silence);
      const { exit, out, err } = await answerTo(place, host, 'Stop', 'second');
      assert.equal(exit, 2);
      for (const said of [out, err]) assert.match(said, /Q-1 answered by Ada/);
      assert.match(err, /holdpoint_await_answer/);
      assert.deepEqual(await answerTo(place, host, 'Stop', 'second'), silence);
      assert.equal((await answerTo(place, host, 'Stop', 'third')).exit, 2);
    });

  it('to no other host, and to no other live agent of the same host', async () => {
    const place = await asked('claude-code');
    await answered(place);
    for (const event of ['UserPromptSubmit', 'Stop'] as const)
      assert.deepEqual(await answerTo(place, 'codex', event, 'x'), silence);
    const workspace = place.open();
    const first = openAgent(workspace, { type: 'claude-code', host: 'claude-code', session: 'first' });
    const second = openAgent(workspace, { type: 'claude-code', host: 'claude-code', session: 'second' });
    first.serves('first');
    second.serves('second');
    assert.deepEqual(await answerTo(place, 'claude-code', 'Stop', 'second'), silence);
    assert.equal((await answerTo(place, 'claude-code', 'Stop', 'first')).exit, 2);
    first.release();
    second.release();
  });

  /** A request of asker, which codex acts for, to doer, which claude-code does. */
  async function requested(): Promise<Sandbox> {
    const place = makeSandbox();
    const store = await place.open().store();
    await registerResponsibility(store, agent('codex-001'), { id: 'asker', kind: 'agent', name: 'Asker', agents: [] });
    await registerResponsibility(store, agent('claude-code-001'), {
      id: 'doer',
      kind: 'agent',
      name: 'Doer',
      agents: [],
    });
    const payload = { suggested_actions: [], links: [], tags: [] };
    const ask = { type: 'request_for_action', payload } as const;
    await createRequest(store, agent('codex-001'), {
      ask,
      target: 'doer',
      subject: 'Rotate the keys',
      summary: 'Old.',
    });
    return place;
  }
  const respond = async (place: Sandbox, answer: AgentAnswer) =>
    respondToRequest(await place.open().store(), agent('claude-code-001'), 'R-1', answer);

  it('the target that a request waits: when a session starts, and once with a prompt; it may stop nevertheless', async () => {
    const place = await requested();
    const waits = /1 request waits for you: R-1 .*Rotate the keys.* \(from asker\)/;
    assert.deepEqual(await answerTo(place, 'claude-code', 'Stop', 'x'), silence);
    assert.match((await answerTo(place, 'claude-code', 'UserPromptSubmit', 'x')).out, waits);
    for (const session of ['x', 'y']) {
      const { out } = await answerTo(place, 'claude-code', 'SessionStart', session, { source: 'startup' });
      assert.match(out, waits);
      assert.equal(out.split('R-1').length, 2, 'it is said once');
    }
    for (const event of ['UserPromptSubmit', 'Stop'] as const)
      assert.deepEqual(await answerTo(place, 'codex', event, 'x'), silence);
    const started = await answerTo(place, 'codex', 'SessionStart', 'x', { source: 'startup' });
    assert.doesNotMatch(started.out, /waits for you/);
  });

  it('the origin what became of a request, as no human’s word; only its end keeps a session from stopping', async () => {
    const place = await requested();
    await respond(place, { act: 'accept', work: [] });
    assert.deepEqual(await answerTo(place, 'codex', 'Stop', 'x'), silence);
    const accepted = await answerTo(place, 'codex', 'UserPromptSubmit', 'x');
    assert.match(accepted.out, /Request updates:\\nR-1 .* was accepted by claude-code-001/);
    assert.doesNotMatch(accepted.out, /human/);
    await respond(place, { act: 'complete', note: 'All are new.' });
    const { exit, err } = await answerTo(place, 'codex', 'Stop', 'x');
    assert.equal(exit, 2);
    assert.match(err, /R-1 "Rotate the keys" was completed by doer.*: All are new\.\nAct on it before you stop\.$/);
    assert.deepEqual(await answerTo(place, 'codex', 'Stop', 'x'), silence);
    assert.deepEqual(await answerTo(place, 'claude-code', 'Stop', 'x'), silence);
  });

  it('open questions to every session at its start, or that the state is UNKNOWN', async () => {
    const place = await asked('claude-code');
    const { exit, out } = await answerTo(place, 'claude-code', 'SessionStart', 'x', { source: 'startup' });
    assert.equal(exit, 0);
    assert.match(out, /holdpoint_check_gate.*Waiting for a Human.*Q-1/);
    place.close();
    fs.truncateSync(place.journal, 10);
    const unknown = await answerTo(place, 'claude-code', 'SessionStart', 'x', { source: 'startup' });
    assert.equal(unknown.exit, 0);
    assert.match(unknown.out, /UNKNOWN.*Change nothing until/);
    assert.deepEqual(await answerTo(place, 'claude-code', 'Stop', 'x'), silence);
  });
});
