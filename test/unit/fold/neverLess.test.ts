/**
 * A policy on interruptions, digests, budgets and records of former precedents at once, on random streams of questions:
 * nothing is released that is held in the same stream without any of them.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { heldWork } from '../../support/store/heldWork.ts';
import { interruption, type Interruption, type Urgency } from '../../../src/core/kit/words.ts';
import type { Interruptions } from '../../../src/core/records/interruptions.ts';
import { interruptionOf } from '../../../src/core/state/interruptions.ts';
import { isWaiting } from '../../../src/core/state/state.ts';
import { deliveriesOf } from '../../../src/core/waiting/digest.ts';
import { noticesOf } from '../../../src/core/waiting/reminders.ts';
import { runs } from '../../support/runs.ts';
import type { Folded } from '../../../src/core/fold/fold.ts';
import { flow, makeLab, noon, question, work, type Lab } from '../../support/store/lab.ts';
import { heldFacts, lost } from '../../support/store/model.ts';

const at = (minute: number) => new Date(Date.parse(noon) + minute * 60_000).toISOString();
const agents = ['build-bot-001', 'build-bot-002', 'copilot-001'] as const;
const later = at(7 * 24 * 60);

interface Ask {
  readonly agent: string;
  readonly urgency: Urgency;
  readonly mode: 'sync' | 'async';
  readonly work: string | null;
  readonly file: string;
}

type Act =
  | { readonly asks: Ask }
  /** A former precedent is set and used. Counted back from the newest question. */
  | { readonly uses: number }
  | { readonly takesBack: number }
  | { readonly answers: number; readonly effect: 'proceed' | 'do_not' | 'stop' }
  | { readonly parks: number }
  | { readonly looks: true };

const how = fc.constantFrom(...interruption.options);
const policies: fc.Arbitrary<Interruptions> = fc.record({
  urgencies: fc.record({ critical: how, high: how, medium: how, low: how }),
  agents: fc.array(fc.record({ agent: fc.constantFrom(...agents, 'build-bot'), how }), { maxLength: 2 }),
  digestMinutes: fc.integer({ min: 1, max: 90 }),
  perHour: fc.integer({ min: 0, max: 3 }),
});
const effect = fc.constantFrom('proceed' as const, 'proceed' as const, 'do_not' as const, 'stop' as const);
const number = fc.integer({ min: 1, max: 9 });
const mostly = <Value>(usual: Value, ...others: Value[]) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const ask: fc.Arbitrary<Ask> = fc.record({
  agent: fc.constantFrom(...agents),
  urgency: mostly<Urgency>('medium', 'critical', 'high', 'low'),
  mode: mostly<Ask['mode']>('sync', 'async'),
  work: mostly<string | null>('T1', 'T2', null),
  file: mostly('src/app/package.json', 'src/app/more.json', 'src/secret'),
});
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: ask.map((asks) => ({ asks })) },
  { weight: 4, arbitrary: fc.nat(2).map((uses) => ({ uses })) },
  { weight: 1, arbitrary: fc.nat(2).map((takesBack) => ({ takesBack })) },
  { weight: 1, arbitrary: fc.record({ answers: number, effect }) },
  { weight: 1, arbitrary: number.map((parks) => ({ parks })) },
  { weight: 3, arbitrary: fc.constant({ looks: true as const }) },
);
/** What happens, and how many minutes after what happened before. */
const stream = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), act), { minLength: 6, maxLength: 24 });

interface Both {
  /** With the policy and precedents. */
  readonly lab: Lab;
  readonly plain: Lab;
  readonly askers: Map<string, string>;
}

function makeBoth(): Both {
  const both = { lab: makeLab(), plain: makeLab(), askers: new Map<string, string>() };
  const items = [flow('W1'), flow('W2'), work('T1', { workflow: 'W1' }), work('T2', { workflow: 'W2' })];
  for (const { write } of [both.lab, both.plain]) {
    requireNone(write(items));
  }
  return both;
}

function requireNone({ refused }: Folded): void {
  if (refused.length > 0) throw new Error(refused[0]?.why);
}

function human({ human: { name } }: Lab) {
  return { kind: 'human', id: name } as const;
}

