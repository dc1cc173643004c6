/**
 * Baselines of held files. Thousands of questions may have one each and nothing else: of these, the hashes are in two long
 * texts, because parsing a text for each hash would be slow.
 */
import { noHeldFiles } from '../../core/state/heldChanges.ts';
import type { HeldFiles } from '../../core/state/heldChanges.ts';
import type { State } from '../../core/state/state.ts';

interface Packed {
  /** In order: the number of a question that has one baseline and nothing else, or all of another one. */
  readonly all: readonly (number | readonly [id: string, files: HeldFiles])[];
  /** Of the numbers, one after another. */
  readonly hashes: string;
  readonly scopes: string;
}

/** Characters of a hash. */
const length = 64;

export function packHeldFiles(heldFiles: State['heldFiles']): string {
  const hashes: string[] = [];
  const scopes: string[] = [];
  const all = [...heldFiles].map(([id, files]): Packed['all'][number] => {
    const place = plainPlace(id, files);
    const [baseline] = files.baselines;
    if (place === null || !baseline) return [id, files];
    hashes.push(baseline.hash);
    scopes.push(baseline.scopes);
    return place;
  });
  return JSON.stringify({ all, hashes: hashes.join(''), scopes: scopes.join('') } satisfies Packed);
}

/** Null for one that is written as it is. */
function plainPlace(id: string, { baselines, changes, accepted, lost }: HeldFiles): number | null {
  const [baseline, ...more] = baselines;
  if (!baseline || more.length + changes.length + accepted.length > 0 || lost !== null) return null;
  const isPlain = baseline.copy === undefined && [baseline.hash, baseline.scopes].every((one) => one.length === length);
  const number = Number(id.slice(2));
  return isPlain && id === `Q-${String(number)}` ? number : null;
}

export function unpackHeldFiles(text: string): State['heldFiles'] {
  const { all, hashes, scopes } = JSON.parse(text) as Packed;
  const found: State['heldFiles'] = new Map();
  let at = 0;
  for (const one of all) {
    if (typeof one !== 'number') {
      found.set(...(one as [string, HeldFiles]));
      continue;
    }
    const baseline = { hash: hashes.slice(at, at + length), scopes: scopes.slice(at, at + length) };
    found.set(`Q-${String(one)}`, { ...noHeldFiles, baselines: [baseline] });
    at += length;
  }
  return found;
}
