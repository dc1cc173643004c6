/** What waiting cost, from noted waits: only caches that expired before the agent went on, and never a guess. */
import assert from 'node:assert/strict';
import { noCosts, waitCosts } from '../../../src/core/dashboard/waitCosts.ts';
import type { NotedWait } from '../../../src/core/dashboard/waitCosts.ts';
import type { TokenPrices } from '../../../src/core/kit/tokenPrices.ts';
import { makeLab, noon, question } from '../../support/store/lab.ts';
import { proposed, revised, submitted } from '../../support/store/rfcRecords.ts';

const at = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString();
const wait = (minute: number, more: Partial<NotedWait> = {}): NotedWait => ({
  ...{ agent_id: 'copilot-001', session: 's', items: ['Q-1'], used_at: at(minute), call_ends_at: null },
  ...{ tokens: 180_000, cached: 170_000, cache_seconds: 300, model: 'claude-x' },
  ...more,
});
const prices: TokenPrices = {
  currency: 'USD',
  models: [{ model: 'claude-*', input: 5, cacheRead: 0.5, cacheWrite: 6.25 }],
};

/** Of the agent, one hour after noon; Q-1 is decided after so many minutes. */
function costs(
  waits: readonly NotedWait[],
  { decided, own = null }: { decided?: number; own?: TokenPrices | null } = {},
) {
  const { state, write } = makeLab();
  write([question(1), question(2)]);
  const first = state.questions.get('Q-1')!;
  const resolution = decided === undefined ? null : { how: 'answered', at: at(decided) };
  state.questions.set('Q-1', { ...first, resolution } as typeof first);
  return waitCosts(state, { waits, prices: own, now: at(60) });
}

function ofAgent(...given: Parameters<typeof costs>) {
  const { unknown_items: _, ...cost } = costs(...given).agents.get('copilot-001') ?? noCosts;
  return cost;
}

const { unknown_items: _, ...nothing } = noCosts;
const lost = (n: number, tokens = 170_000) => ({
  ...nothing,
  ...{ expired_caches: n, tokens_lost: n * tokens, tokens_without_price: n * tokens },
});

