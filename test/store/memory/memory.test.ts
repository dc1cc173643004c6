import assert from 'node:assert/strict';
import fc from 'fast-check';
import { changePolicy, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { briefingOf } from '../../../src/app/memory/briefing.ts';
import {
  acceptProposal,
  closeAsHuman,
  declineProposal,
  postAsHuman,
  shownEventHash,
  type HumanClosing,
} from '../../../src/app/memory/decisions.ts';
import { rankedAtMost, eventsIn } from '../../../src/store/rows/events.ts';
import {
  closeEvent,
  postEvent,
  type PostInput,
  searchEvents,
  branchesOf,
  eventView,
  proposedEvents,
} from '../../../src/app/memory/events.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { eventPriority, eventType } from '../../../src/core/kit/words.ts';
import type { Store } from '../../../src/store/store.ts';
import { runs } from '../../support/runs.ts';
import { agent, signedBy, decide, type Human } from '../../support/store/people.ts';
import { hour, makeSandbox, minute, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { callTool } from '../../support/store/callTool.ts';

describe('project memory', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  let store: Store;
  let human: Human;

  beforeEach(async () => {
    ({ sandbox, workspace, human, store } = await withHuman());
  });
  afterEach(removeSandboxes);

  const post = async (text: string, more: Partial<PostInput> = {}, as = 'copilot-001') =>
    (await postEvent(store, agent(as), { type: 'warning', text, ...more })).event;
  const close = async (id: string, reason = 'Fixed.', as = 'copilot-001') =>
    closeEvent(store, agent(as), id, { how: 'resolved', reason });
  const supersede = async (id: string, by: string) =>
    (await closeEvent(store, agent(), id, { how: 'superseded', by })).event;
  const humanPost = async (text: string) =>
    postAsHuman(signedBy(store, human), { type: 'decision', text, priority: 'high', scopes: ['src/auth'] });
  const shown = (id: string) => {
    const view = store.read();
    const event = eventView(view, id);
    return event ? shownEventHash(view.state, event) : '0'.repeat(64);
  };
  const humanClose = async (id: string, closing: HumanClosing) =>
    closeAsHuman(signedBy(store, human), id, closing, shown(id));
  const refused = async (act: () => Promise<unknown>, code: string, why: RegExp) => {
    await assert.rejects(
      act,
      (error) => error instanceof AppError && error.code === code && why.test(error.message),
      String(why),
    );
  };

  describe('takes events', () => {
    it('with all their fields', async () => {
      const first = await post('First.');
      sandbox.clock.now += minute;
      const event = await post('  The cache is never cleared.\n', {
        type: 'discovery',
        priority: 'high',
        scopes: ['.\\src\\cache.ts', 'docs'],
        related: [first.id],
      });
      assert.deepEqual(eventView(store.read(), 'E-2'), event);
      assert.deepEqual(event, {
        number: 2,
        id: 'E-2',
        type: 'discovery',
        priority: 'high',
        status: 'active',
        text: 'The cache is never cleared.',
        scopes: ['src/cache.ts', 'docs'],
        author: 'copilot-001',
        author_kind: 'agent',
        imported: false,
        posted_at: '2026-03-02T09:01:00.000Z',
        mentioned_at: '2026-03-02T09:01:00.000Z',
        resolved_reason: null,
        superseded_by_event_id: null,
        closed_at: null,
        closed_by: null,
        related_ids: ['E-1'],
        lineage: [],
        proposal: null,
      });
    });
  });

  describe('closes events', () => {
    it('in chains, and each shows its lineage', async () => {
      for (const text of ['One.', 'Two.', 'Three.', 'Other.']) await post(text);
      await supersede('E-1', 'E-2');
      await supersede('E-4', 'E-3');
      await supersede('E-2', 'E-3');
      assert.deepEqual(eventView(store.read(), 'E-3')?.related_ids, ['E-2', 'E-4']);
      const chain = (id: string) => eventView(store.read(), id)?.lineage.map((link) => `${link.id} ${link.status}`);
      assert.deepEqual(chain('E-3'), ['E-1 superseded', 'E-2 superseded', 'E-4 superseded', 'E-3 active']);
      assert.deepEqual(chain('E-1'), ['E-1 superseded', 'E-2 superseded', 'E-3 active']);
      assert.deepEqual(
        branchesOf(eventView(store.read(), 'E-3')?.lineage ?? []).map((branch) => branch.map(({ id }) => id)),
        [
          ['E-1', 'E-2', 'E-3'],
          ['E-4', 'E-3'],
        ],
        'two predecessors are two branches',
      );
      await refused(async () => supersede('E-3', 'E-1'), 'bad_input', /E-1 was itself superseded by E-3/);
    });

    it('of a human only by a human; an agent can propose it', async () => {
      const event = await humanPost('We use JWT.');
      assert.deepEqual([event.author, event.author_kind], ['Ada', 'human']);
      assert.equal((await close('E-1')).proposed, true);
      assert.equal((await close('E-1', ' Fixed. ', 'claude-002')).proposed, true, 'the same is not proposed twice');
      await refused(async () => close('E-1', 'Other.'), 'conflict', /copilot-001 has already proposed/);
      const [waiting] = proposedEvents(store.read());
      assert.equal(waiting?.status, 'active');
      assert.equal(waiting.proposal?.reason, 'Fixed.');
      await declineProposal(signedBy(store, human), 'E-1', shown('E-1'));
      assert.deepEqual(proposedEvents(store.read()), []);
      await close('E-1');
      const closed = await humanClose('E-1', { how: 'resolved', reason: 'Right.' });
      assert.deepEqual([closed.status, closed.closed_by, closed.proposal], ['resolved', 'Ada', null]);
      await humanPost('We use sessions.');
      await humanPost('We use cookies.');
      const accept = async (id: string) => acceptProposal(signedBy(store, human), id, shown(id));
      await refused(async () => accept('E-2'), 'conflict', /no open proposal/);
      await supersede('E-2', 'E-3');
      await close('E-3', 'Nobody does.');
      assert.deepEqual(
        [(await accept('E-2')).superseded_by_event_id, (await accept('E-3')).resolved_reason],
        ['E-3', 'Nobody does.'],
      );
    });

    it('by a human with a new one in the same act', async () => {
      await post('Sessions.', { scopes: ['src/auth'], priority: 'critical' });
      const closed = await humanClose('E-1', { how: 'replaced', text: 'JWT.' });
      assert.equal(closed.superseded_by_event_id, 'E-2');
      const next = eventView(store.read(), 'E-2');
      assert.deepEqual(
        [next?.text, next?.priority, next?.scopes, next?.author],
        ['JWT.', 'critical', ['src/auth'], 'Ada'],
      );
      assert.deepEqual(next?.related_ids, ['E-1']);
      assert.deepEqual([...store.read().state.criticalWarnings], ['E-2']);
    });
  });

  describe('is searched', () => {
    beforeEach(async () => {
      await post('The token cache is never cleared: tokens of users who left stay valid.', {
        scopes: ['src/auth/cache.ts'],
      });
      await post('Token.', { type: 'decision', priority: 'high', scopes: ['src/auth'] });
      await post(
        'Sessions are kept in Redis; nothing about the other word.',
        { type: 'discovery', scopes: ['src/db'] },
        'claude-002',
      );
      await post('Ünïcode is AND, not OR; NEAR/2 "quoted" wild*card.', { scopes: ['docs'] });
      sandbox.clock.now += hour;
      await post('Late.', { type: 'outcome' });
      await close('E-3', 'A token bucket was put before it.', 'claude-002');
    });

    const ids = (words: string, more: object = {}) =>
      searchEvents(store.read(), { words, ...more }).events.map(({ id }) => id);

    it('by words in contents and reasons, best first', () => {
      assert.deepEqual(ids('token'), ['E-2', 'E-1', 'E-3']);
      assert.deepEqual(ids('TOKEN Cache'), ['E-1']);
      assert.deepEqual(ids('unicode'), ['E-4']);
      assert.deepEqual(ids('nowhere'), []);
    });

    it('among the newest of very many, and says how many were skipped', async () => {
      const words = (n: number) => `${n === 3 ? 'common common' : 'common'} word`;
      const records = Array.from({ length: rankedAtMost + 20 }, (_, n) => ({
        ...({ kind: 'event.posted', v: 1, id: `E-${String(n + 6)}`, type: 'discovery', priority: 'low' } as const),
        text: words(n),
      }));
      await store.transact(agent().actor, () => ({ records, result: null }));
      const found = searchEvents(store.read(), { words: 'common', limit: 5 });
      assert.deepEqual([found.events.length, found.total, found.unranked], [5, rankedAtMost + 20, 20]);
      const said = await callTool(workspace, 'search_events', { words: 'common', limit: 1 });
      assert.match(said.text, /^1 of 1020 events\nThe newest 1000 were ranked, 20 older ones were not: add a word/);
    });
    const filters: [object, string[]][] = [
      [{ type: 'decision' }, ['E-2']],
      [{ status: 'resolved' }, ['E-3']],
      [{ priority: 'high' }, ['E-2']],
      [{ scope: 'src/auth' }, ['E-2', 'E-1']],
      [{ scope: '.' }, ['E-2', 'E-1', 'E-3']],
      [{ author: 'claude-002' }, ['E-3']],
      [{ since: '2026-03-02T09:30:00.000Z' }, []],
      [{ status: 'active', scope: 'src', author: 'copilot-001' }, ['E-2', 'E-1']],
    ];
    for (const [filter, expected] of filters)
      it(`within ${JSON.stringify(filter)}`, () => {
        assert.deepEqual(ids('token', filter), expected);
      });

    it('without words, as a list', () => {
      assert.deepEqual(ids(''), ['E-5', 'E-4', 'E-3', 'E-2', 'E-1']);
      assert.deepEqual(ids('', { since: '2026-03-02T09:30:00.000Z' }), ['E-5']);
      assert.equal(searchEvents(store.read(), { words: '', limit: 2 }).total, 5);
    });

    it('and treats operators and quotes as separators', () => {
      for (const words of ['"token"', 'token*', '(token', 'token"', "token'; --", '-token', '^token', '"token'])
        assert.deepEqual(ids(words), ['E-2', 'E-1', 'E-3'], words);
      assert.deepEqual(ids('token OR sessions'), [], 'OR is a word that must occur');
      assert.deepEqual(ids('unicode OR AND'), ['E-4']);
      assert.deepEqual(ids('NEAR/2 quoted'), ['E-4']);
      assert.deepEqual(ids('text:token'), [], 'a colon names no column');
      assert.deepEqual(ids('tok*'), ['E-2', 'E-1', 'E-3'], 'a star at the end of a word says what is so anyway');
      for (const words of ['***', 't*n', '*token']) assert.throws(() => ids(words), { code: 'bad_input' }, words);
      for (const words of ['"', '()', '""', '^', '!?', '\u0301']) assert.deepEqual(ids(words), [], words);
    });

    it('with any input', () => {
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.string({ unit: 'grapheme' }),
            fc.stringMatching(/^[a-z"*() :^NEARO/0-9-]*$/),
          ),
          (words) => {
            try {
              searchEvents(store.read(), { words });
            } catch (error) {
              assert.ok(error instanceof AppError && error.code === 'bad_input' && words.includes('*'), String(error));
            }
          },
        ),
        { numRuns: runs(300) },
      );
    });
  });

  describe('where the file system folds case', () => {
    it('ignores the case of a path; elsewhere it does not', async () => {
      for (const [platform, same] of [
        ['darwin', true],
        ['darwin', true],
        ['linux', false],
      ] as const) {
        const other = makeSandbox().open({ platform });
        const there = await other.store();
        await postEvent(there, agent(), { type: 'decision', text: 'Here.', scopes: ['Src/A.ts'] });
        const { briefing: made } = briefingOf(other, there.read(), { focus: 'src/a.ts' });
        assert.equal(made.relevant.decision.items.length, same ? 1 : 0, platform);
        assert.equal(made.other.items.length, same ? 0 : 1, platform);
        const folder = briefingOf(other, there.read(), { focus: 'SRC' }).briefing;
        assert.equal(folder.relevant.decision.items.length, same ? 1 : 0, platform);
        const scope = { scope: 'src', ignoreCase: other.ignoreCase };
        assert.equal(searchEvents(there.read(), scope).total, same ? 1 : 0, platform);
      }
    });
  });

  describe('briefs', () => {
    const path = fc.constantFrom('.', 'src', 'src/a', 'src/a/x.ts', 'src/a/y.ts', 'src/b', 'src0', 'lib/z.ts');
    const posting = fc.record({
      type: fc.constantFrom(...eventType.options),
      priority: fc.constantFrom(...eventPriority.options),
      scopes: fc.uniqueArray(path, { maxLength: 2 }),
      fate: fc.constantFrom('active', 'active', 'active', 'resolved', 'superseded'),
      wait: fc.constantFrom(0, minute, 10 * hour),
    });

    it('from events in memory that are those of the index', async () => {
      let shown = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(posting, { minLength: 1, maxLength: 10 }),
          fc.array(fc.option(path), { minLength: 1, maxLength: 4 }),
          async (acts, focuses) => {
            const base = store.read().state.events.size;
            // Critical and active, so it may replace any other.
            const successor = (await post('Newer.', { priority: 'critical' })).id;
            for (const [index, { fate, wait, ...fields }] of acts.entries()) {
              const { id } = await post(`Text ${String(base + index)}, as E-${String(base)} says.`, fields);
              sandbox.clock.now += wait;
              if (fate === 'resolved') await close(id);
              if (fate === 'superseded') await supersede(id, successor);
            }
            const view = store.read();
            const read = { ...view, rows: { ...view.rows } };
            assert.deepEqual(eventsIn(view.rows), eventsIn(read.rows));
            for (const focus of focuses) {
              const kept = briefingOf(workspace, view, { focus });
              assert.deepEqual(kept, briefingOf(workspace, read, { focus }));
              shown += kept.briefing.other.more;
            }
          },
        ),
        { numRuns: 25 },
      );
      assert.ok(shown > 100, String(shown));
    }).timeout(60_000);

    const decideOn = async (text: string, ...scopes: string[]) => (await post(text, { type: 'decision', scopes })).id;
    const conflicts = (focus: string | null = null, of = workspace) =>
      briefingOf(of, store.read(), { focus }).briefing.conflicts.items.map(
        ({ scope, decisions: [newer, older] }) => `${scope}: ${newer.id} ${older.id}`,
      );

    it('on two active decisions with the same scope, until an event resolves the conflict', async () => {
      await decideOn('We use cookies.', 'src/auth');
      await decideOn('Elsewhere.', 'src/db', '.');
      await post('A warning is no decision.', { scopes: ['src/auth'] });
      assert.deepEqual(conflicts(), []);
      await decideOn('We use tokens.', 'src/auth', 'src/db');
      // Two decisions that share several scopes are one conflict.
      await decideOn('We use both.', 'src/auth', 'src/db');
      assert.deepEqual(conflicts(), ['src/auth: E-5 E-4', 'src/auth: E-4 E-1', 'src/db: E-4 E-2']);
      assert.deepEqual(conflicts('src/auth/login.ts'), ['src/auth: E-5 E-4', 'src/auth: E-4 E-1']);
      assert.deepEqual(conflicts('test'), []);
      // A decision that refers to the other one is aware of it.
      const related = (await post('Tokens are short.', { type: 'decision', scopes: ['src/auth'], related: ['E-5'] }))
        .id;
      assert.deepEqual(conflicts('src/auth'), ['src/auth: E-5 E-4', 'src/auth: E-4 E-1']);
      // An active event that refers to both resolves the conflict.
      const both = (
        await post('Cookies for pages, tokens for programs.', { type: 'discovery', related: ['E-1', 'E-4'] })
      ).id;
      assert.deepEqual(conflicts('src/auth'), ['src/auth: E-5 E-4']);
      await close(both);
      assert.deepEqual(conflicts('src/auth'), ['src/auth: E-5 E-4', 'src/auth: E-4 E-1']);
      await close('E-4');
      assert.deepEqual(conflicts(), ['src/auth: E-5 E-1', 'src/db: E-5 E-2']);
      await supersede('E-1', 'E-5');
      await close('E-2');
      assert.deepEqual([conflicts(), related], [[], 'E-6']);
    });

    it('on conflicts of very many decisions: the latest, and the number of others', async () => {
      for (let count = 1; count <= 13; count++) await decideOn(`Decision ${String(count)}.`, 'src');
      const { items, more } = briefingOf(workspace, store.read(), { focus: null }).briefing.conflicts;
      assert.deepEqual([items.length, more, items[0]?.decisions.map(({ id }) => id)], [10, 2, ['E-13', 'E-12']]);
    });

    it('on recently mentioned events, once a human has set an age, and on all warnings', async () => {
      const day = 24 * hour;
      const shown = () => briefingOf(workspace, store.read(), { focus: null }).briefing;
      const ids = () => [...shown().critical_warnings.items, ...shown().other.items].map(({ id }) => id).sort();
      await post('A discovery.', { type: 'discovery' });
      await post('Moved.', { type: 'mutation' });
      await post('Look out.', { priority: 'low' });
      await decideOn('This is how.');
      await post('Four.', { type: 'outcome' });
      sandbox.clock.now += 8 * day;
      assert.equal(ids().length, 5);
      await setAge(7);
      assert.deepEqual([ids(), shown().aged], [['E-3', 'E-4'], 3]);
      // Every kind of mention brings an event back.
      await post('As E-1 says.', { type: 'discovery', priority: 'low' });
      await post('More.', { type: 'discovery', related: ['E-2'] });
      await raiseQuestion(store, agent(), {
        ...{ text: 'Is E-5 still so?', type: 'clarification', urgency: 'low', mode: 'async', work: null },
      });
      assert.deepEqual([ids(), shown().aged], [['E-1', 'E-2', 'E-3', 'E-4', 'E-5', 'E-6', 'E-7'], 0]);
      sandbox.clock.now += 8 * day;
      assert.deepEqual([ids(), shown().aged], [['E-3', 'E-4'], 5]);
      assert.equal(searchEvents(store.read(), { words: 'discovery' }).events[0]?.id, 'E-1');
      await proposeRfc(store, agent(), {
        ...{ title: 'T', workflows: [], tasks: [], holds: ['src'], submit: false },
        contexts: [{ id: 'E-1', role: 'context' }],
      });
      assert.deepEqual([ids(), shown().aged], [['E-1', 'E-3', 'E-4'], 4]);
      await setAge(0);
      assert.deepEqual([ids().length, shown().aged], [7, 0]);
    });

    async function setAge(ageDays: number): Promise<void> {
      const { state } = store.read();
      await changePolicy(signedBy(store, human), { ...state.policy, memory: { ageDays } }, shownPolicyHash(state));
    }

    it('on waiting items: holds on the focus first, and answers not yet delivered to the agent', async () => {
      await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'API', holds: ['src/api'] });
      await raiseQuestion(store, agent(), {
        text: 'Which?',
        type: 'decision',
        urgency: 'low',
        mode: 'sync',
        work: 'T1',
      });
      await raiseQuestion(store, agent('claude-002'), {
        text: 'Now?',
        type: 'decision',
        urgency: 'critical',
        mode: 'sync',
        work: null,
      });
      const waiting = (focus: string | null) =>
        briefingOf(workspace, store.read(), { focus, agent: 'copilot-001' }).briefing.waiting.items;
      assert.deepEqual(
        waiting('src/api/x.ts').map(({ id, concerns_focus }) => [id, concerns_focus]),
        [
          ['Q-1', true],
          ['Q-2', false],
        ],
      );
      assert.deepEqual(
        waiting(null).map(({ id }) => id),
        ['Q-2', 'Q-1'],
      );
      await decide(workspace, human, 'Q-1');
      const [answer] = waiting('src/api');
      assert.deepEqual([answer?.kind, answer?.id, answer?.answer], ['answer', 'Q-1', 'Yes, go on.']);
      const { answers } = briefingOf(workspace, store.read(), { focus: null, agent: 'claude-002' });
      assert.deepEqual(answers, []);
    });
  });
});
