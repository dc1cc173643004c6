/**
 * The number of runs of a property, or of combinations (themes of a scene, payloads of a field, arguments of a
 * command): a quarter of `all`, or all with HOLDPOINT_RUNS=all, which `npm run test:full` sets.
 */
export function runs(all: number): number {
  return process.env['HOLDPOINT_RUNS'] === 'all' ? all : Math.ceil(all / 4);
}

/** As many of them as `runs` allows, beginning where the turn before ended, so that several turns cover all. */
export function someOf<T>(all: readonly T[], turn: number): T[] {
  const count = runs(all.length);
  return Array.from({ length: count }, (_, at) => all[(turn * count + at) % all.length]!);
}
