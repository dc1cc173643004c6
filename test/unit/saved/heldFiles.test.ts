import assert from 'node:assert/strict';
import { noHeldFiles } from '../../../src/core/state/heldChanges.ts';
import type { HeldFiles } from '../../../src/core/state/heldChanges.ts';
import { packHeldFiles, unpackHeldFiles } from '../../../src/store/saved/heldFiles.ts';
import { sha256 } from '../../../src/trust/canonical.ts';

const baseline = (name: string) => ({ hash: sha256(name), scopes: sha256(`scopes of ${name}`) });
const at = '2026-01-01T00:00:00.000Z';
const change = { path: 'src/a.ts', was: null, is: sha256('is'), at, call: 'make' };

describe('saved baselines of held files', () => {
  const all = new Map<string, HeldFiles>([
    ['Q-3', { ...noHeldFiles, baselines: [baseline('three')] }],
    ['RFC-1', { ...noHeldFiles, baselines: [baseline('rfc')] }],
    ['Q-1', { ...noHeldFiles, baselines: [baseline('one'), baseline('one, part 2')] }],
    ['Q-12', { ...noHeldFiles, baselines: [baseline('twelve')], changes: [change] }],
    ['Q-13', { ...noHeldFiles, baselines: [baseline('13')], accepted: [{ path: 'src/a.ts', is: null }] }],
    ['Q-14', { ...noHeldFiles, baselines: [baseline('14')], lost: { at, call: null } }],
    ['Q-15', { ...noHeldFiles, baselines: [{ ...baseline('15'), copy: '0123456789abcdef' }] }],
    ['Q-16', { ...noHeldFiles, baselines: [{ hash: 'short', scopes: sha256('16') }] }],
    ['Q-017', { ...noHeldFiles, baselines: [baseline('017')] }],
    ['Q-18', noHeldFiles],
    ['Q-20', { ...noHeldFiles, baselines: [baseline('twenty')] }],
  ]);

  it('are the same when they are read, and in the same order', () => {
    const read = unpackHeldFiles(packHeldFiles(all));
    assert.deepEqual([...read], [...all]);
  });

  it('take little more than their hashes', () => {
    const many = new Map([...Array(1_000).keys()].map((number) => [`Q-${String(number + 1)}`, all.get('Q-3')!]));
    assert.ok(packHeldFiles(many).length < 1_000 * 135);
  });
});
