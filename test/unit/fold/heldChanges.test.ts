/** Records about changes of held files: which count, and that only a signature over what was shown accepts one. */
import assert from 'node:assert/strict';
import { shownHash, type Unsigned } from '../../../src/app/decision/decisions.ts';
import { shownSubject } from '../../../src/core/question/question.ts';
import { shownRfc } from '../../../src/core/rfc/rfc.ts';
import { noHeldFiles, ofCopy, type HeldFiles } from '../../../src/core/state/heldChanges.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeLab, question, setHeld, type Lab } from '../../support/store/lab.ts';
import { makeHuman } from '../../support/store/people.ts';
import { proposed } from '../../support/store/rfcRecords.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const taken = { kind: 'hold.baselineTaken', v: 1, id: 'Q-1', part: 1, hash: a, scopes: hashOf(['src/one']), files: 1 };
const change = { path: 'src/one', was: a, is: b };
const violated = { kind: 'hold.violated', v: 1, id: 'Q-1', files: [change], call: 'npm run fmt' };
const restored = { kind: 'hold.fileRestored', v: 1, id: 'Q-1', paths: ['src/one'] };
const accepted: Unsigned = { kind: 'hold.changeAccepted', v: 1, id: 'Q-1', files: [change] };

/** Q-1 holds `src/one`. */
function scene(...records: object[]): Lab {
  const lab = makeLab();
  for (const record of [question(1, { holds: ['src/one'] }), ...records])
    assert.deepEqual(lab.write([record]).refused, []);
  return lab;
}

function heldFiles(lab: Lab): HeldFiles {
  return lab.state.heldFiles.get('Q-1') ?? noHeldFiles;
}

function why(lab: Lab, record: unknown): string {
  return lab
    .write([record])
    .refused.map((one) => `${one.reason}: ${one.why}`)
    .join();
}

