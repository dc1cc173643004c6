/** What every program knows of the journal before it reads a record: a file of its own, because gates start often. */

export const format = { current: 1, minReader: 1, minWriter: 1 } as const;
/** Development versions asked for 2 to 13, all of which this program reads: the next format is 14. */
export const lastOfDevelopment = 13;

/** `prev` of the very first line. */
export const noLine = '0'.repeat(64);
