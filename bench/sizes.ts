/** A store of the sizes that Holdpoint is built for: 500 open holders, 3,000 work items, 20,000 closed items and 20,000 events. */
import { asker, makeSeed, questionOf, type Seed } from './seed.ts';

const workItems = 3_000;
const open = 500;
const closed = 20_000;
const events = 20_000;
const inLine = 100;

export function makeFullSeed(parent: string): Promise<Seed> {
  return makeSeed(parent, open, (write) => {
    const began = Date.now();
    const expiresAt = new Date(began + 365 * 24 * 60 * 60 * 1000).toISOString();
    write(began, asker, [{ kind: 'format.changed', v: 1, minReader: 6, minWriter: 6 }]);
    for (let first = 0; first < workItems; first += inLine)
      write(
        began,
        asker,
        Array.from({ length: inLine }, (_, at) => ({
          ...({ kind: 'work.registered', v: 1, id: `w-${String(first + at)}`, workKind: 'task' } as const),
          ...{ title: `Import of part ${String(first + at)}`, holds: [`lib/part-${String(first + at)}/**`] },
          dependsOn: first + at < 10 ? [] : [`w-${String(first + at - 7)}`],
        })),
      );
    for (let number = open + 1; number <= open + closed; number++) {
      const raised = { ...questionOf(number, `no ${String(number)}`, expiresAt), mode: 'async' as const, holds: [] };
      write(began, asker, [raised]);
      write(began, asker, [
        { kind: 'question.withdrawn', v: 1, id: raised.id, reason: 'The partner answered by mail.' },
      ]);
    }
    for (let number = 1; number <= events; number++)
      write(began, asker, [
        {
          ...({ kind: 'event.posted', v: 1, id: `E-${String(number)}`, type: 'decision', priority: 'normal' } as const),
          text: `The importer of part ${String(number)} skips rows with an empty key, as agreed with the partner.`,
          ...{ scopes: [`lib/part-${String(number % workItems)}`], related: [] },
        },
      ]);
  });
}
