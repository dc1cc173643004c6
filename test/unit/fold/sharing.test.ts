/** Records that move a journal to a shared server and back: which of them count, and what they change. */
import assert from 'node:assert/strict';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { shownSharing } from '../../../src/core/decision/workspace.ts';
import { shownPolicy } from '../../../src/core/question/question.ts';
import { type Actor, anyRecord } from '../../../src/core/records/records.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { type Lab, makeLab, noon, question, readFrom, update, work } from '../../support/store/lab.ts';
import { type Human, makeHuman } from '../../support/store/people.ts';
import { applyLine } from '../../../src/core/fold/fold.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { jwt, makePeople, quorumLab, signAs } from '../../support/store/quorumLab.ts';

{
  const human = { kind: 'human', id: 'Ada' } as const;

  const root = makeHuman().pin.publicKey;

  const share: Unsigned = { kind: 'store.shared', v: 1, name: 'payments', roots: [root] };

  const unshare: Unsigned = { kind: 'store.unshared', v: 1 };

  const shown = (lab: Lab) => ({ shown: hashOf(shownSharing(lab.state)) });

  const write = (lab: Lab, record: Unsigned) => lab.write([lab.signed(record, shown(lab))], human);

  describe('sharing a journal', () => {
    it('takes and ends with a signed record, and changes nothing else', () => {
      const lab = makeLab();
      lab.write([question(1, { holds: ['src'] })]);
      const { nonces: _, ...before } = structuredClone(lab.state);
      assert.deepEqual(write(lab, share).refused, []);
      const shared = { name: 'payments', roots: [root], at: noon, by: lab.human.name };
      const { nonces: __, ...after } = lab.state;
      assert.deepEqual(after, { ...before, shared });
      assert.deepEqual(write(lab, unshare).refused, []);
      const { nonces: ___, ...last } = lab.state;
      assert.deepEqual(last, before);
    });

    it('is undone with its line', () => {
      const lab = makeLab();
      write(lab, share).undo();
      assert.equal(lab.state.shared, null);
    });

    it('counts only once, and only as it was shown', () => {
      const lab = makeLab();
      const early = shown(lab);
      assert.equal(write(lab, unshare).refused[0]?.why, 'the workspace is not shared');
      write(lab, share);
      assert.equal(
        write(lab, { ...share, name: 'other' }).refused[0]?.why,
        'the workspace is already shared as payments',
      );
      const [stale] = lab.write([lab.signed(unshare, early)], human).refused;
      assert.deepEqual([stale?.why, stale?.reason], ['journal has changed since it was shown', 'forgery']);
      assert.equal(lab.state.shared?.name, 'payments');
    });

    it('needs a human’s own signature over this very record', () => {
      const lab = makeLab();
      const signed = lab.signed(share, shown(lab)) as { readonly envelope: object };
      const forged = [
        share,
        { ...signed, name: 'elsewhere' },
        { ...signed, roots: [makeHuman().pin.publicKey] },
        lab.signed(share, { ...shown(lab), signer: makeHuman() }),
        { ...unshare, envelope: signed.envelope },
      ];
      for (const record of forged) {
        assert.equal(lab.write([record]).admitted.length, 0);
        assert.equal(lab.state.shared, null);
      }
    });

    it('names a workspace and root keys in one form only', () => {
      const { envelope } = makeLab().signed(share) as { readonly envelope: object };
      const isRead = (more: object) => anyRecord.safeParse({ ...share, envelope, ...more }).success;
      assert.ok(isRead({}));
      for (const name of ['', 'Payments', '-a', 'a b', 'a'.repeat(65), 'a\n', '../a'])
        assert.ok(!isRead({ name }), name);
      const other = `${root.slice(0, -2)}${root.at(-2) === 'B' ? 'C' : 'B'}=`;
      for (const roots of [[], [root, root], ['MCow'], [`${root}\n`], [other], [` ${root}`]])
        assert.ok(!isRead({ roots }), JSON.stringify(roots));
    });
  });

  describe('work in a shared journal', () => {
    const system = { kind: 'system', id: 'holdpoint' } as const;
    const grace = { kind: 'agent', id: 'Grace/claude-002', worktree: '.' } as const;
    const sharedLab = (before: readonly object[] = []) => {
      const lab = makeLab();
      lab.write(before);
      Object.assign(lab.state, { shared: { name: 'team', roots: [], at: noon, by: 'Ada' } });
      return lab;
    };

    it('of anyone fails with its expired sync question, which any machine notes, and changes for no other reason', () => {
      const lab = sharedLab();
      const ada = { kind: 'agent', id: 'Ada/claude-001', worktree: '.' } as const;
      const asked = question(1, { work: 'T1' });
      assert.deepEqual(lab.write([work('T1', { assignee: ada.id }), asked], ada).refused, []);
      const refused = (more: object, actor: Actor = system) =>
        lab.write([update('T1', more)], actor).refused.length === 1;
      assert.ok(refused({ status: 'failed' }), 'the question is still pending');
      lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }], system);
      for (const more of [{ title: 'Other' }, { step: 'Next' }, { assignee: null }, { addHolds: ['src'] }])
        assert.ok(refused({ status: 'failed', ...more }), JSON.stringify(more));
      assert.ok(refused({ status: 'todo' }));
      assert.ok(refused({ status: 'failed' }, grace));
      assert.ok(!refused({ status: 'failed' }));
      assert.equal(lab.state.work.get('T1')?.status, 'failed');
    });

    it('that was assigned before can be reassigned while nothing holds it', () => {
      const lab = sharedLab([
        { kind: 'agent.registered', v: 1, id: 'claude-001', type: 'claude', host: 'mcp', label: 'Claude' },
        work('T1', { assignee: 'claude-001' }),
      ]);
      lab.write([question(1, { work: 'T1' })], grace);
      const reassign = () =>
        lab.write([update('T1', { assignee: grace.id })], grace).refused.map(({ reason }) => reason);
      assert.deepEqual(reassign(), ['held']);
      lab.write([lab.signed({ kind: 'question.released', v: 1, id: 'Q-1', note: 'Go on.' })], human);
      assert.equal(lab.write([update('T1', { status: 'done' })], grace).refused.length, 1);
      assert.deepEqual(reassign(), []);
      assert.equal(lab.state.work.get('T1')?.assignee, grace.id);
    });
  });

  describe('the lease in the policy', () => {
    const lease = { seconds: 0, strictGlobs: ['src/payments'] };
    const policy: Unsigned = { kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire', lease };
    const signed = (lab: Lab) => lab.signed(policy, { shown: hashOf(shownPolicy(lab.state)) });

    it('is signed', () => {
      const lab = makeLab();
      assert.deepEqual(lab.write([signed(lab)], human).refused, []);
      assert.deepEqual(lab.state.policy.lease, lease);
      const changed = { ...(signed(lab) as object), lease: { seconds: 3_600, strictGlobs: [] } };
      assert.equal(lab.write([changed], human).refused[0]?.why, 'its content is not what was signed');
    });

    it('takes up to an hour, and globs that hold cannot be wider than those of a hold', () => {
      const { envelope } = makeLab().signed(policy) as { readonly envelope: object };
      const isRead = (value: object) => anyRecord.safeParse({ ...policy, envelope, lease: value }).success;
      assert.ok(isRead({ seconds: 3_600, strictGlobs: [] }));
      for (const seconds of [-1, 3_601, 0.5, NaN, '60'])
        assert.ok(!isRead({ seconds, strictGlobs: [] }), String(seconds));
      for (const glob of ['/etc', '../x', '**', '[a]']) assert.ok(!isRead({ seconds: 1, strictGlobs: [glob] }), glob);
      assert.ok(!isRead({ seconds: 1, strictGlobs: [], more: 1 }));
    });
  });
}

/** Records about keys: which of them end a key, in a journal of one machine and in one that a team shares. */
describe('records that end keys', () => {
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

/** Approvals of a person whose key was taken out of the ring: no record of the journal says so. */
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
