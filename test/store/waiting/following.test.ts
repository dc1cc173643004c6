/** The stream of notifications: complete, in order, and continued from any position without a loss or a repetition. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { cursorAfter, readEvents, followEvents } from '../../../src/app/waiting/following.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { isOfType, isStreamType, type StreamEvent } from '../../../src/core/waiting/eventStream.ts';
import { checkPrinted } from '../../support/outputs.ts';
import { fillWithEverything } from '../../support/store/everything.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { until } from '../../support/until.ts';
import { runCli } from '../../support/store/runCli.ts';

const question = { text: 'Which way?', type: 'decision', urgency: 'high', mode: 'sync', work: null } as const;

/** What is there now, after a position. */
async function eventsAfter(workspace: Workspace, since: string | null): Promise<StreamEvent[]> {
  const cursor = since === null ? null : cursorAfter(since);
  let left = 0;
  const reading = readEvents(workspace, (line, events) => (left += cursor?.take(line, events).length ?? 0));
  await reading.advance(new AbortController().signal);
  reading.close();
  const events: StreamEvent[] = [];
  const ending = new AbortController();
  const end = () => {
    if (events.length >= left) ending.abort();
  };
  await followEvents(workspace, {
    since,
    signal: ending.signal,
    onBegin: end,
    onEvent(event) {
      events.push(event);
      end();
    },
  });
  return events;
}

/** Follows until `enough` returns true. */
async function follow(workspace: Workspace, since: string | null, enough: (seen: readonly StreamEvent[]) => boolean) {
  const events: StreamEvent[] = [];
  const ending = new AbortController();
  let from = '';
  await followEvents(workspace, {
    since,
    signal: ending.signal,
    onBegin: (position) => (from = position),
    onEvent(event) {
      events.push(event);
      if (enough(events)) ending.abort();
    },
  });
  return { from, events };
}

function asked(events: readonly StreamEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'blocker_created' ? [event.blocker_id] : []));
}

/** @param lines after which it is interrupted */
async function watchOnce(
  place: Pick<Sandbox, 'home' | 'folder'>,
  lines: number,
  ...argv: readonly string[]
): Promise<{ code: number; out: string[] }> {
  const out: string[] = [];
  const ending = new AbortController();
  const { code } = await runCli(place, ['watch', ...argv], {
    env: { PATH: process.env['PATH'] },
    out: (text) => {
      out.push(text);
      if (out.length === lines) ending.abort();
    },
    err: (text) => void out.push(text),
    signal: ending.signal,
  });
  return { code, out };
}

