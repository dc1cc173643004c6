/** The database of a store that has none: for acts which only read the state. The next program projects their lines. */
import type { Database } from './sqlite.ts';

function none(): never {
  throw new Error('this store was opened without rows');
}

export const withoutRows: Database = {
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
  run: () => undefined,
  rollback: () => undefined,
  value: none,
  export: none,
  close: () => undefined,
};
