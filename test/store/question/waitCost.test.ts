/** What waiting costs: noted by the host's hook, recorded by the tool that waits, and never more than information. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { shownHash } from '../../../src/app/decision/decisions.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { expiryOf } from '../../../src/core/state/waitCost.ts';
import { dashboard } from '../../../src/app/dashboard/dashboard.ts';
import { decideRfc, shownRfcHash } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { readPrices } from '../../../src/app/waiting/tokenPrices.ts';
import { dashboardText } from '../../../src/cli/dashboard/text.ts';
import { agentCache, cacheSecondsFor } from '../../../src/vscode/surface/agentCache.ts';
import { foldersOf } from '../../../src/serve/kit/folders.ts';
import { byCache, chooseOrder, inChosenOrder } from '../../../src/vscode/waiting/cacheOrder.ts';
import type { Waiting } from '../../../src/vscode/waiting/nodes.ts';
import { answerHook } from '../../../src/hook/answer.ts';
import type { HookHost } from '../../../src/hosts/names.ts';
import { callTool, toolNamed } from '../../../src/mcp/calls.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, minute, realFs, removeSandboxes, wasm } from '../../support/store/sandbox.ts';

const claude = agent('claude-code-001', { session: 'first' });
const other = agent('claude-code-002', { session: 'second' });
const context = { tokens: 180_002, cached: 180_000, cacheSeconds: 300, model: 'claude-x' };

async function setting() {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  const store = await workspace.store();
  await registerWork(store, claude, { id: 'T1', title: 'Clean up', holds: ['db'] });
  const transcript = sandbox.at('session.jsonl');
  const usage = {
    ...{ input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 179_000, cache_creation_input_tokens: 1_000 },
    cache_creation: { ephemeral_5m_input_tokens: 1_000 },
  };
  fs.writeFileSync(transcript, JSON.stringify({ type: 'assistant', message: { model: 'claude-x', usage } }));

  /** What the hook of the host does before the tool runs. */
  async function hook(name: string, input: object, host: HookHost = 'claude-code', file = transcript) {
    const payload = {
      ...{ hook_event_name: 'PreToolUse', session_id: 'first', transcript_path: file, cwd: sandbox.folder },
      ...{ tool_name: `mcp__holdpoint__holdpoint_${name}`, tool_input: input },
    };
    const printed = await answerHook(
      { host, folder: sandbox.folder, bytes: Buffer.from(JSON.stringify(payload)) },
      {
        ...{ fs: realFs, env: {}, platform: 'linux', home: sandbox.home, wasm },
        ...{ clock: () => sandbox.clock.now, newId: randomUUID },
      },
    );
    assert.equal(printed.exit, 0, printed.err);
  }
  const call = async (name: string, input: object, session = claude) => {
    const signal = new AbortController().signal;
    const tool = toolNamed(`holdpoint_${name}`)!;
    const result = await callTool(tool, input, { workspace, session, signal, waitMs: 5, progress: null });
    assert.notEqual(result.isError, true, JSON.stringify(result));
  };
  const question = (id = 'Q-1') => store.read().state.questions.get(id)!;
  const rows = () => store.read().rows.all(store.read().rows.query.selectFrom('waits').selectAll());
  const notes = () => path.join(sandbox.userFolder, 'hooks', 'contexts');
  return { sandbox, workspace, human, store, transcript, hook, call, question, rows, notes };
}

const asked = { text: 'Drop the table?', work_id: 'T1' };

