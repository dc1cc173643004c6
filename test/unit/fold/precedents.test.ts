/** Precedents in the fold: what they answer, and that nothing else makes a hold smaller. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shownAnswerHash } from '../../../src/app/decision/decisions.ts';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { shownInForce } from '../../../src/core/fold/precedents.ts';
import { applyLine } from '../../../src/core/fold/fold.ts';
import { isReusable } from '../../../src/core/question/question.ts';
import { emptyState } from '../../../src/core/state/state.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { makePasskey } from '../../support/authenticator.ts';
import { runs } from '../../support/runs.ts';
import { bot, makeLab, noon, workspaceId } from '../../support/store/lab.ts';
import type { Lab } from '../../support/store/lab.ts';
import { heldFacts } from '../../support/store/model.ts';
import { makeHuman } from '../../support/store/people.ts';
import {
  asked,
  asksForPrecedents,
  human,
  precedentLab,
  requireNone,
  setPrecedent,
  terms,
  use,
} from '../../support/store/precedentLab.ts';
import { isHeld } from '../../support/store/quorumLab.ts';

const file = 'src/app/package.json';

/** P-1 is in force, and Q-2 of its class is open. */
function scene(more: Parameters<typeof setPrecedent>[1] = {}, question: object = {}): Lab {
  const lab = precedentLab();
  requireNone(setPrecedent(lab, more));
  requireNone(lab.write([asked(2, question)]));
  return lab;
}

function signed(lab: Lab, record: Parameters<Lab['signed']>[0], shown: string): string {
  return lab
    .write([lab.signed(record, { shown })], human(lab))
    .refused.map(({ reason, why }) => `${reason}: ${why}`)
    .join();
}

function end(lab: Lab): string {
  const record = { kind: 'precedent.ended', v: 1, id: 'P-1', reason: 'Enough.' } as const;
  return signed(lab, record, hashOf(shownInForce(lab.state.precedents.get('P-1')!)));
}

function takeBack(lab: Lab, id = 'Q-2'): string {
  const record = { kind: 'precedent.takenBack', v: 1, id, reason: 'Not this one.' } as const;
  return signed(lab, record, shownAnswerHash(lab.state, lab.state.questions.get(id)!));
}

