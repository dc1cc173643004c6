interface HowToRead {
  readonly lazyFrom: number | undefined;
  readonly onGone: () => void;
}

/** How a program reads saved files: as needed, until one of them turns out not to be what was written. */
export interface SavedReading {
  /**
   * Loads with options for `loadState` and `loadSnapshot`. A file that cannot be read meanwhile is not in use afterwards,
   * so it does not count for `isGone`: otherwise a damaged one would make each act begin again with the journal.
   */
  load<T>(load: (how: HowToRead) => T): T;
  /** Whether something could not be read when it was needed, or was not what was written. */
  readonly isGone: boolean;
  /** From now on, files are read and checked as a whole before anything is taken from them. */
  distrust(): void;
}

/** @param lazyFrom files at least this long are read as needed. Bytes; default: `lazyFromDefault` */
export function savedReading(lazyFrom: number | undefined): SavedReading {
  let from = lazyFrom;
  let isGone = false;
  const onGone = () => {
    isGone = true;
  };
  return {
    load(load) {
      const before = isGone;
      try {
        return load({ lazyFrom: from, onGone });
      } finally {
        isGone = before;
      }
    },
    get isGone() {
      return isGone;
    },
    distrust() {
      from = Infinity;
      isGone = false;
    },
  };
}