describe('what waiting costs', () => {
  afterEach(removeSandboxes);

  it('is recorded with the question that the call waits for, and changes nothing else', async () => {
    const { sandbox, workspace, store, hook, call, question, rows, notes } = await setting();
    await call('raise_question', { ...asked, wait_seconds: 0 });
    const shown = shownHash(store.read().state, question());
    const denied = () => askGate(workspace, { work: 'T1' }).reasons.map(({ code, subject }) => [code, subject]);
    const held = denied();
    assert.ok(held.length > 0);
    assert.equal(question().cost, null, 'it did not wait');
    await hook('await_answer', { id: 'Q-1' });
    sandbox.clock.now += 1_000;
    await call('await_answer', { id: 'Q-1' });
    const usedAt = new Date(sandbox.clock.now - 1_000).toISOString();
    const callEndsAt = new Date(sandbox.clock.now + 5).toISOString();
    assert.deepEqual(question().cost, { usedAt, callEndsAt, ...context });
    assert.equal(shownHash(store.read().state, question()), shown);
    assert.deepEqual(denied(), held);
    const [row] = rows();
    assert.deepEqual(
      [row?.item_ids, row?.agent_id, row?.session, row?.used_at, row?.tokens],
      ['["Q-1"]', 'claude-code-001', 'first', usedAt, 180_002],
    );
    assert.deepEqual(fs.readdirSync(notes()), [], 'the note was taken');
    const { cost } = question();
    workspace.close();
    const again = (await sandbox.open().store()).read().state.questions.get('Q-1');
    assert.deepEqual(again?.cost, cost, 'it survives a restart');
  });

  it('is recorded for a question that the call asks, all that it waits for, and when the agent ends its turn', async () => {
    const { hook, call, question, rows } = await setting();
    const first = { ...asked, wait_seconds: 1 };
    await hook('raise_question', first);
    await call('raise_question', first);
    assert.equal(question().cost?.tokens, context.tokens);
    await call('raise_question', { text: 'And the other?', wait_seconds: 0 });
    await call('raise_question', { text: 'Of another agent?', wait_seconds: 0 }, other);
    await hook('await_answer', {});
    await call('await_answer', {});
    assert.deepEqual(
      rows().map((row) => row.item_ids),
      ['["Q-1"]', '["Q-1","Q-2"]'],
    );
    const brief = { id: 'Q-1', doing: 'Moving.', next: 'Dropping.' };
    await hook('park_question', brief);
    await call('park_question', brief);
    assert.equal(question().cost?.callEndsAt, null);
    await hook('await_answer', { id: 'Q-3' });
    await call('await_answer', { id: 'Q-3' });
    assert.equal(question('Q-3').cost, null, 'it waits for a question of another agent');
  });

  it('is unknown without a note of this call, of this host, or of the last hour', async () => {
    const { sandbox, hook, call, question } = await setting();
    await call('raise_question', { ...asked, wait_seconds: 0 });
    await hook('await_answer', { id: 'Q-1', wait_seconds: 1 });
    await call('await_answer', { id: 'Q-1' });
    await hook('await_answer', { id: 'Q-1' }, 'codex');
    await call('await_answer', { id: 'Q-1' });
    await hook('await_answer', { id: 'Q-1' }, 'claude-code', sandbox.at('missing.jsonl'));
    await call('await_answer', { id: 'Q-1' });
    await hook('await_answer', { id: 'Q-1' });
    sandbox.clock.now += 61 * minute;
    await call('await_answer', { id: 'Q-1' });
    assert.equal(question().cost, null);
  });

  it('is nothing that an agent can get more with than a wrong number: other notes are thrown away', async () => {
    const { sandbox, hook, call, question, notes } = await setting();
    await call('raise_question', { ...asked, wait_seconds: 0 });
    const now = sandbox.clock.now;
    for (const note of [
      '{',
      '[]',
      JSON.stringify({ v: 1, at: now, tokens: 1e12 }),
      JSON.stringify({ v: 1, at: now + minute, tokens: 1 }),
      JSON.stringify({ v: 1, at: now, tokens: 1, more: 1 }),
      JSON.stringify({ v: 1, at: now, tokens: 1, model: 'x'.repeat(101) }),
    ]) {
      await hook('await_answer', { id: 'Q-1' });
      const [name = ''] = fs.readdirSync(notes());
      fs.writeFileSync(path.join(notes(), name), note);
      await call('await_answer', { id: 'Q-1' });
      assert.equal(question().cost, null, note);
    }
  });

  it('stays as it was once a human has decided', async () => {
    const { workspace, human, hook, call, question } = await setting();
    await call('raise_question', { ...asked, wait_seconds: 0 });
    await decide(workspace, human, 'Q-1');
    await hook('await_answer', { id: 'Q-1' });
    await call('await_answer', { id: 'Q-1' });
    assert.equal(question().cost, null);
  });
});

