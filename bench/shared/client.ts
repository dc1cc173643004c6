/**
 * Clients of one store in one program: `client.ts <URL, or ''> <folder> <home> [<folder> <home>]...`. Each has its store
 * open, and a connection of its own; all write at once.
 */
import { randomUUID } from 'node:crypto';
import { expiryOf, nextQuestionId } from '../../src/core/question/question.ts';
import type { Store } from '../../src/store/store.ts';
import { asker, openPlace, questionOf } from '../seed.ts';
import { sharedNow } from '../stats.ts';
import type { Order, Written } from '../writer.ts';
import { openShared } from './open.ts';

const [, , url = '', ...where] = process.argv;
const stores: Store[] = [];
for (let place = 0; place < where.length; place += 2) {
  const [folder = '', home = ''] = where.slice(place, place + 2);
  const opened = url === '' ? openPlace({ folder, home }) : openShared({ folder, home }, url);
  stores.push(await opened.store());
}

interface Commits {
  readonly took: number[];
  /** When each client began. */
  readonly starts: number[];
}

/** Commits until there are enough or the time is over. @throws StoreError for one that was not acknowledged */
async function commitAll(store: Store, { from, until, count }: Order, { took, starts }: Commits): Promise<void> {
  await store.pull();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, from - sharedNow())));
  let before = sharedNow();
  starts.push(before);
  do {
    const mark = randomUUID();
    await store.transact(asker, ({ state, now }) => {
      const id = nextQuestionId(state);
      return { records: [questionOf(Number(id.slice(2)), mark, expiryOf(state, now))], result: id };
    });
    const after = sharedNow();
    took.push(after - before);
    before = after;
  } while (took.length < count && before < until);
}

process.on('message', (order: Order) => {
  const commits: Commits = { took: [], starts: [] };
  void Promise.allSettled(stores.map((store) => commitAll(store, order, commits))).then((outcomes) => {
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    const { took, starts } = commits;
    process.send?.({ began: Math.min(...starts), ended: sharedNow(), took, failed } satisfies Written);
  });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
