/** How a program reads saved files: as needed, until one of them turns out not to be what was written. */
export interface SavedReading {
  /** Options for `loadState` and `loadSnapshot`. */
  how(): { readonly lazyFrom: number | undefined; readonly onGone: () => void };
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
    how: () => ({ lazyFrom: from, onGone }),
    get isGone() {
      return isGone;
    },
    distrust() {
      from = Infinity;
      isGone = false;
    },
  };
}
