import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type BriefedEvent,
  briefing,
  type BriefingInput,
  concerns,
  sectionOf,
  focusTest,
  type Place,
  waitingHolds,
  type WaitingItem,
} from '../../../src/core/memory/briefing.ts';
import { briefingText, tokensOf, withinTokens } from '../../../src/core/memory/briefingText.ts';
import { cleanPath } from '../../../src/core/kit/paths.ts';
import { eventPriority, eventStatus, eventType, urgency, urgencyRank } from '../../../src/core/kit/words.ts';
import { runs } from '../../support/runs.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { isRfc, openHolders } from '../../../src/core/hold/holds.ts';
import type { State } from '../../../src/core/state/state.ts';
import { globs, paths, worktrees } from '../../support/globs.ts';
import { agent, enrolledHuman, holdFiles } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const now = '2026-03-10T12:00:00.000Z';

const hoursAgo = (hours: number, ms = 0) => new Date(Date.parse(now) - hours * 3_600_000 - ms).toISOString();

/** An agent’s active event, from `number type priority scope,scope: text`; lower numbers are older. */
function event(line: string, more: Partial<BriefedEvent> = {}): BriefedEvent {
  const [, number = '', type = '', priority = '', scopes = '', text = ''] =
    /^(\d+) (\w+) (\w+) ?([^:]*): (.*)$/.exec(line) ?? assert.fail(line);
  return {
    id: `E-${number}`,
    number: Number(number),
    type: eventType.parse(type),
    priority: eventPriority.parse(priority),
    status: 'active',
    text,
    scopes: scopes === '' ? [] : scopes.split(',').map(cleanPath),
    author: 'copilot-001',
    author_kind: 'agent',
    imported: false,
    posted_at: '2026-03-01T10:00:00.000Z',
    mentioned_at: '2026-03-01T10:00:00.000Z',
    resolved_reason: null,
    superseded_by_event_id: null,
    closed_at: null,
    closed_by: null,
    ...more,
  };
}

const resolved = (line: string, closed_at: string, reason = 'Fixed.') =>
  event(line, { status: 'resolved', resolved_reason: reason, closed_at, closed_by: 'Ada' });

const superseded = (line: string, by: string, closed_at: string) =>
  event(line, { status: 'superseded', superseded_by_event_id: by, closed_at, closed_by: 'claude-002' });

const hold: WaitingItem = {
  kind: 'hold',
  id: 'Q-12',
  text: 'JWT or sessions?',
  agent_id: 'copilot-001',
  since: hoursAgo(1),
  holds_work: 3,
  all_files_by: null,
  concerns_focus: true,
  waits_on: 'human',
  answer: null,
};

const memory = [
  event('1 warning critical src/db: Migrations are not reversible.'),
  event('2 warning high src/auth/login.ts: Tokens are logged.'),
  event('3 decision normal src/auth: We use JWT.'),
  event('4 mutation normal src/auth/login.ts: Login was moved here.'),
  event('5 discovery low src/auth: The library keeps sessions in memory.'),
  event('6 outcome normal src: Load tests pass.'),
  event('7 warning normal src/css: Do not touch the reset.'),
  event('8 warning normal: Builds are slow on Mondays.'),
  event('9 decision high: Releases are monthly.'),
  event('10 warning low src/auth/login.ts: Names may have spaces.'),
  event('11 mutation normal src/auth/session.ts: Sessions were removed.'),
  resolved('12 warning high src/auth: JWT expires too soon.', hoursAgo(2), 'Fixed in PR #42.'),
  superseded('13 decision normal src/auth: We use cookies.', 'E-3', hoursAgo(3)),
];

