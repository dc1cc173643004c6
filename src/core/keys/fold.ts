/**
 * Effects of records about keys. None makes a key count; some end a key from that position on. In a journal that a team
 * shares a record ends only the key that signs it: a root of the team ends others, in the team's key ring.
 */
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
  if (by !== signer) throw new Inadmissible('is signed by a key other than its subject', 'forgery');
  const ended = endedBy(record);
  if (ended.includes(record.kind === 'key.retired' ? signer : record.keyid))
    throw new Inadmissible('would retire the key that must remain');
  if (state.shared && ended.some((keyid) => keyid !== signer))
    throw new Inadmissible('would end the key of another person, which only a root of the team can do', 'forgery');
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
