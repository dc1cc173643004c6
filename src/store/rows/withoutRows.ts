/** The database of a store that has none: for acts which only read the state. The next program projects their lines. */
import type { Projection } from './laterRows.ts';

function none(): never {
  throw new Error('this store was opened without rows');
}

export const withoutRows: Projection = {
  rows: {
    get query() {
      return none();
    },
    get sql() {
      return none();
    },
    all: none,
    first: none,
  },
  begin: () => undefined,
  end: () => undefined,
  settle: () => undefined,
  settleMany: () => undefined,
  run: () => undefined,
  value: none,
  export: none,
  close: () => undefined,
};
