/** What every program knows of the journal before it reads a record: a file of its own, because gates start often. */

/**
 * The format this program reads and writes, and what a new workspace asks of programs. 2: imports, 3: holds that a human
 * widened, 4: a journal of several files, 5: rules that now always apply, 6: effects of answers, refusals that a human lifted,
 * questions that hold several items or have a payload, and policies on reviews and ageing, 7: questions that a human asks
 * back, 8: questions and RFCs for a person, and policies that ask for several people, 9: journals that a team shares, what
 * went on without their server, and policies on them, 10: passkeys and policies that ask for them, 11: baselines of held
 * files and changes of them, and policies on interruptions, 12: those of files that an RFC holds, answers given
 * together, 13: texts of threads that decisions on an RFC cover, and lost baselines that are
 * taken again; a workspace asks for each with its first one.
 */
export const format = { current: 13, minReader: 1, minWriter: 1 } as const;
/** For seals: a program that knows only one file would silently append after the seal. */
export const segmentFormat = 4;
/** For effects: an earlier program would drop them, and fail to verify decisions signed with them. */
export const effectFormat = 6;
/** For addressees and policies on people: an earlier program would drop the first and release by one signature. */
export const peopleFormat = 8;

/** `prev` of the very first line. */
export const noLine = '0'.repeat(64);