describe('the stream of notifications', () => {
  afterEach(removeSandboxes);

  it('has one event for every act of a busy workspace, and continues from any position', async () => {
    const { clock, open } = makeSandbox();
    await fillWithEverything(open(), clock);
    const all = await eventsAfter(open(), '0');
    assert.ok(all.length > 40, String(all.length));
    for (const wanted of ['blocker_created', 'blocker_resolved', 'agent_resumed', 'blocker_expired', 'work.updated'])
      assert.ok(
        all.some((event) => isOfType(event, [wanted])),
        wanted,
      );
    assert.ok(!all.some((event) => isOfType(event, ['outcome.offered'])), 'bookkeeping is left out');
    for (const { type, kind } of all) assert.ok(isStreamType(type) && isStreamType(kind), kind);
    assert.equal(new Set(all.map(({ position }) => position)).size, all.length, 'positions are distinct');
    const lineOf = (index: number) => all[index]?.position.split('.')[0];
    for (const [index, { position }] of all.entries())
      if (index % 5 === 0 || lineOf(index) === lineOf(index + 1))
        assert.deepEqual(await eventsAfter(open(), position), all.slice(index + 1), position);
  });

  it('says who decided by the name in the key ring', async () => {
    const { open } = makeSandbox();
    const workspace = open();
    const human = enrolledHuman(workspace);
    await raiseQuestion(await workspace.store(), agent(), question);
    await decide(workspace, human, 'Q-1');
    const resolved = (await eventsAfter(open(), '0')).find(({ type }) => type === 'blocker_resolved');
    assert.deepEqual(resolved?.actor, { kind: 'human', id: 'Ada' });
  });

  it('begins after what is there, and follows other programs', async () => {
    const { open } = makeSandbox();
    const store = await open().store();
    await raiseQuestion(store, agent(), question);
    const watching = open();
    const following = follow(watching, null, (seen) => asked(seen).length === 2);
    const asking = (async () => {
      await until('it follows', () => watching.position() !== null);
      await raiseQuestion(store, agent('claude-002'), { ...question, text: 'Two?' });
      await raiseQuestion(store, agent('claude-003'), { ...question, text: 'Three?' });
    })();
    const [{ events, from }] = await Promise.all([following, asking]);
    assert.deepEqual(asked(events), ['Q-2', 'Q-3']);
    assert.deepEqual(await eventsAfter(open(), from), events);
  });

  it('begins before the first line of a workspace without a journal', async () => {
    const { open } = makeSandbox();
    const watching = open();
    const following = follow(watching, null, (seen) => asked(seen).length === 1);
    await raiseQuestion(await open().store(), agent(), question);
    const { from, events } = await following;
    assert.deepEqual(await eventsAfter(open(), from), events);
    assert.deepEqual(asked(events), ['Q-1']);
  });

  it('reports a forged decision, and nothing as decided by it', async () => {
    const { open, journal } = makeSandbox();
    const workspace = open();
    await raiseQuestion(await workspace.store(), agent(), question);
    const envelope = {
      payload: Buffer.from('{}').toString('base64'),
      payloadType: 'application/vnd.holdpoint.decision+json',
      signatures: [{ keyid: 'a'.repeat(64), sig: Buffer.alloc(64).toString('base64') }],
    };
    const answer = { text: 'Yes', choices: [] };
    writeByHand(journal, [{ kind: 'question.answered', v: 1, id: 'Q-1', answer, envelope }]);
    const events = await eventsAfter(open(), '0');
    const last = events.at(-1);
    assert.equal(last?.type, 'record_refused');
    assert.equal(last.forged, true);
    assert.ok(!events.some(({ type }) => type === 'blocker_resolved'));
  });

  it('refuses a position of another journal, and one that is malformed', async () => {
    const [one, two] = [makeSandbox(), makeSandbox()];
    for (const { open } of [one, two]) await raiseQuestion(await open().store(), agent(), question);
    const [first] = await eventsAfter(one.open(), '0');
    for (const position of [first?.position ?? '', '1.1.0123456789abcdef', 'x', '-1', '1'])
      await assert.rejects(eventsAfter(two.open(), position), { code: 'bad_input' }, position);
  });

  it('ends when the journal disappears', async () => {
    const { open, journal, at } = makeSandbox();
    await raiseQuestion(await open().store(), agent(), question);
    const watching = open();
    let isBegun = false;
    const following = followEvents(watching, {
      since: null,
      signal: new AbortController().signal,
      onBegin: () => (isBegun = true),
      onEvent: () => undefined,
    });
    const refused = assert.rejects(following, { code: 'unknown-state' });
    await until('it follows', () => isBegun);
    fs.renameSync(journal, at('kept'));
    await refused;
  });

  it('writes what is due while no other program runs', async () => {
    const { open, clock } = makeSandbox();
    await raiseQuestion(await open().store(), agent(), question);
    const watching = open();
    const following = follow(watching, null, (seen) => seen.some(({ type }) => type === 'blocker_expired'));
    clock.now += 73 * hour;
    await following;
  });

  it('is printed by holdpoint watch, as the schema says, filtered by type and person', async () => {
    const sandbox = makeSandbox();
    await fillWithEverything(sandbox.open(), sandbox.clock);
    const events = await eventsAfter(sandbox.open(), '0');
    const all = await watchOnce(sandbox, 1 + events.length, '--json', '--since', '0');
    assert.equal(all.code, 0);
    for (const line of all.out) checkPrinted(line);
    assert.deepEqual(
      all.out.map((line) => (JSON.parse(line) as { position: string }).position),
      ['0', ...events.map(({ position }) => position)],
    );
    const wanted = ['blocker_created', 'rfc_proposed'];
    const count = events.filter(({ type }) => wanted.includes(type)).length;
    const some = await watchOnce(sandbox, 1 + count, '--json', '--since', '0', '--kind', ...wanted);
    const types = some.out.slice(1).map((line) => (JSON.parse(line) as { type: string }).type);
    assert.deepEqual([...new Set(types)].sort(), wanted);
    assert.equal((await watchOnce(sandbox, 1, '--kind', 'nothing')).code, 1);
    assert.equal((await watchOnce(sandbox, 1, '--since', 'nowhere')).code, 1);
    const text = await watchOnce(sandbox, events.length, '--since', '0');
    assert.ok(text.out.some((line) => line.includes('blocker_created  Q-1  copilot-001  JWT or sessions?')));
  });
});

describe('holdpoint watch --for', () => {
  afterEach(removeSandboxes);

  it('leaves out what is for others', async () => {
    const sandbox = makeSandbox();
    const store = await sandbox.open().store();
    await raiseQuestion(store, agent(), { ...question, text: 'Ada?', for: 'Ada' });
    await raiseQuestion(store, agent(), { ...question, text: 'Grace?', for: 'Grace' });
    await raiseQuestion(store, agent(), { ...question, text: 'Anybody?' });
    const mine = ['--for', 'Ada', '--kind', 'blocker_created'];
    const { out } = await watchOnce(sandbox, 3, '--json', '--since', '0', ...mine);
    const asked = out.slice(1).map((line) => (JSON.parse(line) as { question: string }).question);
    assert.deepEqual(asked, ['Ada?', 'Anybody?']);
  });
});