function apply({ lab, plain, askers }: Both, one: Act, minute: number): void {
  const time = at(minute);
  if ('asks' in one) {
    const { agent, file, ...more } = one.asks;
    const id = plain.state.questions.size + 1;
    const record = question(id, { ...more, type: 'decision', holds: [file], expiresAt: later });
    for (const { write } of [lab, plain]) requireNone(write([record], { kind: 'agent', id: agent }, time));
    askers.set(`Q-${String(id)}`, agent);
  } else if ('uses' in one) {
    const id = `Q-${String(lab.state.questions.size - one.uses)}`;
    const set = { kind: 'precedent.set', v: 1, id: 'P-1', globs: ['**/*'], answer: { text: 'Yes', effect: 'proceed' } };
    lab.write([set, { kind: 'precedent.used', v: 1, id, precedent: 'P-1' }], { kind: 'agent', id: agents[0] }, time);
  } else if ('takesBack' in one) {
    const id = `Q-${String(lab.state.questions.size - one.takesBack)}`;
    lab.write([{ kind: 'precedent.takenBack', v: 1, id, reason: 'x' }], human(lab), time);
  } else if ('answers' in one) {
    const id = `Q-${String(one.answers)}`;
    const answer = { text: 'So.', choices: [], effect: one.effect };
    const record = { kind: 'question.answered', v: 1, id, answer } as const;
    if (isOpen(plain, id))
      for (const where of [lab, plain])
        requireNone(where.write([where.signed(record, { at: time })], human(where), time));
  } else if ('parks' in one) {
    const id = `Q-${String(one.parks)}`;
    const brief = { doing: 'Working.', next: 'Going on.', files: [] };
    for (const { write } of [lab, plain])
      write([{ kind: 'question.parked', v: 1, id, brief }], { kind: 'agent', id: askers.get(id) ?? agents[0] }, time);
  }
}

/** As a window does it: each waiting question is notified now, in a digest, or silent; nothing is forgotten. */
function look({ state }: Lab, given: Map<string, Interruption>, last: { digest: string | null }, now: string): void {
  const due = [...state.questions.values()]
    .filter((one) => isWaiting(one) && !given.has(one.id))
    .flatMap((one) => noticesOf(state, one, now).filter(({ kind }) => kind === 'new'));
  const minutes = state.policy.interruptions!.digestMinutes;
  const found = deliveriesOf(due, { minutes, now, last: last.digest });
  const lists = [...found.now, ...found.digest, ...found.later, ...found.silent];
  assert.deepEqual(new Set(lists), new Set(due));
  for (const { id } of found.now) given.set(id, 'now');
  for (const { id } of found.digest) given.set(id, 'digest');
  if (found.digest.length > 0) last.digest = now;
}

/** What holds without, holds with. */
function checkHeld({ lab, plain }: Both): void {
  assert.deepEqual(lost(heldFacts(plain.state), heldFacts(lab.state)), []);
  for (const [item, holders] of heldWork(plain.state))
    for (const holder of holders) assert.ok(heldWork(lab.state).get(item)?.has(holder), `${item} by ${holder}`);
  for (const id of plain.state.questions.keys()) assert.equal(isOpen(lab, id), isOpen(plain, id), id);
}

function isOpen({ state }: Lab, id: string): boolean {
  return state.questions.get(id)?.resolution === null;
}

describe('former precedents, a policy on interruptions, digests and budgets together', () => {
  it('release nothing that a human did not sign, and leave no question without a notification', () => {
    let digests = 0;
    fc.assert(
      fc.property(policies, stream, (interruptions, acts) => {
        const both = makeBoth();
        const policy = { kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire' } as const;
        requireNone(both.lab.write([both.lab.signed({ ...policy, interruptions } as Unsigned)], human(both.lab)));
        const given = new Map<string, Interruption>();
        const last = { digest: null as string | null };
        let minute = 0;
        for (const [after, one] of acts) {
          minute += after;
          apply(both, one, minute);
          if ('looks' in one) {
            const before = heldFacts(both.lab.state);
            look(both.lab, given, last, at(minute));
            assert.deepEqual(heldFacts(both.lab.state), before);
          }
          checkHeld(both);
        }
        // After the longest digests, each question that still waits was notified, or is silent by the policy.
        for (const more of [100, 200, 300]) look(both.lab, given, last, at(minute + more));
        for (const one of both.lab.state.questions.values()) {
          if (!isWaiting(one)) continue;
          const way = given.get(one.id) ?? interruptionOf(both.lab.state, one);
          assert.ok(given.has(one.id) || way === 'silent', `${one.id} ${way}`);
          if (way === 'digest') digests += 1;
        }
      }),
      { numRuns: runs(1_200) },
    );
    assert.ok(digests > 0);
  });
});