describe('what people see of it', () => {
  afterEach(removeSandboxes);

  async function waiting() {
    const place = await setting();
    const { hook, call, sandbox } = place;
    await call('raise_question', { ...asked, wait_seconds: 0 });
    await hook('await_answer', { id: 'Q-1' });
    await call('await_answer', { id: 'Q-1' });
    const folder = { workspace: place.workspace };
    const cache = (id = 'Q-1') => agentCache(folder, id);
    const pass = (minutes: number) => (sandbox.clock.now += minutes * minute);
    return { ...place, folder, cache, pass };
  }

  it('the form: until when the cache lasts, from the end of the call on', async () => {
    const { workspace, human, sandbox, cache, pass } = await waiting();
    const began = sandbox.clock.now;
    assert.deepEqual(cache(), { expiresAt: new Date(began + 5 * minute).toISOString(), tokens: context.tokens });
    pass(4);
    assert.deepEqual(cache(), { expiresAt: new Date(began + 5 + 5 * minute).toISOString(), tokens: context.tokens });
    pass(60);
    assert.ok((cache()?.expiresAt ?? '') < workspace.now());
    await decide(workspace, human, 'Q-1');
    assert.equal(cache(), null);
    assert.equal(cache('Q-2'), null);
  });

  it('nothing while it is unknown how long the cache lasts, unless this person says so', async () => {
    const cost = { usedAt: '2026-03-02T09:00:00.000Z', callEndsAt: null, ...context, cacheSeconds: null };
    const now = '2026-03-02T09:01:00.000Z';
    assert.equal(
      expiryOf({ cost }, now, () => null),
      null,
    );
    assert.equal(
      expiryOf({ cost: null }, now, () => 600),
      null,
    );
    const { folder, sandbox } = await waiting();
    const prices = { currency: 'EUR', models: [{ model: 'claude-*', cacheMinutes: 10 }] };
    fs.writeFileSync(path.join(sandbox.userFolder, 'prices.json'), JSON.stringify(prices), { mode: 0o600 });
    assert.equal(expiryOf({ cost }, now, cacheSecondsFor(folder)), '2026-03-02T09:10:00.000Z');
  });

  it('the list: caches that expire next come first, the rest as pressing as before', async () => {
    const { store, workspace, call, hook, pass } = await waiting();
    pass(2);
    await call('raise_question', { text: 'Second?', wait_seconds: 0 });
    await call('raise_question', { text: 'Third?', wait_seconds: 0 }, other);
    await hook('await_answer', { id: 'Q-2' });
    await call('await_answer', { id: 'Q-2' });
    const folder = { workspace };
    const node = (id: string) => ({ kind: 'question', folder, question: { id } }) as unknown as Waiting;
    const idOf = (one: Waiting) => (one.kind === 'question' ? one.question.id : '');
    const order = () => byCache(['Q-3', 'Q-2', 'Q-1'].map(node)).map(idOf);
    assert.deepEqual(order(), ['Q-1', 'Q-2', 'Q-3']);
    pass(4);
    assert.deepEqual(order(), ['Q-2', 'Q-3', 'Q-1'], 'the first has expired');
    const folders = foldersOf(workspace);
    const next = () => inChosenOrder(folders, ['Q-3', 'Q-2'].map(node)).map(idOf);
    assert.deepEqual(next(), ['Q-3', 'Q-2'], '“Next” follows the order that the reader chose');
    chooseOrder(folders, 'cache');
    assert.deepEqual(next(), ['Q-2', 'Q-3']);
    chooseOrder(folders, undefined);
    assert.deepEqual(next(), ['Q-3', 'Q-2']);
    folders.dispose();
    assert.equal(store.read().state.questions.get('Q-3')?.cost, null);
  });

  it('of an RFC: the review, the list and the dashboard, until its decision', async () => {
    const { sandbox, workspace, human, store, hook, call, rows, folder, cache, pass } = await waiting();
    const design = { title: 'Signed tokens', ...{ workflows: [], tasks: [], contexts: [], holds: ['src/**'] } };
    await proposeRfc(store, claude, { ...design, submit: true });
    await proposeRfc(store, other, { ...design, title: 'Of another agent', submit: true });
    const rfc = (id = 'RFC-1') => store.read().state.rfcs.get(id)!;
    const shown = shownRfcHash(store.read().state, rfc());
    const held = askGate(workspace, { files: ['src/one.ts'] }).reasons.length;
    assert.ok(held > 0);
    pass(1);
    await hook('await_answer', { id: 'RFC-1' });
    await call('await_answer', { id: 'RFC-1' });
    const expiresAt = new Date(sandbox.clock.now + 5 * minute).toISOString();
    assert.deepEqual(cache('RFC-1'), { expiresAt, tokens: context.tokens });
    assert.equal(shownRfcHash(store.read().state, rfc()), shown, 'a review that is open stays as it is');
    assert.equal(askGate(workspace, { files: ['src/one.ts'] }).reasons.length, held);
    await hook('await_answer', { id: 'RFC-2' });
    await call('await_answer', { id: 'RFC-2' });
    assert.equal(cache('RFC-2'), null, 'it waits for an RFC of another agent');
    assert.deepEqual(
      rows().map((row) => row.item_ids),
      ['["Q-1"]', '["RFC-1"]'],
    );
    const nodes = [
      { kind: 'rfc', folder, rfc: { id: 'RFC-2' } },
      { kind: 'rfc', folder, rfc: { id: 'RFC-1' } },
      { kind: 'question', folder, question: { id: 'Q-1' } },
    ] as unknown as Waiting[];
    assert.deepEqual(byCache(nodes), [nodes[2], nodes[1], nodes[0]]);
    const { cost } = rfc();
    const saved = sandbox.open();
    assert.deepEqual((await saved.store()).read().state.rfcs.get('RFC-1')?.cost, cost, 'for other programs too');
    saved.close();
    pass(30);
    await decideRfc(
      { store, signer: human, newId: randomUUID },
      'RFC-1',
      { kind: 'withdraw', reason: 'Not now.' },
      shown,
    );
    assert.equal(cache('RFC-1'), null);
    const options = { days: 1, offsetMinutes: () => 0, read: readPrices(workspace) };
    const figures = dashboard(store.read(), 'agents', options);
    const { by_type } = figures;
    assert.deepEqual(
      by_type.map((one) => [one.type, one.expired_caches, one.unknown_items]),
      [
        ['clarification', 0, 0],
        ['rfc', 0, 1],
      ],
    );
    assert.match(dashboardText('agents', figures), /rfc +62 min/);
  });

  it('the dashboard: expired caches with this person’s prices, and what is unknown', async () => {
    const { workspace, sandbox, store, human, hook, call, pass } = await waiting();
    const brief = { id: 'Q-1', doing: 'Moving.', next: 'Dropping.' };
    await hook('park_question', brief);
    await call('park_question', brief);
    pass(30);
    await decide(workspace, human, 'Q-1');
    await call('raise_question', { text: 'Of another agent?', type: 'approval', wait_seconds: 0 }, other);
    const file = path.join(sandbox.userFolder, 'prices.json');
    const figures = () =>
      dashboard(store.read(), 'agents', { days: 1, offsetMinutes: () => 0, read: readPrices(workspace) });
    const { agents, by_type } = figures();
    const lost = { expired_caches: 1, tokens_lost: 180_000, price: null, tokens_without_price: 180_000 };
    const known = { ...lost, unknown_caches: 0, unknown_items: 0 };
    assert.deepEqual(agents.find(({ agent_id }) => agent_id === claude.actor.id)?.cost, known);
    assert.equal(agents.find(({ agent_id }) => agent_id === other.actor.id)?.cost.unknown_items, 1);
    assert.deepEqual(
      by_type.map((one) => [one.type, one.expired_caches, one.unknown_items]),
      [
        ['clarification', 1, 0],
        ['approval', 0, 1],
      ],
    );
    const prices = { currency: 'EUR', models: [{ model: 'claude-*', input: 5, cacheRead: 0.5 }] };
    fs.writeFileSync(file, JSON.stringify(prices), { mode: 0o600 });
    assert.equal(figures().by_type[0]?.price, 0.81);
    assert.match(
      dashboardText('agents', figures()),
      /cost of waiting: 1 expired cache, tokens paid again: 180000 \(0\.81 EUR\)/,
    );
    fs.writeFileSync(file, '{"currency":"EUR"}');
    assert.match(dashboardText('agents', figures()), /Prices: .*prices\.json: models/);
    assert.equal(figures().by_type[0]?.price, null);
  });
});
