/** Effects of acts about keys: none of them makes a key count; those that end one end it from there on. */
import { Inadmissible } from '../state/inadmissible.ts';
import type { KeyRecord } from '../records/key.ts';
import type { Deciding, Effects } from '../state/effect.ts';

export const keyEffects: Effects<KeyRecord['kind']> = {
  'key.enrolled': applyKey,
  'key.lost': applyKey,
  'key.rotated': applyKey,
  'key.trusted': applyKey,
  'key.retired': applyKey,
};

function applyKey({ state, change, payload: { at }, keyid: signer }: Deciding, record: KeyRecord): void {
  const own = record.kind === 'key.enrolled' || record.kind === 'key.lost';
  const by = record.kind === 'key.rotated' ? record.from : own ? record.keyid : signer;
  if (by !== signer) throw new Inadmissible('is signed by another key than it is about', 'forgery');
  const ended = endedBy(record);
  if (ended.includes(record.kind === 'key.retired' ? signer : record.keyid))
    throw new Inadmissible('would end the key that is to go on');
  for (const keyid of ended) if (!state.retiredKeys.has(keyid)) change.set(state.retiredKeys, keyid, at);
}

function endedBy(record: KeyRecord): readonly string[] {
  switch (record.kind) {
    case 'key.enrolled':
    case 'key.trusted':
      return [];
    case 'key.lost':
      return record.lost.map(({ keyid }) => keyid);
    case 'key.rotated':
      return [record.from];
    case 'key.retired':
      return [record.keyid];
  }
}
