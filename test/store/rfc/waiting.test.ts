/** How long an RFC waits for a human, and whether its author stands still meanwhile: the same for every reader. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { dashboard } from '../../../src/app/dashboard/dashboard.ts';
import { briefingOf } from '../../../src/app/memory/briefing.ts';
import {
  type Comment,
  commentOnRfc,
  decideRfc,
  overruleAnswer,
  replyToThread,
  type RfcVerdict,
  shownRfcHash,
} from '../../../src/app/rfc/decisions.ts';
import { proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { rfcSummary, waitingRfcs } from '../../../src/app/rfc/views.ts';
import { inboxItems } from '../../../src/app/waiting/inbox.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { readResource } from '../../../src/mcp/resources.ts';
import { agent, enrolledHuman, signedBy } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { acknowledgedAt } from '../../../src/ui/rfc/model.ts';
import { callTool } from '../../support/store/callTool.ts';
import { approvalGaps } from '../../../src/core/rfc/rfc.ts';
import { writeByHand } from '../../support/store/handwriting.ts';

const none = { title: 'Tokens', workflows: [], tasks: [], holds: [], contexts: [], submit: true };

describe('the wait of an RFC', () => {
  afterEach(removeSandboxes);

  async function scene() {
    const { sandbox, workspace, human, store } = await withHuman();
    await registerWork(store, agent(), {
      ...{ id: 'T1', workKind: 'task', title: 'API', assignee: 'copilot-001', status: 'in_progress' },
    });
    const signing = signedBy(store, human);
    const waits = () => {
      const { agents } = dashboard(store.read(), 'agents', { days: 1, offsetMinutes: () => 0 });
      const one = agents.find(({ agent_id }) => agent_id === 'copilot-001');
      return one?.waits_on.map(({ since, stops }) => ({ since, stops })) ?? [];
    };
    return {
      ...{ sandbox, workspace, store, waits },
      now: () => new Date(sandbox.clock.now).toISOString(),
      async decide(verdict: RfcVerdict) {
        const { state } = store.read();
        await decideRfc(signing, 'RFC-1', verdict, shownRfcHash(state, state.rfcs.get('RFC-1')!));
      },
      async comment() {
        const { state } = store.read();
        const shown = shownRfcHash(state, state.rfcs.get('RFC-1')!, { kind: 'rfc.commented', revision: 1 });
        const said = { revision: 1, type: 'suggestion', section: null, text: 'Hm.', blocking: false } as const;
        await commentOnRfc(signing, 'RFC-1', said, shown);
      },
      /** What each reader says. */
      async since() {
        const view = store.read();
        const summary = rfcSummary(view, 'RFC-1');
        const holds = (await readResource(workspace, 'holdpoint://holds')) as { holds: { raised_at: string }[] };
        return {
          list: summary?.waiting_since,
          hours: (summary?.time_waiting_ms ?? 0) / hour,
          inbox: inboxItems(view.state).map(({ waiting_since }) => waiting_since),
          holds: holds.holds.map(({ raised_at }) => raised_at),
          briefing: briefingOf(workspace, view, { focus: null }).briefing.waiting.items.map(({ since }) => since),
          agents: waits().map(({ since }) => since),
        };
      },
    };
  }

  it('begins when it is submitted, and no comment changes it', async () => {
    const { sandbox, store, now, comment, since } = await scene();
    await proposeRfc(store, agent(), { ...none, tasks: ['T1'], submit: false });
    assert.equal((await since()).list, null, 'a draft does not wait for a human');
    sandbox.clock.now += 5 * hour;
    await updateRfc(store, agent(), 'RFC-1', { submit: true });
    const submitted = now();
    sandbox.clock.now += hour;
    await comment();
    sandbox.clock.now += hour;
    const all = [submitted];
    assert.deepEqual(await since(), {
      ...{ list: submitted, hours: 2, inbox: all, holds: all, briefing: all, agents: all },
    });
    assert.deepEqual(
      waitingRfcs(store.read()).map(({ waiting_since }) => waiting_since),
      all,
    );
  });

  it('begins again with an amendment, which stops no agent', async () => {
    const { sandbox, store, now, decide, since, waits } = await scene();
    await proposeRfc(store, agent(), { ...none, tasks: ['T1'] });
    assert.deepEqual(waits(), [{ since: now(), stops: true }], 'it holds what its author works on');
    sandbox.clock.now += 240 * hour;
    await decide({ kind: 'approve', conditions: [], constraints: [] });
    assert.equal((await since()).list, null);
    await updateRfc(store, agent(), 'RFC-1', { document: { title: 'Tokens, again' } });
    const amended = now();
    sandbox.clock.now += hour;
    const { list, hours, inbox } = await since();
    assert.deepEqual([list, hours, inbox], [amended, 1, [amended]]);
    assert.deepEqual(waits(), [{ since: amended, stops: false }]);
  });

  it('stops its author only if it holds what the author works on', async () => {
    const { store, now, waits } = await scene();
    await proposeRfc(store, agent(), { ...none, submit: false });
    assert.deepEqual(waits(), [{ since: now(), stops: false }]);
    await updateRfc(store, agent(), 'RFC-1', { addHolds: ['src/**'] });
    assert.deepEqual(waits(), [{ since: now(), stops: false }], 'files hold no session');
    await updateRfc(store, agent(), 'RFC-1', { addTasks: ['T1'] });
    assert.deepEqual(waits(), [{ since: now(), stops: true }]);
  });
});

