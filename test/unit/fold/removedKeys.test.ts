/** Approvals of a person whose key was taken out of the ring: no record of the journal says so. */
import assert from 'node:assert/strict';
import { applyLine } from '../../../src/core/fold/fold.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { noon, readFrom } from '../../support/store/lab.ts';
import { jwt, makePeople, quorumLab, signAs } from '../../support/store/quorumLab.ts';

describe('an approval', () => {
  /** Ada approves, her key ends there or stays, and Grace signs the same. */
  function approvedBy({ isRemoved }: { readonly isRemoved: boolean }) {
    const people = makePeople();
    const { ada, grace, linus } = people;
    const lab = quorumLab(people);
    signAs(lab, ada, jwt);
    const last = lab.lines.at(-1);
    const workspace = lab.state.workspace?.id;
    assert.ok(last && workspace);
    const retired = { at: noon, why: 'takenOut', upTo: { [workspace]: last.end } } as const;
    const trust = createTrust(() =>
      [ada, grace, linus].map(({ pin }) => (isRemoved && pin.keyid === ada.keyid ? { ...pin, retired } : pin)),
    );
    const state = emptyState();
    readFrom(state, lab.lines);
    for (const line of lab.lines) applyLine(state, line, trust);
    const records = JSON.parse(JSON.stringify([lab.signed(jwt, { signer: grace })])) as unknown[];
    const next = { at: last.end, prev: last.hash, end: last.end + 100, hash: 'f'.repeat(64) };
    const { admitted } = applyLine(
      state,
      { ...last, ...next, records, actor: { kind: 'human', id: grace.name } },
      trust,
    );
    const standing = [...state.approvals.values()].flat().flatMap(({ approvals }) => approvals.map(({ name }) => name));
    return { kept: admitted.map(({ kept }) => kept), status: state.questions.get('Q-1')?.status, standing };
  }

  it('counts with another one while its key is in the ring', () => {
    assert.deepEqual(approvedBy({ isRemoved: false }), { kept: [undefined], status: 'answered', standing: [] });
  });

  it('counts no longer once its key was taken out', () => {
    assert.deepEqual(approvedBy({ isRemoved: true }), { kept: [true], status: 'pending', standing: ['grace'] });
  });
});
