/**
 * The number of runs of a property, or of combinations (themes of a scene, payloads of a field, arguments of a
 * command): a quarter of `all`, or less for slow ones, or all with HOLDPOINT_RUNS=all, which `npm run test:full` sets.
 */
export function runs(all: number, divisor = 4): number {
  return process.env['HOLDPOINT_RUNS'] === 'all' ? all : Math.ceil(all / divisor);
}

/** As many of them as `runs` allows, each turn beginning a quarter later, so that several turns cover all. */
export function someOf<T>(all: readonly T[], turn: number): T[] {
  const first = turn * Math.ceil(all.length / 4);
  return Array.from({ length: runs(all.length) }, (_, at) => all[(first + at) % all.length]!);
}
