import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { postedContent, shownEvent, shownPost } from '../../../src/core/memory/event.ts';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { bot, makeLab, noon, type Lab } from '../../support/store/lab.ts';

const ada = { kind: 'human', id: 'Ada' } as const;
const post = (number: number, more: object = {}) => ({
  kind: 'event.posted',
  v: 1,
  id: `E-${String(number)}`,
  type: 'warning',
  text: 'The cache is never cleared.',
  scopes: ['src/cache'],
  ...more,
});
const resolved = (number: number) => ({
  kind: 'event.closed',
  v: 1,
  id: `E-${String(number)}`,
  how: 'resolved',
  reason: 'Fixed.',
});
const superseded = (number: number, by: number) => ({
  kind: 'event.closed',
  v: 1,
  id: `E-${String(number)}`,
  how: 'superseded',
  by: `E-${String(by)}`,
});

const humanPost = { type: 'decision', text: 'We use JWT.', priority: 'high', scopes: ['src/auth'] } as const;
const content = hashOf(postedContent({ ...humanPost, scopes: [...humanPost.scopes] }, 'Ada', noon));

/** A human’s event, E-1. */
function withHumanEvent(): Lab {
  const lab = makeLab();
  lab.write([post(1)]);
  const record: Unsigned = {
    kind: 'event.postedByHuman',
    v: 1,
    id: 'E-2',
    related: [],
    ...humanPost,
    scopes: ['src/auth'],
  };
  const { refused } = lab.write(
    [lab.signed(record, { shown: hashOf(shownPost({ ...humanPost, scopes: ['src/auth'] })) })],
    ada,
  );
  assert.deepEqual(refused, []);
  return lab;
}

/** A signed closing of E-2, as the form creates it. */
function closing(lab: Lab, more: object = {}): Unsigned {
  return {
    kind: 'event.closedByHuman',
    v: 1,
    id: 'E-2',
    how: 'resolved',
    reason: 'Done.',
    content,
    ...more,
  };
}
const shown = (lab: Lab, id = 'E-2', of = content) => ({ shown: hashOf(shownEvent(lab.state, id, of)) });

