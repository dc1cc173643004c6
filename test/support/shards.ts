/** Runs test files in parallel, and retries those that fail. */

export interface Tried {
  readonly file: string;
  readonly passed: boolean;
  readonly output: string;
}

export interface ShardOptions {
  readonly shards: number;
  /** Maximum number of tries of one file. */
  readonly tries: number;
  /** Maximum number of retries over all files; after that, a failing file counts as failed. */
  readonly furtherTries: number;
}

export interface ShardsResult {
  readonly failed: readonly Tried[];
  /** The retried files, with the number of the try: `rfc.test.ts (2)`. */
  readonly further: readonly string[];
}

/** Each idle shard takes the next file; failed files are retried one at a time, after all others. */
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
