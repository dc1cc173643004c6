/** How long an RFC waits for a human, and whether its author stands still meanwhile: the same for every reader. */
import assert from 'node:assert/strict';
import { dashboard } from '../../../src/app/dashboard/dashboard.ts';
import { briefingOf } from '../../../src/app/memory/briefing.ts';
import { commentOnRfc, decideRfc, shownRfcHash, type RfcVerdict } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { rfcSummary, waitingRfcs } from '../../../src/app/rfc/views.ts';
import { inboxItems } from '../../../src/app/waiting/inbox.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { readResource } from '../../../src/mcp/resources.ts';
import { agent, signedBy } from '../../support/store/people.ts';
import { hour, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

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