describe('events', () => {
  interface Given {
    readonly given?: readonly object[];
    readonly as?: typeof bot | typeof ada;
    readonly time?: string;
    readonly reason?: 'invalid' | 'forgery';
  }

  /** @param why the record has no effect; null if it has one */
  function check(
    name: string,
    record: unknown,
    why: RegExp | null,
    { given = [post(1), post(2)], as = bot, time, reason = 'invalid' }: Given = {},
  ): void {
    it(name, () => {
      const lab = makeLab();
      assert.deepEqual(lab.write(given).refused, []);
      const before = structuredClone(lab.state);
      const { refused } = lab.write([record], as, time);
      if (why === null) {
        assert.deepEqual(refused, []);
        return;
      }
      assert.match(refused[0]?.why ?? 'nothing', why);
      assert.equal(refused[0]?.reason, reason);
      assert.deepEqual({ ...lab.state, refusals: [] }, { ...before, refusals: [] });
    });
  }

  describe('as successors', () => {
    const critical = { priority: 'critical' };
    const three = [post(1, critical), post(2, critical), post(3, { priority: 'low' }), resolved(2)];
    check('must be active', superseded(1, 2), /E-2 is resolved: only an active event takes the place of another/, {
      given: three,
    });
    check('must have the same severity', superseded(1, 3), /E-1 is a critical warning: only another critical warning/, {
      given: three,
    });
  });

  describe('when posted', () => {
    check('have consecutive numbers', post(3), null);
    check('cannot skip a number', post(4), /the next event is E-3, not E-4/);
    check('need a signature to come from a human', post(3), /needs a signature/, { as: ada });
    check('cannot come from an agent in a human’s name', { ...post(3), kind: 'event.postedByHuman' }, /is malformed/, {
      reason: 'forgery',
    });
    check('need content', post(3, { text: '  ' }), /is malformed: text must not be empty/);
    check('have at most 10,000 characters', post(3, { text: 'x'.repeat(10_001) }), /at most 10000/);
    check('may have 10,000 characters', post(3, { text: 'x'.repeat(10_000) }), null);
    check('have one of the known types', post(3, { type: 'note' }), /is malformed: type/);
    check('have scopes inside the workspace', post(3, { scopes: ['../x'] }), /is malformed: scopes/);
    check('relate only to existing events', post(3, { related: ['E-9'] }), /there is no event E-9/);

    it('get normalized scopes, and keep their headers short', () => {
      const lab = makeLab();
      const { admitted } = lab.write([post(1, { scopes: ['.\\src\\a.ts'], priority: 'critical' })]);
      const [first] = admitted;
      assert.deepEqual(first?.record.kind === 'event.posted' && first.record.scopes, ['src/a.ts']);
      assert.deepEqual(lab.state.events.get('E-1'), {
        type: 'warning',
        priority: 'critical',
        author: 'agent',
        status: 'active',
        successor: null,
      });
      assert.deepEqual([...lab.state.criticalWarnings], ['E-1']);
      lab.write([resolved(1)]);
      assert.deepEqual([...lab.state.criticalWarnings], []);
    });
  });

  describe('that repeat a mutation', () => {
    const mutation = (number: number, more: object = {}) =>
      post(number, { type: 'mutation', text: 'Moved the  Cache.', ...more });
    const given = [mutation(1, { scopes: ['b', 'a'] })];
    const later = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString();
    const again = mutation(2, { scopes: ['a', 'b'], text: 'moved the cache. ' });
    check('are recorded once', again, /E-1 says the same/, { given, time: later(29) });
    check('are recorded again after 30 minutes', again, null, { given, time: later(30) });
    check('are recorded if their scope differs', mutation(2, { scopes: ['a'] }), null, { given });
    check('are recorded again after the first was closed', again, null, { given: [...given, resolved(1)] });
    check('are recorded if their type differs', { ...again, type: 'warning' }, null, { given });

    it('are forgotten after that, so that the state stays small', () => {
      const lab = makeLab();
      for (let number = 1; number <= 50; number++)
        lab.write([mutation(number, { text: `Change ${String(number)}` })], bot, later(number));
      assert.equal(lab.state.recentMutations.size, 30);
    });
  });

  describe('when closed', () => {
    check('have a reason', resolved(1), null);
    check('cannot be resolved without a reason', { ...resolved(1), reason: undefined }, /needs a reason/);
    check('may have a successor', superseded(1, 2), null);
    check(
      'cannot be superseded without a successor',
      { ...superseded(1, 2), by: undefined },
      /needs the event that replaces/,
    );
    check('need an existing successor', superseded(1, 9), /there is no event E-9/);
    check('cannot supersede themselves', superseded(1, 1), /cannot supersede itself/);
    check('cannot supersede each other in a cycle', superseded(3, 1), /E-1 was itself superseded by E-3/, {
      given: [post(1), post(2), post(3), superseded(1, 2), superseded(2, 3)],
    });
    check('can form chains', superseded(2, 3), null, { given: [post(1), post(2), post(3), superseded(1, 2)] });
    check('can be closed only once', resolved(1), /E-1 is already resolved/, {
      given: [post(1), post(2), resolved(1)],
    });
    check('cannot be superseded after they were resolved', superseded(1, 2), /post a new event instead/, {
      given: [post(1), post(2), resolved(1)],
    });
    check('cannot be resolved after they were superseded', resolved(1), /already superseded by E-2/, {
      given: [post(1), post(2), superseded(1, 2)],
    });
    check('must exist', resolved(9), /there is no event E-9/);
    check('need a signature if a human closes them', resolved(1), /needs a signature/, { as: ada });
    check('cannot have both a reason and a successor', { ...resolved(1), by: 'E-2' }, /has no successor/);
    check(
      'cannot be closed by a proposal unless they are a human’s',
      { ...resolved(1), kind: 'event.closeProposed' },
      /closed directly/,
    );
  });

  describe('posted by a human', () => {
    it('cannot be closed by an agent, who may propose it once', () => {
      const lab = withHumanEvent();
      const agents = (record: object) => lab.write([record]).refused[0]?.why;
      assert.match(agents(resolved(2)) ?? '', /only a human closes it, an agent may propose it/);
      assert.equal(agents({ ...resolved(2), kind: 'event.closeProposed' }), undefined);
      assert.match(agents({ ...resolved(2), kind: 'event.closeProposed' }) ?? '', /already a proposal/);
      assert.equal(lab.state.events.get('E-2')?.status, 'active');
      assert.deepEqual(lab.state.proposals.get('E-2'), {
        how: 'resolved',
        reason: 'Fixed.',
        by: null,
        agent: bot.id,
        at: noon,
      });
    });

    it('are closed with a signature, which also ends the proposal', () => {
      const lab = withHumanEvent();
      lab.write([{ ...resolved(2), kind: 'event.closeProposed' }]);
      assert.deepEqual(lab.write([lab.signed(closing(lab), shown(lab))], ada).refused, []);
      assert.equal(lab.state.events.get('E-2')?.status, 'resolved');
      assert.equal(lab.state.proposals.size, 0);
    });

    it('stay active when a proposal is declined, and can be proposed again', () => {
      const lab = withHumanEvent();
      const declined: Unsigned = { kind: 'event.proposalDeclined', v: 1, id: 'E-2', content };
      assert.match(lab.write([lab.signed(declined, shown(lab))]).refused[0]?.why ?? '', /no open proposal/);
      lab.write([{ ...resolved(2), kind: 'event.closeProposed' }]);
      assert.deepEqual(lab.write([lab.signed(declined, shown(lab))], ada).refused, []);
      assert.equal(lab.state.proposals.size, 0);
      assert.equal(lab.state.events.get('E-2')?.status, 'active');
      assert.deepEqual(lab.write([{ ...resolved(2), kind: 'event.closeProposed' }]).refused, []);
    });

    const forgeries: [string, (lab: Lab) => unknown, RegExp][] = [
      [
        'for other content',
        (lab) => lab.signed(closing(lab, { content: '0'.repeat(64) }), shown(lab)),
        /has changed since/,
      ],
      [
        'from before a proposal',
        (lab) => {
          const before = shown(lab);
          lab.write([{ ...resolved(2), kind: 'event.closeProposed' }]);
          return lab.signed(closing(lab), before);
        },
        /has changed since/,
      ],
    ];
    for (const [name, make, why] of forgeries)
      it(`stay unchanged by a signature ${name}`, () => {
        const lab = withHumanEvent();
        const { refused } = lab.write([make(lab)], { kind: 'agent', id: randomUUID().slice(0, 8) });
        assert.equal(refused[0]?.reason, 'forgery');
        assert.match(refused[0].why, why);
        assert.equal(lab.state.events.get('E-2')?.status, 'active');
        assert.equal(lab.state.events.size, 2);
      });

    it('can supersede agents’ events', () => {
      const lab = withHumanEvent();
      const of = hashOf(
        postedContent(
          { type: 'warning', text: 'The cache is never cleared.', priority: 'normal', scopes: ['src/cache'] },
          bot.id,
          noon,
        ),
      );
      const record = closing(lab, { id: 'E-1', how: 'superseded', by: 'E-2', reason: undefined, content: of });
      assert.deepEqual(lab.write([lab.signed(record, shown(lab, 'E-1', of))], ada).refused, []);
      assert.equal(lab.state.events.get('E-1')?.successor, 'E-2');
    });
  });
});