describe('what waiting cost', () => {
  it('is nothing while the cache lasts, and its tokens once it has expired', () => {
    assert.deepEqual(ofAgent([wait(0)], { decided: 5 }), nothing);
    assert.deepEqual(ofAgent([wait(0)], { decided: 5.1 }), lost(1));
    assert.deepEqual(ofAgent([wait(0)]), lost(1), 'still waiting');
    assert.deepEqual(ofAgent([wait(57)]), nothing);
    assert.deepEqual(ofAgent([wait(0, { cached: null })]), lost(1, 180_000));
    assert.deepEqual(ofAgent([wait(0, { cached: 0 })]), nothing);
  });

  it('ends with the next wait of the session, with the call, or with the decision', () => {
    assert.deepEqual(ofAgent([wait(0), wait(4), wait(8)], { decided: 9 }), nothing);
    assert.deepEqual(ofAgent([wait(0), wait(6), wait(8)], { decided: 9 }), lost(1));
    assert.deepEqual(ofAgent([wait(0, { call_ends_at: at(4) })]), nothing);
    assert.deepEqual(ofAgent([wait(0, { call_ends_at: at(7) }), wait(30)], { decided: 31 }), lost(1));
    const other = wait(4, { session: 'other' });
    assert.deepEqual(ofAgent([wait(0), other], { decided: 7 }), lost(1), 'another session keeps nothing alive');
    assert.deepEqual(ofAgent([wait(8), wait(0), wait(4)], { decided: 9 }), nothing, 'in any order');
  });

  it('is unknown where neither the host nor the prices say how long the cache lasts', () => {
    const unknown = wait(0, { cache_seconds: null });
    assert.deepEqual(ofAgent([unknown]), { ...nothing, unknown_caches: 1 });
    const own = { ...prices, models: [{ model: 'claude-x', cacheMinutes: 10 }] };
    assert.deepEqual(ofAgent([unknown], { own }), lost(1));
    assert.deepEqual(ofAgent([unknown], { own, decided: 9 }), nothing);
    assert.deepEqual(ofAgent([wait(0)], { own, decided: 9 }), lost(1), 'what the host says comes first');
  });

  it('has a price by this person’s own prices only', () => {
    const priced = { ...lost(1), price: (170_000 * 5.75) / 1_000_000, tokens_without_price: 0 };
    assert.deepEqual(ofAgent([wait(0)], { own: prices }), priced);
    const foreign = wait(30, { model: 'other', items: ['Q-2'] });
    assert.deepEqual(ofAgent([wait(0), foreign], { own: prices }), {
      ...priced,
      ...{ expired_caches: 2, tokens_lost: 340_000, tokens_without_price: 170_000 },
    });
    const asInput = { ...prices, models: [{ model: 'claude-x', input: 5, cacheRead: 0.5 }] };
    assert.equal(ofAgent([wait(0)], { own: asInput }).price, (170_000 * 4.5) / 1_000_000);
    for (const model of [{ input: 5 }, { cacheRead: 1 }])
      assert.equal(ofAgent([wait(0)], { own: { ...prices, models: [{ model: '*', ...model }] } }).price, null);
    assert.equal(ofAgent([wait(0, { model: null })], { own: prices }).price, null);
  });

  it('counts by type of question, with the time, and questions without a note as unknown', () => {
    const { types, agents } = costs([wait(0)], { decided: 20 });
    assert.deepEqual(types, [{ ...lost(1), unknown_items: 1, type: types[0]?.type, waited_ms: 80 * 60_000 }]);
    assert.equal(agents.get('copilot-001')?.unknown_items, 1);
    assert.deepEqual(costs([wait(0, { items: ['Q-9'] })]).types[0]?.expired_caches, 0, 'no such question');
  });

  it('counts waits for RFCs as a type of their own, until the decision', () => {
    const { state, write } = makeLab();
    write([proposed({ workflows: [], holds: ['src/**'] }), submitted(1)]);
    const rfc = state.rfcs.get('RFC-1');
    assert.ok(rfc);
    const figures = (waits: readonly NotedWait[]) => waitCosts(state, { waits, prices: null, now: at(60) });
    const noted = wait(0, { items: ['RFC-1'] });
    assert.deepEqual(figures([noted]).types, [{ ...lost(1), unknown_items: 0, type: 'rfc', waited_ms: 60 * 60_000 }]);
    assert.equal(figures([]).agents.get('copilot-001')?.unknown_items, 1, 'without a note');
    state.rfcs.set('RFC-1', { ...rfc, status: 'withdrawn', ended: { at: at(4) } as NonNullable<typeof rfc.ended> });
    assert.deepEqual(figures([noted]).types, [{ ...noCosts, type: 'rfc', waited_ms: 4 * 60_000 }]);
  });

  describe('RFCs', () => {
    const files = proposed({ workflows: [], holds: ['src/**'] });
    const noted = wait(0, { items: ['RFC-1'], cache_seconds: 600 });
    /** The lab with RFC-1 submitted 30 minutes after it was proposed, and the figures so many minutes after noon. */
    function submittedLate() {
      const lab = makeLab();
      lab.write([files]);
      lab.write([submitted(1)], undefined, at(30));
      const decide = (record: Readonly<Record<string, unknown>>, minute: number) =>
        lab.write([lab.signed({ v: 1, id: 'RFC-1', ...record } as never, { at: at(minute) })]).refused;
      return {
        ...{ lab, decide },
        figures: (minute: number, waits: readonly NotedWait[] = []) =>
          waitCosts(lab.state, { waits, prices: null, now: at(minute) }).types,
      };
    }
    const approval = (hash: string, revision = 1) => ({
      ...{ kind: 'rfc.approved', revision, hash, conditions: [], constraints: [] },
    });
    const hashOf = ({ lab }: ReturnType<typeof submittedLate>, revision: number) =>
      lab.state.rfcs.get('RFC-1')?.revisions[revision - 1]?.hash ?? '';

    it('a wait begins with the submission, and again with the next revision', () => {
      const { lab, figures } = submittedLate();
      assert.deepEqual(
        figures(60).map(({ waited_ms }) => waited_ms),
        [30 * 60_000],
      );
      lab.write([revised(2)], undefined, at(50));
      assert.deepEqual(
        figures(60).map(({ waited_ms }) => waited_ms),
        [10 * 60_000],
      );
    });

    it('a rejection by too few people does not end the wait', () => {
      const late = submittedLate();
      const rfc = late.lab.state.rfcs.get('RFC-1')!;
      const ended = { how: 'rejected', at: at(40), unmet: true } as NonNullable<typeof rfc.ended>;
      late.lab.state.rfcs.set('RFC-1', { ...rfc, status: 'rejected', ended });
      assert.deepEqual(
        late.figures(60).map(({ waited_ms }) => waited_ms),
        [30 * 60_000],
      );
    });

    it('a draft waits for its author and costs nothing', () => {
      const { state, write } = makeLab();
      write([files]);
      assert.deepEqual(waitCosts(state, { waits: [], prices: null, now: at(60) }).types, []);
      const late = submittedLate();
      assert.deepEqual(late.decide({ kind: 'rfc.changesRequested', revision: 1, reason: 'Smaller.' }, 40), []);
      assert.deepEqual(late.figures(60), []);
    });

    it('an amendment stops nobody and changes no cost of an earlier wait', () => {
      const late = submittedLate();
      assert.deepEqual(late.decide(approval(hashOf(late, 1)), 35), []);
      const call = { ...noted, used_at: at(30) };
      const before = late.figures(60, [call]);
      assert.deepEqual(before, [{ ...noCosts, type: 'rfc', waited_ms: 5 * 60_000 }]);
      late.lab.write([revised(2)], undefined, at(50));
      assert.deepEqual(
        late.figures(600, [call]).map(({ tokens_lost }) => tokens_lost),
        [0],
        'it ended with the approval',
      );
      const next = { ...noted, used_at: at(51), session: 'next' };
      assert.deepEqual(
        late.figures(600, [call, next]).map(({ tokens_lost }) => tokens_lost),
        [170_000],
        'a call that waits for the amendment does not end before it began',
      );
    });
  });
});
