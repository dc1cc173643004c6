/**
 * Clients of one store in one program: `client.ts <URL, or ''> <folder> <home> [<folder> <home>]...`. Each has its store
 * open, and a connection of its own; all write at once.
 */
import { randomUUID } from 'node:crypto';
import { expiryOf, nextQuestionId } from '../../src/core/question/question.ts';
import { wholeAgent } from '../../src/core/kit/persons.ts';
import type { Actor } from '../../src/core/records/records.ts';
import type { Store } from '../../src/store/store.ts';
import { asker, openPlace, questionOf } from '../seed.ts';
import { sharedNow } from '../stats.ts';
import type { Order, Written } from '../writer.ts';
import { openShared } from './open.ts';

const [, , url = '', ...where] = process.argv;
interface Client {
  readonly store: Store;
  readonly by: Actor;
}

const clients: Client[] = [];
for (let place = 0; place < where.length; place += 2) {
  const [folder = '', home = ''] = where.slice(place, place + 2);
  const opened = url === '' ? openPlace({ folder, home }) : openShared({ folder, home }, url);
  const store = await opened.store();
  clients.push({ store, by: { ...asker, id: wholeAgent(opened.person(), asker.id) } });
}

interface Commits {
  readonly took: number[];
  /** When each client began. */
  readonly starts: number[];
}

/** Commits until there are enough or the time is over. @throws StoreError for one that was not acknowledged */
async function commitAll(
  { store, by }: Client,
  { from, until, count }: Order,
  { took, starts }: Commits,
): Promise<void> {
  await store.pull();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, from - sharedNow())));
  let before = sharedNow();
  starts.push(before);
  do {
    const mark = randomUUID();
    await store.transact(by, ({ state, now }) => {
      const id = nextQuestionId(state);
      return { records: [questionOf(Number(id.slice(2)), mark, expiryOf(state, 'high', now))], result: id };
    });
    const after = sharedNow();
    took.push(after - before);
    before = after;
  } while (took.length < count && before < until);
}

process.on('message', (order: Order) => {
  const commits: Commits = { took: [], starts: [] };
  void Promise.allSettled(clients.map((client) => commitAll(client, order, commits))).then((outcomes) => {
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    const { took, starts } = commits;
    process.send?.({ began: Math.min(...starts), ended: sharedNow(), took, failed } satisfies Written);
  });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