describe('a precedent', () => {
  it('answers a question of its class, in the name of the human who signed it', () => {
    const lab = scene();
    assert.ok(isHeld(lab, file));
    assert.equal(use(lab, 'Q-2'), '');
    assert.ok(!isHeld(lab, file));
    const question = lab.state.questions.get('Q-2')!;
    assert.deepEqual(question.resolution, {
      ...{ how: 'answered', answer: terms().answer, note: null, by: lab.human.name, keyid: lab.human.keyid },
      ...{ at: noon, precedent: 'P-1' },
    });
    assert.equal(isReusable(question), false, 'its answer is bounded by the precedent, so it is not reused');
    assert.match(use(lab, 'Q-2'), /forgery: P-1 does not answer Q-2: Q-2 is answered/);
  });

  it('takes a signature over exactly what was shown, with the questions that it would have answered', () => {
    const lab = precedentLab();
    const why = (...change: Parameters<typeof setPrecedent> extends [Lab, ...infer Rest] ? Rest : never) =>
      setPrecedent(lab, ...change)
        .refused.map(({ reason, why: said }) => `${reason}: ${said}`)
        .join();
    assert.match(why({}, { signer: makeHuman() }), /^forgery/);
    assert.match(why({}, { shown: 'f'.repeat(64) }), /forgery: .*is not what was shown/);
    assert.match(why({ id: 'P-2' }), /the next precedent is P-1/);
    assert.match(why({ text: 'Add `{name: word}{more: word}`?' }), /needs words between/);
    assert.match(why({ text: 'Add dependency `{name: text}`?' }), /only outside the question/);
    assert.match(why({ text: 'Remove dependency `{name: word}`?' }), /Q-1 itself does not fit: its text is another/);
    assert.match(why({ globs: ['lib/**'] }), /Q-1 itself does not fit: it is about src\/app\/package.json/);
    assert.match(why({ more: {} }), /Q-1 itself does not fit: its background is another/);
    assert.match(why({ answer: { choices: ['Buy it'], effect: 'proceed' } }), /not one of the choices/);
    assert.match(why({ answer: { choices: ['Add it'] } }), /needs an effect/);
    assert.match(why({ until: noon }), /in the past/);
    assert.match(why({ until: '2028-03-12T12:00:00.000Z' }), /366 days/);
    assert.throws(() => why({ uses: 0 }), /uses/);
    assert.equal(lab.state.precedents.size, 0);
    const record = lab.signed({ kind: 'precedent.set', v: 1, ...terms() }) as object;
    const changed = { ...record, uses: 100 };
    assert.match(lab.write([changed]).refused[0]!.why, /not what was signed/);
    requireNone(lab.write([asked(2)]));
    const shownBefore = hashOf({ precedent: terms(), earlier: [] });
    assert.match(why({}, { shown: shownBefore }), /is not what was shown/);
    assert.equal(why({}), '');
  });

  it('asks for a workspace that locks out earlier programs', () => {
    const lab = makeLab();
    lab.write([{ ...asksForPrecedents, minReader: 11, minWriter: 11 }]);
    precedentWithoutFormat(lab);
    assert.match(setPrecedent(lab, { work: null, more: {} }).refused[0]!.why, /not asked for programs/);
  });

  function precedentWithoutFormat(lab: Lab): void {
    requireNone(lab.write([asked(1, { work: null, background: undefined })]));
    const answer: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { choices: ['Add it'] } };
    requireNone(lab.write([lab.signed(answer)], human(lab)));
  }

  it('answers nothing that differs in anything a human decides by', () => {
    const others: Readonly<Record<string, readonly [object, RegExp]>> = {
      text: [{ text: 'Add dependency `lib2`? And delete src?' }, /its text is another/],
      'hidden characters': [{ text: 'Add dependency `li\u200Bb2`?' }, /its text is another/],
      type: [{ type: 'clarification' }, /it is of type clarification/],
      'more choices': [{ choices: [{ label: 'Add it' }, { label: 'Leave it' }, { label: 'All' }] }, /other choices/],
      'what a choice means': [
        { choices: [{ label: 'Add it', description: 'And run its scripts.' }, { label: 'Leave it' }] },
        /other choices/,
      ],
      'what a choice does': [
        { choices: [{ label: 'Add it', effect: 'stop' }, { label: 'Leave it' }] },
        /other choices/,
      ],
      'several choices': [{ multiple: true }, /can be answered otherwise/],
      work: [{ work: 'T2' }, /about other work/],
      'no work': [{ work: null }, /about other work/],
      'more work': [{ alsoWork: ['T2'] }, /about other work/],
      'a held file': [{ holds: ['src/app/package.json', 'src/secret'] }, /about src\/secret/],
      'a wider glob': [{ holds: ['src/**'] }, /about src\/\*\*/],
      'a named file': [{ files: [{ path: 'src/secret' }] }, /about src\/secret/],
      'a number out of range': [{ background: 'Needed 51 times.' }, /its background is another/],
      'more background': [{ background: 'Needed 2 times. Ignore the rest.' }, /its background is another/],
      'no background': [{ background: undefined }, /its background is another/],
      context: [{ context: 'It runs scripts.' }, /its context is another/],
      'an impact': [{ impact: 'Breaks all.' }, /its impact is another/],
      alternatives: [{ alternatives: ['Write it.'] }, /its alternatives is another/],
      payload: [{ payload: '{"a":1}' }, /its payload is another/],
      'a person': [{ for: 'security' }, /its for is another/],
      critical: [{ urgency: 'critical' }, /it is critical/],
      'asked again with a reason': [{ reopens: 'Q-1', reopenReason: 'It changed.' }, /no longer fits/],
    };
    for (const [title, [more, why]] of Object.entries(others)) {
      const lab = scene({}, more);
      const before = heldFacts(lab.state);
      assert.match(use(lab, 'Q-2'), why, title);
      assert.deepEqual(heldFacts(lab.state), before, title);
    }
  });

  it('answers no question that was raised before it, nor one that a human has dealt with', () => {
    const lab = precedentLab();
    requireNone(lab.write([asked(2)]));
    requireNone(setPrecedent(lab));
    assert.match(use(lab, 'Q-2'), /Q-2 was raised before P-1/);
    assert.match(use(lab, 'Q-1'), /Q-1 is answered/);
    assert.match(use(lab, 'Q-9'), /no question Q-9/);
    assert.match(use(lab, 'Q-2', 'P-9'), /no precedent P-9/);
    requireNone(lab.write([asked(3)]));
    requireNone(lab.write([lab.signed({ kind: 'question.askedBack', v: 1, id: 'Q-3', text: 'Why?' })], human(lab)));
    assert.match(use(lab, 'Q-3'), /a human has already dealt with it/);
    requireNone(lab.write([asked(4)]));
    requireNone(lab.write([{ kind: 'question.widened', v: 1, id: 'Q-4', addHolds: ['src/app/more'] }]));
    assert.match(use(lab, 'Q-4'), /widened after it was asked/);
    requireNone(lab.write([asked(5)]));
    requireNone(lab.write([{ kind: 'question.escalated', v: 1, id: 'Q-5' }]));
    assert.match(use(lab, 'Q-5'), /it is critical/);
    requireNone(lab.write([asked(6)]));
    requireNone(lab.write([{ kind: 'question.expired', v: 1, id: 'Q-6' }]));
    assert.match(use(lab, 'Q-6'), /Q-6 is expired/);
  });

  it('answers as often as was signed', () => {
    const lab = scene({ uses: 2 });
    requireNone(lab.write([asked(3), asked(4)]));
    assert.deepEqual([use(lab, 'Q-2'), use(lab, 'Q-3')], ['', '']);
    assert.match(use(lab, 'Q-4'), /P-1 has been used 2 times/);
    assert.ok(isHeld(lab, file));
    assert.equal(takeBack(lab, 'Q-2'), '');
    assert.match(use(lab, 'Q-4'), /P-1 has been used 2 times/, 'what was taken back counts too');
  });

  it('ends at its time by the latest clock of the journal, for good', () => {
    const late = '2026-03-12T12:00:00.001Z';
    const lab = scene();
    assert.match(use(lab, 'Q-2', 'P-1', late), /no longer in force/);
    assert.match(use(lab, 'Q-2', 'P-1', noon), /no longer in force/, 'a clock that is set back');
    const other = scene();
    other.write([{ kind: 'work.updated', v: 1, id: 'T2', step: 'next' }], bot, late);
    assert.match(use(other, 'Q-2', 'P-1', noon), /no longer in force/, 'any earlier line');
    assert.deepEqual(other.state.precedents.get('P-1')!.ended, { how: 'time', at: late });
    assert.equal(use(scene(), 'Q-2', 'P-1', '2026-03-12T12:00:00.000Z'), '');
  });

  it('ends by a signature over it', () => {
    const lab = scene();
    const record = { kind: 'precedent.ended', v: 1, id: 'P-1', reason: 'x' } as const;
    assert.match(lab.write([record]).refused[0]!.why, /malformed/);
    assert.match(signed(lab, record, 'f'.repeat(64)), /forgery/);
    assert.equal(lab.state.precedents.get('P-1')!.ended, null);
    assert.equal(end(lab), '');
    assert.match(use(lab, 'Q-2'), /no longer in force/);
    assert.match(end(lab), /no longer in force/);
    assert.ok(isHeld(lab, file));
  });

  it('that is taken back leaves its question to a human, held as before', () => {
    const lab = scene();
    const before = heldFacts(lab.state);
    assert.equal(use(lab, 'Q-2'), '');
    const record = { kind: 'precedent.takenBack', v: 1, id: 'Q-2', reason: 'x' } as const;
    assert.match(lab.write([record]).refused[0]!.why, /malformed/);
    assert.match(signed(lab, record, 'f'.repeat(64)), /forgery/);
    assert.equal(takeBack(lab), '');
    assert.deepEqual(heldFacts(lab.state), before);
    assert.match(use(lab, 'Q-2'), /took back/);
    requireNone(setPrecedent(lab, { id: 'P-2', from: 'Q-1' }));
    assert.match(use(lab, 'Q-2', 'P-2'), /raised before P-2/);
    const answer: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-2', answer: { choices: ['Leave it'] } };
    requireNone(lab.write([lab.signed(answer)], human(lab)));
    assert.equal(lab.state.questions.get('Q-2')!.resolution!.precedent, undefined);
    assert.match(takeBackAgain(lab), /not answered by a precedent/);
  });

  function takeBackAgain(lab: Lab): string {
    return takeBack(lab, 'Q-2');
  }

  it('that refuses is a refusal, which only a human lifts', () => {
    const lab = scene({ answer: { choices: ['Leave it'], effect: 'stop' } });
    assert.equal(use(lab, 'Q-2'), '');
    assert.ok(isHeld(lab, file));
    assert.ok(lab.state.refused.has('Q-2'));
  });

  it('cannot be made of an answer that a precedent gave', () => {
    const lab = scene();
    use(lab, 'Q-2');
    assert.match(setPrecedent(lab, { id: 'P-2', from: 'Q-2' }).refused[0]!.why, /Q-2 has no answer of a human/);
  });

  it('answers nothing that several people decide', () => {
    const lab = scene();
    const rule = { people: [lab.human.name], count: 1, globs: ['src/app/**'] };
    const policy = { kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire' } as const;
    requireNone(lab.write([lab.signed({ ...policy, quorum: { rules: [rule] } })], human(lab)));
    assert.match(use(lab, 'Q-2'), /asks for several people/);
  });

  it('signed without a passkey answers nothing that the policy asks a passkey for', () => {
    const lab = scene();
    const phone = makePasskey();
    const added = { kind: 'key.passkeyAdded', v: 1, ...phone.pin } as never;
    requireNone(lab.write([lab.signed(added)], human(lab)));
    const policy = { kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire' } as const;
    const rules = [{ types: ['decision' as const] }];
    requireNone(lab.write([lab.signed({ ...policy, passkeys: { rules } })], human(lab)));
    assert.match(use(lab, 'Q-2'), /asks for a passkey/);
    assert.ok(isHeld(lab, file));
  });

  it('answers nothing once its key no longer counts', () => {
    const grace = makeHuman('Grace');
    const lab = precedentLab(makeLab(makeHuman(), [grace]));
    requireNone(setPrecedent(lab));
    requireNone(lab.write([asked(2)]));
    const { pin, keyid } = lab.human;
    const at = lab.lines.at(-1)!.end;
    const upTo = { [workspaceId]: at };
    const ring = createTrust(() => [{ ...pin, retired: { at: noon, why: 'lost', upTo } }]);
    const replayed = emptyState();
    for (const line of lab.lines)
      applyLine(
        replayed,
        line,
        createTrust(() => [pin]),
      );
    const body = {
      at,
      prev: lab.lines.at(-1)!.hash,
      op: '6f1c2b34-0000-4000-8000-00000000000f',
      time: noon,
      actor: bot,
    };
    const records = [{ kind: 'precedent.used', v: 1, id: 'Q-2', precedent: 'P-1' }];
    const folded = applyLine(replayed, { ...body, records, hash: 'a'.repeat(64), end: at + 100 }, ring);
    assert.match(folded.refused[0]!.why, /^P-1 .*key/);
    const retired = { kind: 'key.retired', v: 1, keyid, name: lab.human.name } as const;
    requireNone(lab.write([lab.signed(retired, { signer: grace })], { kind: 'human', id: grace.name }));
    assert.match(use(lab, 'Q-2'), /was given up/);
  });

  it('never makes what is held smaller but by its signed terms', () => {
    const number = fc.integer({ min: 1, max: 5 });
    const id = number.map((n) => `Q-${String(n)}`);
    const precedent = fc.constantFrom('P-1', 'P-2');
    const question = fc.constantFrom(
      {},
      { work: 'T2' },
      { urgency: 'critical' },
      { holds: ['src/secret'] },
      { text: 'Delete the database now?' },
      { context: 'More.' },
    );
    const envelope = { payloadType: 'application/vnd.holdpoint.decision+json', payload: 'e30=', signatures: [] };
    const act = fc.oneof(
      { weight: 4, arbitrary: question.map((more) => ({ asks: more })) },
      {
        weight: 6,
        arbitrary: fc.record({ id, precedent }).map((one) => ({ record: { kind: 'precedent.used', v: 1, ...one } })),
      },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom<object>(
            { kind: 'precedent.set', v: 1, ...terms({ work: null, globs: ['src/**'] }), envelope },
            { kind: 'precedent.set', v: 1, ...terms() },
            { kind: 'precedent.takenBack', v: 1, id: 'Q-2', reason: 'x', envelope },
            { kind: 'precedent.ended', v: 1, id: 'P-1', reason: 'x' },
            { kind: 'precedent.used', v: 1, id: 'Q-2', precedent: 'P-1', answer: { choices: ['Leave it'] } },
            { kind: 'work.updated', v: 1, id: 'T2', workflow: 'W1' },
          )
          .map((record) => ({ record })),
      },
      { weight: 1, arbitrary: fc.constant({ takesBack: true }) },
    );
    let released = 0;
    fc.assert(
      fc.property(fc.array(act, { minLength: 4, maxLength: 14 }), (acts) => {
        const lab = precedentLab();
        requireNone(setPrecedent(lab, { uses: 2 }));
        let answered = 0;
        for (const one of acts) {
          const before = heldFacts(lab.state);
          if ('takesBack' in one) {
            if (lab.state.questions.get('Q-2')?.resolution?.precedent !== undefined) assert.equal(takeBack(lab), '');
          } else if ('asks' in one) lab.write([asked(lab.state.questions.size + 1, one.asks)]);
          else lab.write([one.record]);
          const gone = [...before].filter((fact) => !heldFacts(lab.state).has(fact));
          const holders = new Set(gone.map((fact) => fact.slice(fact.lastIndexOf(' ') + 1)));
          for (const holder of holders) {
            const { raised, resolution } = lab.state.questions.get(holder)!;
            assert.equal(resolution?.precedent, 'P-1');
            assert.deepEqual([raised.holds, raised.context, raised.urgency], [[file], undefined, 'medium']);
            assert.match(raised.text, /^Add dependency `lib\d`\?$/);
            answered += 1;
          }
        }
        assert.ok(answered <= 2);
        released += answered;
      }),
      {
        numRuns: runs(200),
        examples: [[[{ asks: {} }, { record: { kind: 'precedent.used', v: 1, id: 'Q-2', precedent: 'P-1' } }]]],
      },
    );
    assert.ok(released > 0);
  });
});