describe('a briefing', () => {
  /** Golden test of the text that agents read, line by line. */
  function check(name: string, input: Partial<BriefingInput>, expected: string): void {
    it(name, () => {
      const text = briefingText(briefing({ focus: null, now, events: memory, waiting: [], ...input }));
      const short = text
        .replaceAll(' (copilot-001, 2026-03-01 10:00 UTC)', '')
        .split('\n')
        .filter((line) => line !== 'None.')
        .join('\n');
      assert.equal(short, expected.replaceAll(/^ +/gm, '').trim());
    });
  }

  check(
    'groups a file’s own scope with those of its parent folders',
    { focus: 'src/auth/login.ts', waiting: [hold] },
    `## Critical Warnings
     - E-1 critical warning [src/db]: Migrations are not reversible.
     ## Waiting for a Human
     - Q-12 "JWT or sessions?" waits for a human (copilot-001, holds 3 work items, holds the focus)
     ## Relevant to src/auth/login.ts
     ### Warnings
     - E-2 high warning [src/auth/login.ts]: Tokens are logged.
     - E-10 low warning [src/auth/login.ts]: Names may have spaces.
     ### Decisions
     - E-3 normal decision [src/auth]: We use JWT.
     ### Recent Changes
     - E-4 normal mutation [src/auth/login.ts]: Login was moved here.
     ### Discoveries
     - E-5 low discovery [src/auth]: The library keeps sessions in memory.
     ### Outcomes
     - E-6 normal outcome [src]: Load tests pass.
     ## Other Active Items
     - E-8 normal warning: Builds are slow on Mondays.
     - E-9 high decision: Releases are monthly.
     - E-11 normal mutation [src/auth/session.ts]: Sessions were removed.
     - E-7 normal warning [src/css]: Do not touch the reset.
     ## Recently Resolved
     - E-12 warning resolved: Fixed in PR #42. (was: JWT expires too soon.)
     - E-13 decision superseded by E-3 (was: We use cookies.)`,
  );

  check(
    'lists an event with several scopes once per scope',
    { focus: 'lib/b.ts', events: [event('1 decision normal lib/a.ts,lib/b.ts,lib: One for both.')] },
    `## Critical Warnings
     ## Waiting for a Human
     ## Relevant to lib/b.ts
     ### Decisions
     - E-1 normal decision [lib/a.ts, lib/b.ts, lib]: One for both.
     ## Other Active Items
     ## Recently Resolved`,
  );

  check(
    'says that everything is resolved, and omits closed critical events',
    {
      focus: 'src/db',
      events: [
        resolved('1 warning critical src/db: Corrupt.', hoursAgo(49)),
        superseded('2 warning critical src/db: Still corrupt.', 'E-3', hoursAgo(1)),
      ],
    },
    `## Critical Warnings
     ## Waiting for a Human
     ## Relevant to src/db
     ## Other Active Items
     ## Recently Resolved
     - E-2 warning superseded by E-3 (was: Still corrupt.)`,
  );

  check(
    'lists closed events for 48 hours',
    {
      events: [
        resolved('1 warning low: At the edge.', hoursAgo(48)),
        resolved('2 warning low: Over it.', hoursAgo(48, 1)),
        resolved('3 warning low: Inside.', hoursAgo(47)),
      ],
    },
    `## Critical Warnings
     ## Waiting for a Human
     ## Other Active Items
     ## Recently Resolved
     - E-3 warning resolved: Fixed. (was: Inside.)
     - E-1 warning resolved: Fixed. (was: At the edge.)`,
  );

  check(
    'lists at most ten closed events, the latest first',
    {
      events: Array.from({ length: 12 }, (_, index) =>
        resolved(`${String(index + 1)} outcome low: One.`, hoursAgo(20 - index), 'So.'),
      ),
    },
    `## Critical Warnings
     ## Waiting for a Human
     ## Other Active Items
     ## Recently Resolved
     ${[12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `- E-${String(n)} outcome resolved: So. (was: One.)`).join('\n')}
     - and 2 more`,
  );

  check(
    'lists ten of a kind and counts the rest',
    {
      focus: 'a',
      events: Array.from({ length: 12 }, (_, index) => event(`${String(index + 1)} decision normal a: Yes.`)),
    },
    `## Critical Warnings
     ## Waiting for a Human
     ## Relevant to a
     ### Decisions
     ${[12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `- E-${String(n)} normal decision [a]: Yes.`).join('\n')}
     - and 2 more
     ## Other Active Items
     ## Recently Resolved`,
  );

  describe('scopes', () => {
    const cases: [string, string, boolean][] = [
      ['src/a.ts', 'src/a.ts', true],
      ['src', 'src/a.ts', true],
      ['.', 'src/a.ts', true],
      ['src/a.ts', '.', true],
      ['src/b/c.ts', 'src/b', true],
      ['src/b.ts', 'src/a.ts', false],
      ['src/auth', 'src/authority.ts', false],
      ['src/auth/x.ts', 'src/aut', false],
      ['src/e\u0301.ts', 'src/\u00e9.ts', true],
    ];
    for (const [scope, focus, expected] of cases)
      it(`${scope} ${expected ? 'concerns' : 'does not concern'} ${focus}`, () => {
        assert.equal(concerns(scope, focus), expected);
      });
  });

  const path = fc.constantFrom('.', 'src', 'src/a', 'src/a/x.ts', 'src/b', 'src/b/y.ts', 'lib/z.ts');
  const anyEvent = fc.record({
    type: fc.constantFrom(...eventType.options),
    priority: fc.constantFrom(...eventPriority.options),
    status: fc.constantFrom(...eventStatus.options),
    scopes: fc.uniqueArray(path, { maxLength: 3 }),
    closed: fc.integer({ min: 0, max: 100 }),
  });
  const someEvents = fc.array(anyEvent, { maxLength: 60 }).map((all) =>
    all.map(({ closed, ...fields }, index) =>
      event(`${String(index + 1)} warning low: Text ${String(index)}.`, {
        ...fields,
        closed_at: fields.status === 'active' ? null : hoursAgo(closed),
      }),
    ),
  );

  it('has every active event exactly once before limits, whatever the focus', () => {
    const all = Infinity;
    const limits = { critical: all, waiting: all, conflicts: all, relevant: all, other: all, resolved: all };
    fc.assert(
      fc.property(someEvents, fc.option(path), (events, focus) => {
        const { critical_warnings, relevant, other, recently_resolved } = briefing({
          focus,
          now,
          events,
          waiting: [],
          limits,
        });
        const groups = [critical_warnings, ...Object.values(relevant), other];
        const listed = groups.flatMap(({ items }) => items.map(({ id }) => id)).sort();
        const active = events.filter(({ status }) => status === 'active').map(({ id }) => id);
        assert.deepEqual(listed, active.sort());
        assert.ok(recently_resolved.items.every(({ status }) => status !== 'active'));
        assert.ok(groups.every(({ more }) => more === 0));
      }),
      { numRuns: runs(300) },
    );
  });

  it('begins its critical warnings with the one about the file at hand, whatever is newer', () => {
    const events = [
      event('1 warning critical src/auth: Tokens are logged.'),
      event('2 warning critical src/db: Migrations are not reversible.'),
    ];
    const first = (focus: string | null) =>
      briefing({ focus, now, events, waiting: [] }).critical_warnings.items.map(({ id }) => id);
    assert.deepEqual(
      [first('src/auth/login.ts'), first(null)],
      [
        ['E-1', 'E-2'],
        ['E-2', 'E-1'],
      ],
    );
  });

  it('shows critical warnings, but no other event, outside their section', () => {
    fc.assert(
      fc.property(someEvents, fc.option(path), (events, focus) => {
        for (const one of events) {
          const section = sectionOf(one, focus, now);
          if (one.status !== 'active') assert.ok(section === null || section === 'resolved');
          else if (one.type === 'warning' && one.priority === 'critical') assert.equal(section, 'critical');
          else assert.ok(section === 'other' || (focus !== null && section === one.type));
        }
      }),
    );
  });

  describe('limited to a number of tokens', () => {
    const full = briefing({ focus: 'src/auth/login.ts', now, events: memory, waiting: [hold] });
    const listed = (text: string) => text.split('\n').filter((line) => /^- [EQ]-/.test(line));

    it('omits whole items from the end, and counts them', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 500 }), (budget) => {
          const cut = withinTokens(full, budget);
          const text = briefingText(cut);
          const whole = listed(briefingText(full));
          const kept = listed(text);
          assert.deepEqual(kept, whole.slice(0, kept.length), 'the order stays, and no item is cut');
          assert.match(text, /E-1 critical/);
          assert.match(text, /Q-12/);
          if (kept.length > 2) assert.ok(tokensOf(text) <= budget);
          const groups = [...Object.values(cut.relevant), cut.other, cut.recently_resolved];
          const counted = groups.reduce((sum, { items, more }) => sum + items.length + more, 2);
          assert.equal(counted, whole.length);
        }),
      );
    });

    it('is unchanged if everything fits', () => {
      assert.deepEqual(withinTokens(full, 10_000), full);
    });
  });

  it('shows the project in its title, and each entry’s subject line before its text', () => {
    const posted = event('1 decision normal src/auth: .', {
      text: '## Tokens are signed\n\nWith Ed25519:\nkeys rotate.',
    });
    const long = event('2 decision normal: .', { text: `${'A long first line '.repeat(8)}\nand more.` });
    const text = briefingText(briefing({ project: 'payments', focus: null, now, events: [posted, long], waiting: [] }));
    const who = '(copilot-001, 2026-03-01 10:00 UTC)';
    assert.match(text, /^# Briefing: payments\n## Critical Warnings\n/);
    assert.ok(
      text.includes(`- E-1 normal decision [src/auth]: Tokens are signed ${who}\n  With Ed25519: keys rotate.`),
      text,
    );
    // A first line too long for a subject is shown with the rest as one text.
    assert.match(text, /- E-2 normal decision: A long first line [^\n]* and more\. \(copilot-001/);
  });

  it('omits informational events that were not mentioned for long, and counts them', () => {
    const old = { mentioned_at: hoursAgo(49) };
    const shownAs = (line: string) => {
      const { critical_warnings, other, aged } = briefing({
        focus: null,
        now,
        agedBefore: hoursAgo(48),
        events: [event(line, old), event(line, { mentioned_at: hoursAgo(48), number: 99, id: 'E-99' })],
        waiting: [],
      });
      return [critical_warnings.items.length + other.items.length, aged];
    };
    for (const line of ['1 discovery high: .', '1 mutation normal: .', '1 outcome low: .', '1 decision low: .'])
      assert.deepEqual(shownAs(line), [1, 1], line);
    for (const line of ['1 warning low: .', '1 warning critical: .', '1 decision normal: .', '1 discovery critical: .'])
      assert.deepEqual(shownAs(line), [2, 0], line);
    const text = briefingText(
      briefing({ focus: null, now, agedBefore: now, events: [event('1 mutation low: .', old)], waiting: [] }),
    );
    assert.match(text, /## Other Active Items\n- 1 older note without a recent mention: a search finds it/);
  });

  it('shows conflicting decisions on one scope side by side, and omits them only after events', () => {
    const decisions = [event('2 decision low src: Cookies.'), event('1 decision low src: Tokens.')] as const;
    const conflicts = { items: [{ scope: 'src', decisions }], more: 2 };
    const full = briefing({ focus: null, now, events: memory, waiting: [], conflicts });
    assert.match(
      briefingText(full),
      /\n## Decisions on the Same Scope\n- src: E-2 "Cookies\." and E-1 "Tokens\." are both active\n- and 2 more\nIf one of two no longer applies, supersede it\./,
    );
    assert.deepEqual(withinTokens(full, 1).conflicts, { items: [], more: 3 });
    assert.doesNotMatch(briefingText(briefing({ focus: null, now, events: memory, waiting: [] })), /Same Scope/);
  });

  it('shows the beginning of a long text and where to find the rest', () => {
    const long = event(`7 warning critical: ${'word '.repeat(400)}`);
    const text = briefingText(briefing({ focus: null, now, events: [long], waiting: [] }));
    assert.match(text, /word… \(holdpoint_list_items \{"id":"E-7"\} shows all of it\)/);
    assert.ok(text.length < 1_000);
  });
});

/** The holds that a briefing lists, found by folders, are those that looking at each of them finds. */
const path = fc.option(paths(3), { freq: 11 });

const asked = fc.record({
  holds: fc.array(globs(3), { maxLength: 3 }),
  urgency: fc.constantFrom(...urgency.options),
  worktree: worktrees,
  onWork: fc.boolean(),
});

/** As the list says: those on the focus, then by urgency, then the oldest. */
function looked(state: State, place: Place, limit: number): string[] {
  const onFocus = focusTest(state, place);
  const rank = (holder: ReturnType<typeof openHolders>[number]) => urgencyRank(isRfc(holder) ? 'high' : holder.urgency);
  return openHolders(state)
    .toSorted((one, other) => Number(onFocus(other)) - Number(onFocus(one)) || rank(one) - rank(other))
    .slice(0, limit)
    .map((holder) => `${holder.id} ${String(onFocus(holder))}`);
}

describe('the holds in a briefing', () => {
  afterEach(removeSandboxes);

  it('are the same as by looking at each, whatever they hold and wherever the focus is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(asked, { maxLength: 12 }),
        fc.array(fc.tuple(path, worktrees, fc.boolean(), fc.constantFrom(1, 3, 50)), { minLength: 20, maxLength: 40 }),
        fc.boolean(),
        async (questions, places, isWidened) => {
          const workspace = makeSandbox().open();
          const store = await workspace.store();
          await registerWork(store, agent(), {
            id: 'T1',
            workKind: 'task',
            title: 'Task',
            holds: ['src/a', 'A*/x.ts'],
          });
          for (const [at, { onWork, worktree, ...one }] of questions.entries())
            await raiseQuestion(store, agent('copilot-001', { worktree }), {
              ...{
                text: `Question ${String(at)}?`,
                type: 'approval',
                mode: 'sync',
                work: onWork ? 'T1' : null,
                ...one,
              },
            });
          await proposeRfc(store, agent(), {
            ...{
              title: 'Limits',
              summary: 'Fewer.',
              workflows: [],
              tasks: [],
              holds: ['src/**'],
              contexts: [],
              submit: true,
            },
          });
          if (isWidened && questions.length > 0) await holdFiles(workspace, enrolledHuman(workspace), 'Q-1', 'all');
          const { state } = store.read();
          for (const [focus, worktree, ignoreCase, limit] of places) {
            const place = { focus, worktree, ignoreCase };
            const { items, more } = waitingHolds(state, place, limit);
            const listed = items.map((item) => `${item.id} ${String(item.concerns_focus)}`);
            assert.deepEqual(listed, looked(state, place, limit), JSON.stringify(place));
            assert.equal(more, openHolders(state).length - items.length);
          }
          removeSandboxes();
        },
      ),
      { numRuns: runs(80) },
    );
  });
});