describe('changes of held files', () => {
  it('are noted only for a hold with a baseline', () => {
    assert.match(why(scene(), violated), /has no baseline/);
    const lab = scene(taken, violated);
    assert.deepEqual(
      heldFiles(lab).changes.map(({ path, was, is, call }) => [path, was, is, call]),
      [['src/one', a, b, 'npm run fmt']],
    );
    assert.match(why(lab, { ...violated, id: 'Q-2' }), /no question/);
  });

  it('have one baseline for what a hold began with, and further ones only where it has grown', () => {
    const lab = scene(taken);
    assert.match(why(lab, { ...taken, hash: b }), /has 1 parts/);
    assert.match(why(lab, { ...taken, part: 2, hash: b }), /has this baseline already/);
    assert.match(why(lab, { ...taken, part: 2, scopes: c }), /not about what Q-1 holds/);
    setHeld(lab, 'Q-1', 'all');
    assert.equal(why(lab, { ...taken, part: 2, hash: b, scopes: hashOf(['**']) }), '');
    assert.equal(heldFiles(lab).baselines.length, 2);
  });

  it('change what is shown, so that an earlier signature does not count', () => {
    const lab = scene(taken);
    const before = shownHash(lab.state, lab.state.questions.get('Q-1')!);
    lab.write([violated]);
    const answer: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { text: 'Yes', choices: [] } };
    assert.match(why(lab, lab.signed(answer, { shown: before })), /forgery: Q-1 has changed/);
    lab.write([restored]);
    assert.equal(why(lab, lab.signed(answer, { shown: before })), '', 'restored is as before');
  });

  it('are accepted only by a valid signature over them', () => {
    const lab = scene(taken, violated);
    assert.match(why(lab, lab.signed(accepted, { signer: makeHuman() })), /^forgery/);
    const other: Unsigned = { ...accepted, files: [{ ...change, is: c }] };
    assert.match(why(lab, lab.signed(other)), /invalid: src\/one has not changed like this/);
    const shown = shownHash(lab.state, lab.state.questions.get('Q-1')!);
    lab.write([{ ...violated, files: [{ ...change, is: c }] }]);
    assert.match(why(lab, lab.signed(other, { shown })), /forgery: Q-1 has changed since it was shown/);
    assert.equal(heldFiles(lab).changes.length, 1);
    lab.write([violated]);
    assert.equal(why(lab, lab.signed(accepted)), '');
    assert.deepEqual([heldFiles(lab).changes, heldFiles(lab).accepted], [[], [{ path: 'src/one', is: b }]]);
  });

  it('stay after the hold has ended, when only a signature ends them', () => {
    const lab = scene(taken, violated);
    const answer: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { text: 'Yes', choices: [] } };
    assert.equal(why(lab, lab.signed(answer)), '');
    assert.match(why(lab, restored), /holds nothing/);
    assert.equal(heldFiles(lab).changes.length, 1);
    const shown = hashOf(shownSubject(lab.state, lab.state.questions.get('Q-1')!));
    assert.equal(why(lab, lab.signed(accepted, { shown })), '');
    assert.equal(lab.state.heldFiles.size, 0);
  });

  it('of several copies in a team are kept apart, and accepted each as it was shown', () => {
    const [ours, theirs] = ['1'.repeat(16), '2'.repeat(16)] as const;
    const lab = scene(taken);
    for (const record of [
      { ...taken, copy: ours },
      { ...violated, copy: ours },
    ])
      assert.equal(why(lab, record), '');
    assert.match(why(lab, { ...violated, copy: theirs }), /has no baseline/);
    for (const record of [
      { ...taken, copy: theirs },
      { ...violated, copy: theirs, lost: true },
    ])
      assert.equal(why(lab, record), '');
    assert.equal(why(lab, { ...restored, copy: theirs }), '');
    assert.deepEqual(
      heldFiles(lab).changes.map((one) => one.copy),
      [ours],
    );
    assert.deepEqual(
      [ours, theirs].map((copy) => ofCopy(heldFiles(lab), copy).lost === null),
      [true, false],
    );
    assert.equal(why(lab, { ...violated, files: [], copy: ours, lost: true }), '');
    assert.equal(heldFiles(lab).lost?.copy, undefined, 'of both');
    const other: Unsigned = { ...accepted, files: [{ ...change, copy: theirs }] };
    assert.match(why(lab, lab.signed(other)), /invalid: src\/one has not changed like this/);
    const own: Unsigned = { ...accepted, files: [{ ...change, copy: ours }], lost: true };
    assert.equal(why(lab, lab.signed(own)), '');
    assert.deepEqual([heldFiles(lab).changes, heldFiles(lab).lost], [[], null]);
  });

  it('of an RFC have effect, and end like those of a question', () => {
    const of = (record: object) => ({ ...record, id: 'RFC-1' });
    const rfc = () => lab.state.heldFiles.get('RFC-1') ?? noHeldFiles;
    const lab = makeLab();
    assert.deepEqual(lab.write([proposed({ holds: ['src/one'], workflows: [] })]).refused, []);
    const withdrawn: Unsigned = { kind: 'rfc.withdrawn', v: 1, id: 'RFC-1', reason: 'No longer needed' };
    assert.equal(why(lab, of(taken)), '');
    const before = hashOf(shownRfc(lab.state, lab.state.rfcs.get('RFC-1')!));
    assert.equal(why(lab, of(violated)), '');
    assert.match(why(lab, lab.signed(withdrawn, { shown: before })), /forgery: RFC-1 has changed/);
    const seen = () => hashOf(shownRfc(lab.state, lab.state.rfcs.get('RFC-1')!));
    const accepts: Unsigned = { ...accepted, id: 'RFC-1' };
    assert.match(why(lab, lab.signed(accepts, { shown: before })), /forgery: .* has changed since it was shown/);
    assert.equal(why(lab, lab.signed(withdrawn, { shown: seen() })), '');
    assert.match(why(lab, of(restored)), /holds nothing/);
    assert.equal(rfc().changes.length, 1, 'kept after the hold');
    assert.match(why(lab, lab.signed(accepts, { shown: seen(), signer: makeHuman() })), /^forgery/);
    assert.equal(why(lab, lab.signed(accepts, { shown: seen() })), '');
    assert.equal(lab.state.heldFiles.size, 0);
  });

  it('of an RFC without a change are forgotten with its hold', () => {
    const lab = makeLab();
    const withdrawn: Unsigned = { kind: 'rfc.withdrawn', v: 1, id: 'RFC-1', reason: 'No longer needed' };
    for (const record of [proposed({ holds: ['src/one'], workflows: [] }), { ...taken, id: 'RFC-1' }])
      assert.deepEqual(lab.write([record]).refused, []);
    assert.equal(lab.state.heldFiles.size, 1);
    assert.equal(why(lab, lab.signed(withdrawn)), '');
    assert.equal(lab.state.heldFiles.size, 0);
  });

  it('of a lost baseline are accepted with a new one only when no other change is left, and as before without', () => {
    const other = { ...change, path: 'src/two' };
    const lost = { ...violated, files: [change, other], lost: true };
    const anew = { ...accepted, lost: true, newBaseline: true } as const;
    const lab = scene(taken, lost);
    const both: Unsigned = { ...anew, files: [change, other] };
    assert.match(why(lab, lab.signed(anew)), /invalid: there are changes besides these/);
    assert.match(why(lab, lab.signed({ ...accepted, newBaseline: true })), /invalid: only a lost baseline/);
    assert.equal(heldFiles(lab).changes.length, 2);
    assert.equal(why(lab, lab.signed(both)), '');
    assert.deepEqual([heldFiles(lab).baselines, heldFiles(lab).changes, heldFiles(lab).lost], [[], [], null]);
    const old = scene(taken, lost);
    assert.equal(why(old, old.signed({ ...accepted, lost: true })), '');
    assert.deepEqual([heldFiles(old).baselines.length, heldFiles(old).changes.length], [1, 1]);
  });

  it('beyond 1,000 files count as lost', () => {
    const lab = scene(taken);
    for (let batch = 0; batch < 11; batch++) {
      const files = Array.from({ length: 100 }, (_, at) => ({ ...change, path: `src/${String(batch)}/${String(at)}` }));
      lab.write([{ ...violated, files }]);
    }
    assert.deepEqual([heldFiles(lab).changes.length, heldFiles(lab).lost !== null], [1_000, true]);
  });
});
