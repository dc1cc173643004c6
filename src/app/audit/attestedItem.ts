/** What attestations say about a question or an RFC: its files. */
import * as z from 'zod';
import { questionType } from '../../core/kit/words.ts';
import type { Attestation } from './attestations.ts';
import type { Scope } from './checkFiles.ts';

const texts = z.array(z.string()).catch([]);
const seenFields = z.object({
  text: z.string().nullable().catch(null),
  title: z.string().nullable().catch(null),
  for: z.string().nullable().catch(null),
  type: questionType.nullable().catch(null),
  scopes: texts,
  holds: texts,
  files: z.array(z.object({ path: z.string() })).catch([]),
});

/** What the human was shown, as far as it tells which files it concerns. `holds` are an RFC's files. */
export function seenIn({ record, shown }: Attestation): z.infer<typeof seenFields> {
  const isOfAnswer = record.kind === 'answer.revoked' || record.kind === 'refusal.lifted';
  const seen = seenFields.safeParse((isOfAnswer ? shown?.['question'] : shown) ?? {});
  return seen.success ? seen.data : seenFields.parse({});
}

/**
 * The files that one question or RFC is about.
 * @param known its attestations
 * @param settled whether a decision of it is in force: until then, a widened one is about all files
 */
export function attestedScope(known: readonly Attestation[], settled: boolean): Scope {
  const seen = known.map(seenIn);
  const isEvery = !settled && known.some(({ record }) => record.kind === 'hold.widened');
  return {
    globs: new Set([...(isEvery ? ['**'] : []), ...seen.flatMap(({ scopes, holds }) => [...scopes, ...holds])]),
    paths: new Set(seen.flatMap(({ files }) => files.map((file) => file.path))),
    place: '.',
  };
}
