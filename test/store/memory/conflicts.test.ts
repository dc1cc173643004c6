/** Decisions that may contradict each other, compared with a plain search through all of them. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { conflictingDecisions } from '../../../src/app/memory/briefing.ts';
import { eventsIn } from '../../../src/store/rows/events.ts';
import type { Store } from '../../../src/store/store.ts';
import { ofTheDay, runs } from '../../support/runs.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const paths = ['.', 'src', 'src/a', 'src/a/x.ts', 'src/A', 'src/b', 'src0', 'lib/z.ts'] as const;

interface Posted {
  readonly id: string;
  readonly isDecision: boolean;
  readonly scopes: readonly string[];
}

/** Adds events in few acts. */
async function post(store: Store, all: readonly Omit<Posted, 'id'>[]): Promise<Posted[]> {
  const posted: Posted[] = [];
  for (let from = 0; from < all.length; from += 500) {
    const some = all.slice(from, from + 500);
    const first = store.read().state.events.size + 1;
    const ids = some.map((event, place) => ({ ...event, id: `E-${String(first + place)}` }));
    await store.transact(agent().actor, () => ({
      records: ids.map(({ id, isDecision, scopes }) => ({
        ...({ kind: 'event.posted', v: 1, id, text: id } as const),
        ...({ type: isDecision ? 'decision' : 'discovery', priority: 'normal', scopes: [...scopes] } as const),
      })),
      result: null,
    }));
    posted.push(...ids);
  }
  return posted;
}

interface Search {
  readonly focus: string | null;
  readonly ignoreCase: boolean;
}

/** The latest 200 pairs on one scope that concerns the focus, each pair of decisions once. */
function searched(all: readonly Posted[], { focus, ignoreCase }: Search): string[] {
  const folded = (path: string) => (ignoreCase ? path.toLowerCase() : path);
  const at = focus === null ? null : folded(focus);
  const concerns = (scope: string) =>
    at === null ||
    at === '.' ||
    scope === '.' ||
    [scope, at].some((one, of) => `${[at, scope][of] ?? ''}/`.startsWith(`${one}/`));
  const pairs: { scope: string; newer: number; older: number }[] = [];
  const last = new Map<string, number>();
  for (const { id, isDecision, scopes } of all) {
    const number = Number(id.slice(2));
    const before = new Map(last);
    for (const scope of isDecision ? scopes.filter((one) => concerns(folded(one))) : []) {
      const older = before.get(folded(scope));
      if (older !== undefined) pairs.push({ scope, newer: number, older });
      last.set(folded(scope), number);
    }
  }
  const latest = pairs.sort((a, b) => b.newer - a.newer || (a.scope < b.scope ? -1 : 1)).slice(0, 200);
  const texts = latest.map(({ newer, older }) => `E-${String(newer)} E-${String(older)}`);
  return [...new Set(texts)];
}

function found(store: Store, search: Search): string[] {
  const { events, related } = eventsIn(store.read().rows);
  const { items, more } = conflictingDecisions(events.values(), related, { ...search, limit: 1_000 });
  assert.equal(more, 0);
  return items.map(({ decisions: [newer, older] }) => `${newer.id} ${older.id}`);
}

describe('decisions that may contradict each other', () => {
  afterEach(removeSandboxes);
  const focuses = [null, ...paths, 'src/a/deeper/y.ts', 'SRC'];
  const searches = focuses.flatMap((focus) => [false, true].map((ignoreCase) => ({ focus, ignoreCase })));

  it('are those of a plain search', async () => {
    const event = fc.record({
      isDecision: fc.boolean(),
      scopes: fc.uniqueArray(fc.constantFrom(...paths), { maxLength: 3 }),
    });
    const store = await makeSandbox().open().store();
    const all: Posted[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 20 }), async (events) => {
        all.push(...(await post(store, events)));
        for (const search of searches)
          assert.deepEqual(found(store, search), searched(all, search), JSON.stringify(search));
      }),
      { numRuns: runs(30), endOnFailure: true },
    );
  });

  it('are those of a plain search also among thousands, few or all of them near', async () => {
    const store = await makeSandbox().open().store();
    const scopesOf = (index: number) => [
      paths[(index * 7 + (index >> 3)) % paths.length] ?? '.',
      `src/f${String(index % 900)}`,
    ];
    const all = await post(
      store,
      Array.from({ length: 3_000 }, (_, index) => ({ isDecision: index % 7 !== 0, scopes: scopesOf(index) })),
    );
    for (const search of ofTheDay(searches))
      assert.deepEqual(found(store, search), searched(all, search), JSON.stringify(search));
  });
});
