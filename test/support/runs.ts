/**
 * How often a property is tried, and how many of all combinations (themes of a scene, payloads of a field, arguments of a
 * command) are: a quarter of `all`, or all of it with HOLDPOINT_RUNS=all, as `npm run test:full` does.
 */
export function runs(all: number): number {
  return process.env['HOLDPOINT_RUNS'] === 'all' ? all : Math.ceil(all / 4);
}
