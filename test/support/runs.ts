/** `npm run test:full`: everything, not a part of it. */
export const isFull = process.env['HOLDPOINT_RUNS'] === 'all';

/**
 * The number of runs of a property, or of combinations (themes of a scene, payloads of a field, arguments of a
 * command): a quarter of `all`, or less for slow ones, or all with HOLDPOINT_RUNS=all, which `npm run test:full` sets.
 */
export function runs(all: number, divisor = 4): number {
  return isFull ? all : Math.ceil(all / divisor);
}

/** As many of them as `runs` allows, each turn beginning a quarter later, so that four turns cover all. */
export function someOf<T>(all: readonly T[], turn: number): T[] {
  const first = turn * Math.ceil(all.length / 4);
  return Array.from({ length: runs(all.length) }, (_, at) => all[(first + at) % all.length]!);
}

/** Days since 1970. HOLDPOINT_DAY repeats the choice of another day. */
export const day = Number(process.env['HOLDPOINT_DAY'] ?? Math.floor(Date.now() / 86_400_000));

/** A matrix is divided between so many days, which have all of it together. */
const days = 8;

/** The day's share, of which each day has at least one; all with HOLDPOINT_RUNS=all. */
export function ofTheDay<T>(all: readonly T[], among = days): T[] {
  const shares = Math.min(among, all.length);
  return isFull ? [...all] : all.filter((_, index) => index % shares === day % shares);
}

/** The turn, for `someOf`, of the one at this index: others of its day have other ones, and so has it on its next day. */
export function turnOf(index: number): number {
  return isFull ? index : Math.floor(index / days) + Math.floor(day / days);
}
