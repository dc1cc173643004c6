/**
 * The last line of the launcher, and the only one that runs a program: nothing runs before the whole file was read. The
 * commands in hosts' files require it, because a shell takes an empty file for a success.
 */
export const lastLine = 'start "$@" # whole';

/** Of the launcher on Windows, whose lines run one by one. */
export const lastLineOnWindows = 'rem whole';