describe('whether an agent has received a decision on its RFC', () => {
  afterEach(removeSandboxes);

  it('is shown before the decision, after it, and once acknowledged', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    const human = enrolledHuman(workspace);
    const nothing = { workflows: [], tasks: [], holds: [], contexts: [] };
    const { id } = await proposeRfc(store, agent(), { title: 'Tokens', ...nothing, submit: true });
    assert.equal(acknowledgedAt(store.read(), id), undefined);
    assert.equal(acknowledgedAt(store.read(), 'RFC-9'), undefined);

    const { state } = store.read();
    const shown = shownRfcHash(state, state.rfcs.get(id)!);
    await decideRfc(signedBy(store, human), id, { kind: 'approve', conditions: [], constraints: [] }, shown);
    assert.equal(acknowledgedAt(store.read(), id), null);

    await callTool(workspace, 'await_answer', { id });
    assert.match(acknowledgedAt(store.read(), id) ?? '', /^\d{4}-/);
  });
});

/** Open questions of an RFC that need a human, in records that an agent wrote by hand. */
const text = 'May we store personal data?';

const raised = {
  ...{ kind: 'question.raised', v: 1, id: 'Q-1', text, type: 'clarification', urgency: 'low', work: null },
  ...{ choices: [], multiple: false, freeText: true, alternatives: [], files: [], holds: [] },
  ...{ expiresAt: '2026-03-02T11:00:00.000Z', rfc: { id: 'RFC-1', question: 1 } },
};

describe('a question of an RFC that needs a human', () => {
  afterEach(removeSandboxes);

  async function written(...records: object[]) {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    enrolledHuman(workspace);
    await registerWork(await workspace.store(), agent(), { id: 'T1', workKind: 'task', title: 'Outbox' });
    workspace.close();
    const questions = [{ text, answered: false, humanRequired: true }];
    writeByHand(sandbox.journal, [
      {
        ...{
          kind: 'rfc.proposed',
          v: 1,
          id: 'RFC-1',
          workflows: [],
          tasks: ['T1'],
          holds: ['src/outbox'],
          contexts: [],
        },
        document: { title: 'Outbox', sections: [], alternatives: [], questions },
      },
      { kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision: 1 },
      ...records,
    ]);
    const { state } = (await sandbox.open().store()).read();
    const rfc = state.rfcs.get('RFC-1');
    assert.ok(rfc);
    return { refused: state.refusals.map(({ why }) => why), gaps: approvalGaps(state, rfc) };
  }

  for (const [mode, why] of [
    ['async', 'Q-1 is a question of RFC-1 for a human'],
    ['sync', 'Q-1 is sync: only a human ends it'],
  ] as const)
    it(`is not settled by its agent, who withdraws it (${mode})`, async () => {
      const withdrawn = { kind: 'question.withdrawn', v: 1, id: 'Q-1', reason: 'Never mind.' };
      const { refused, gaps } = await written({ ...raised, mode }, withdrawn);
      assert.deepEqual(refused, [why]);
      assert.deepEqual(
        gaps.questions.map(({ number }) => number),
        [1],
      );
    });
});

/** A human's acts in a review: comments, and an answer to an open question. */
describe('a signed review', () => {
  afterEach(removeSandboxes);

  async function scene(file = '# Tokens\n\n## Summary\n\nUse tokens.\n') {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    fs.writeFileSync(path.join(sandbox.folder, 'rfc.md'), file);
    const [store, human] = [await workspace.store(), enrolledHuman(workspace)];
    await callTool(workspace, 'propose_rfc', { file: 'rfc.md', submit: true });
    const signing = signedBy(store, human);
    const rfc = () => store.read().state.rfcs.get('RFC-1')!;
    return { store, signing, rfc };
  }

  const section = { key: 'summary', heading: 'Summary' } as const;
  const comment = (text: string, blocking = false): Comment => ({
    revision: 1,
    type: 'concern',
    section,
    text,
    blocking,
  });

  it('covers the texts of threads', async () => {
    const { signing, rfc, store } = await scene();
    const shown = (about: Parameters<typeof shownRfcHash>[2]) => shownRfcHash(store.read().state, rfc(), about);
    await commentOnRfc(signing, 'RFC-1', comment('Which?'), shown({ kind: 'rfc.commented', revision: 1 }));
    const texts = () => rfc().threads.map((thread) => thread.texts);
    const before = texts();
    const reply = { thread: 1, text: 'This.' };
    await replyToThread(signing, 'RFC-1', reply, shown({ kind: 'rfc.threadReplied', thread: 1 }));
    assert.match(texts()[0] ?? '', /^[0-9a-f]{64}$/);
    assert.notDeepEqual(texts(), before);
  });

  it('offers the choices that the author lists under a question', async () => {
    const { store, signing, rfc } = await scene(
      '# Tokens\n\n## Summary\n\nUse tokens.\n\n## Open questions\n\n- [ ] How long?\n  - 1 h: short (recommended)\n  - 30 days\n',
    );
    const shown = shownRfcHash(store.read().state, rfc(), { kind: 'rfc.answerOverruled', question: 1 });
    await overruleAnswer(signing, 'RFC-1', { question: 1 }, shown);
    assert.deepEqual(store.read().state.questions.get('Q-1')?.raised?.choices, [
      { label: '1 h', description: 'short', recommended: true },
      { label: '30 days', recommended: false },
    ]);
  });
});
