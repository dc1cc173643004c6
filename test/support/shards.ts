/** Files of tests that run side by side, and what becomes of those that fail. */

export interface Tried {
  readonly file: string;
  readonly passed: boolean;
  readonly output: string;
}

export interface ShardOptions {
  readonly shards: number;
  /** The most tries that one file gets. */
  readonly tries: number;
  /** The most further tries that all files together get: the next file that fails has failed. */
  readonly furtherTries: number;
}

export interface ShardsResult {
  readonly failed: readonly Tried[];
  /** What was tried again, and for which time: `rfc.test.ts (2)`. */
  readonly further: readonly string[];
}

/** Each shard takes the next file as soon as it has none; what failed is tried again by itself, when all others are done. */
export async function runShards(
  files: readonly string[],
  run: (file: string) => Promise<Tried>,
  { shards, tries, furtherTries }: ShardOptions,
): Promise<ShardsResult> {
  const waiting = files.values();
  const first: Tried[] = [];
  const shard = async (): Promise<void> => {
    for (const file of waiting) first.push(await run(file));
  };
  await Promise.all(Array.from({ length: shards }, shard));

  const further: string[] = [];
  const failed: Tried[] = [];
  for (const result of first.filter(({ passed }) => !passed)) {
    let last = result;
    for (let attempt = 2; attempt <= tries && !last.passed && further.length < furtherTries; attempt++) {
      further.push(`${last.file} (${String(attempt)})`);
      last = await run(last.file);
    }
    if (!last.passed) failed.push(last);
  }
  return { failed, further };
}
