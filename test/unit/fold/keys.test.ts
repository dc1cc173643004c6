/** Records about keys: which of them end a key, in a journal of one machine and in one that a team shares. */
import assert from 'node:assert/strict';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { shownSharing } from '../../../src/core/decision/workspace.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeLab, question, type Lab } from '../../support/store/lab.ts';
import { makeHuman, type Human } from '../../support/store/people.ts';

const [ada, grace, linus] = [makeHuman('Ada'), makeHuman('Grace'), makeHuman('Linus')];
const share: Unsigned = { kind: 'store.shared', v: 1, name: 'payments', roots: [ada.pin.publicKey] };
const unshare: Unsigned = { kind: 'store.unshared', v: 1 };
const face = ({ pin: { keyid, publicKey, name } }: Human) => ({ keyid, publicKey, name });
const id = ({ keyid, pin: { name } }: Human) => ({ keyid, name });

const retireLinus: Unsigned = { kind: 'key.retired', v: 1, ...id(linus) };
const loseLinus: Unsigned = { kind: 'key.lost', v: 1, ...face(grace), lost: [id(linus)] };
const loseOwn: Unsigned = { kind: 'key.lost', v: 1, ...face(grace), lost: [id(ada), id(linus)] };
const rotateOwn: Unsigned = { kind: 'key.rotated', v: 1, from: grace.keyid, ...face(makeHuman('Grace')) };
const rotateLinus: Unsigned = { kind: 'key.rotated', v: 1, from: linus.keyid, ...face(makeHuman('Grace')) };

function labOf(moves: readonly Unsigned[]): Lab {
  const lab = makeLab(ada, [grace, linus]);
  lab.write([question(1, { holds: ['src'] })]);
  for (const move of moves)
    assert.deepEqual(lab.write([lab.signed(move, { shown: hashOf(shownSharing(lab.state)) })]).refused, []);
  return lab;
}

/** What becomes of a record that Grace signs, and which keys are ended then. */
function after(moves: readonly Unsigned[], record: Unsigned) {
  const lab = labOf(moves);
  const { refused } = lab.write([lab.signed(record, { signer: grace })], { kind: 'human', id: 'Grace' });
  return [refused[0]?.reason ?? 'counts', [...lab.state.retiredKeys.keys()]];
}

describe('records that end keys', () => {
  it('in a journal of one machine end the keys that they name', () => {
    for (const moves of [[], [share, unshare]]) {
      assert.deepEqual(after(moves, retireLinus), ['counts', [linus.keyid]]);
      assert.deepEqual(after(moves, loseLinus), ['counts', [linus.keyid]]);
      assert.deepEqual(after(moves, rotateOwn), ['counts', [grace.keyid]]);
      assert.deepEqual(after(moves, rotateLinus), ['forgery', []]);
    }
  });

  it('in a journal that a team shares end the key that signs them, and no other', () => {
    for (const record of [retireLinus, loseLinus, loseOwn, rotateLinus])
      assert.deepEqual(after([share], record), ['forgery', []], record.kind);
    assert.deepEqual(after([share], rotateOwn), ['counts', [grace.keyid]]);
  });

  it('that counted before the journal was shared go on counting', () => {
    const lab = labOf([]);
    lab.write([lab.signed(retireLinus, { signer: grace })], { kind: 'human', id: 'Grace' });
    lab.write([lab.signed(share, { shown: hashOf(shownSharing(lab.state)) })]);
    assert.deepEqual([lab.state.shared?.name, [...lab.state.retiredKeys.keys()]], ['payments', [linus.keyid]]);
  });
});
