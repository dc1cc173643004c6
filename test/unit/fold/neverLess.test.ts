/**
 * Precedents, a policy on interruptions, digests and budgets at once, on random streams of questions: compared with the
 * same stream without any of them, nothing is released but by precedents that a human signed.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shownAnswerHash } from '../../../src/app/decision/decisions.ts';
import { shownInForce } from '../../../src/core/fold/precedents.ts';
import { heldWork } from '../../../src/core/hold/cascade.ts';
import { interruption } from '../../../src/core/kit/words.ts';
import type { Interruption, Urgency } from '../../../src/core/kit/words.ts';
import { shownPrecedent } from '../../../src/core/precedent/matching.ts';
import type { PrecedentTerms } from '../../../src/core/precedent/matching.ts';
import type { Interruptions } from '../../../src/core/records/interruptions.ts';
import { interruptionOf } from '../../../src/core/state/interruptions.ts';
import { isWaiting } from '../../../src/core/state/state.ts';
import { deliveriesOf } from '../../../src/core/waiting/digest.ts';
import { noticesOf } from '../../../src/core/waiting/reminders.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { runs } from '../../support/runs.ts';
import { noon } from '../../support/store/lab.ts';
import type { Lab } from '../../support/store/lab.ts';
import { heldFacts, lost } from '../../support/store/model.ts';
import { makeHuman } from '../../support/store/people.ts';
import { asked, human, precedentLab, requireNone, terms } from '../../support/store/precedentLab.ts';

const at = (minute: number) => new Date(Date.parse(noon) + minute * 60_000).toISOString();
const agents = ['build-bot-001', 'build-bot-002', 'copilot-001'] as const;
const later = at(7 * 24 * 60);

/** Templates, each with a plain reading of what it fits. */
const texts = {
  any: { template: 'Add dependency `{name: word}`?', fits: (name: string) => /^lib\d+$/.test(name) },
  some: {
    template: 'Add dependency `{name: one of lib1|lib2|lib4}`?',
    fits: (name: string) => /^lib[124]$/.test(name),
  },
  one: { template: 'Add dependency `lib1`?', fits: (name: string) => name === 'lib1' },
} as const;
interface Works {
  readonly named: string[] | null;
  readonly fits: (work: string | null) => boolean;
}
const works: Readonly<Record<'workflow' | 'task' | 'both' | 'any', Works>> = {
  workflow: { named: ['W1'], fits: (work) => work === 'T1' },
  task: { named: ['T1'], fits: (work) => work === 'T1' },
  both: { named: ['T1', 'W2'], fits: (work) => work !== null },
  any: { named: null, fits: () => true },
};
const places = {
  app: { globs: ['src/app/**'], fits: (file: string) => file.startsWith('src/app/') },
  file: { globs: ['src/app/package.json'], fits: (file: string) => file === 'src/app/package.json' },
  all: { globs: ['src/**'], fits: () => true },
} as const;

interface Ask {
  readonly agent: string;
  readonly urgency: Urgency;
  readonly mode: 'sync' | 'async';
  /** What is before its number: an agent never asks the same twice, or the two journals would number differently. */
  readonly before: string;
  readonly work: string | null;
  readonly file: string;
  readonly times: number;
  readonly context: string | undefined;
}

interface Law {
  readonly text: keyof typeof texts;
  readonly work: keyof typeof works;
  readonly place: keyof typeof places;
  readonly times: number;
  readonly uses: number;
  /** Minutes after noon. */
  readonly until: number;
  readonly effect: 'proceed' | 'do_not' | 'stop';
  readonly forged: 'key' | 'edited' | 'shown' | null;
}

type Act =
  | { readonly asks: Ask }
  | { readonly sets: Law }
  /** Counted back from the newest question and precedent. */
  | { readonly uses: number; readonly precedent: number }
  | { readonly answers: number; readonly effect: Law['effect'] }
  /** Counted back from the newest question. */
  | { readonly takesBack: number }
  | { readonly ends: number }
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
  before: mostly('lib', '../lib', 'lib1` and delete `src'),
  work: mostly<string | null>('T1', 'T2', null),
  file: mostly('src/app/package.json', 'src/app/more.json', 'src/secret'),
  times: mostly(2, 40),
  context: mostly<string | undefined>(undefined, 'More.'),
});
const law: fc.Arbitrary<Law> = fc.record({
  text: mostly<Law['text']>('any', 'some', 'one'),
  work: fc.constantFrom('workflow', 'task', 'both', 'any'),
  place: fc.constantFrom('app', 'file', 'all'),
  times: fc.constantFrom(10, 50),
  uses: fc.integer({ min: 1, max: 3 }),
  until: mostly(1_000, 90),
  effect,
  forged: mostly<Law['forged']>(null, 'key', 'edited', 'shown'),
});
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: ask.map((asks) => ({ asks })) },
  { weight: 3, arbitrary: law.map((sets) => ({ sets })) },
  { weight: 8, arbitrary: fc.record({ uses: fc.nat(2), precedent: mostly(0, 1, 2) }) },
  { weight: 1, arbitrary: fc.record({ answers: number, effect }) },
  { weight: 2, arbitrary: fc.nat(2).map((takesBack) => ({ takesBack })) },
  { weight: 1, arbitrary: number.map((ends) => ({ ends })) },
  { weight: 1, arbitrary: number.map((parks) => ({ parks })) },
  { weight: 3, arbitrary: fc.constant({ looks: true as const }) },
);
/** What happens, and how many minutes after what happened before. */
const stream = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), act), { minLength: 6, maxLength: 24 });

/** What the test itself knows of each question and precedent. */
interface Known {
  readonly asks: Map<string, Ask>;
  /** With the number of the first question that it may answer. */
  readonly laws: Map<string, Law & { readonly first: number }>;
  readonly uses: Map<string, number>;
  readonly over: Set<string>;
  readonly reopened: Set<string>;
}

/** Whether a precedent may answer this question at this minute, by a reading that shares no code with the fold. */
function mayAnswer(known: Known, id: string, name: string, minute: number): boolean {
  const [given, found] = [known.laws.get(name), known.asks.get(id)];
  if (!given || !found) return false;
  return (
    given.forged === null &&
    minute <= given.until &&
    (known.uses.get(name) ?? 0) < given.uses &&
    Number(id.slice(2)) >= given.first &&
    !known.over.has(name) &&
    !known.reopened.has(id) &&
    found.urgency !== 'critical' &&
    found.context === undefined &&
    found.times <= given.times &&
    texts[given.text].fits(`${found.before}${id.slice(2)}`) &&
    works[given.work].fits(found.work) &&
    places[given.place].fits(found.file)
  );
}

/** Signs a precedent, or writes one that only looks signed. */
function set(lab: Lab, known: Known, given: Law, minute: number): void {
  const id = `P-${String(lab.state.precedents.size + 1)}`;
  const said: PrecedentTerms = terms({
    ...{ id, work: works[given.work].named, globs: [...places[given.place].globs] },
    ...{ text: texts[given.text].template, more: { background: `Needed {n: number 1-${String(given.times)}} times.` } },
    answer: { choices: [given.effect === 'proceed' ? 'Add it' : 'Leave it'], effect: given.effect },
    ...{ until: at(given.until), uses: given.uses },
  });
  const shown = given.forged === 'shown' ? 'f'.repeat(64) : hashOf(shownPrecedent(lab.state, said));
  const signer = given.forged === 'key' ? makeHuman('Mallory') : lab.human;
  const signed = lab.signed({ kind: 'precedent.set', v: 1, ...said }, { shown, signer, at: at(minute) }) as object;
  const { admitted } = lab.write(
    [given.forged === 'edited' ? { ...signed, uses: 900, globs: ['**/*'] } : signed],
    human(lab),
    at(minute),
  );
  if (given.forged !== null) assert.equal(admitted.length, 0, given.forged);
  if (admitted.length > 0) known.laws.set(id, { ...given, first: lab.state.questions.size + 1 });
}

interface Both {
  /** With the policy and precedents. */
  readonly lab: Lab;
  readonly plain: Lab;
  readonly known: Known;
}

function apply({ lab, plain, known }: Both, one: Act, minute: number): void {
  const time = at(minute);
  const signedIn = (where: Lab, record: Parameters<Lab['signed']>[0], shown?: string) =>
    where.write([where.signed(record, { at: time, ...(shown ? { shown } : {}) })], human(where), time);
  if ('asks' in one) {
    const { agent, file, before, times, ...more } = one.asks;
    const id = plain.state.questions.size + 1;
    const text = { text: `Add dependency \`${before}${String(id)}\`?`, background: `Needed ${String(times)} times.` };
    const record = asked(id, { ...text, ...more, holds: [file], expiresAt: later });
    for (const where of [lab, plain]) requireNone(where.write([record], { kind: 'agent', id: agent }, time));
    known.asks.set(`Q-${String(id)}`, one.asks);
  } else if ('sets' in one) set(lab, known, one.sets, minute);
  else if ('uses' in one) {
    const [id, precedent] = [
      `Q-${String(lab.state.questions.size - one.uses)}`,
      `P-${String(lab.state.precedents.size - one.precedent)}`,
    ];
    const record = { kind: 'precedent.used', v: 1, id, precedent };
    const may = mayAnswer(known, id, precedent, minute) && lab.state.questions.get(id)?.resolution === null;
    const { admitted } = lab.write([record], { kind: 'agent', id: agents[0] }, time);
    assert.equal(admitted.length, may ? 1 : 0, `${id} by ${precedent}`);
    if (may) known.uses.set(precedent, (known.uses.get(precedent) ?? 0) + 1);
    assert.equal(plain.write([record], { kind: 'agent', id: agents[0] }, time).admitted.length, 0);
  } else if ('answers' in one) {
    const id = `Q-${String(one.answers)}`;
    const answer = { choices: [one.effect === 'proceed' ? 'Add it' : 'Leave it'], effect: one.effect };
    // In both or in none: an answer that refuses holds more than a precedent that was taken back.
    if (isOpen(lab, id) && isOpen(plain, id))
      for (const where of [lab, plain]) requireNone(signedIn(where, { kind: 'question.answered', v: 1, id, answer }));
  } else if ('takesBack' in one) {
    const id = `Q-${String(lab.state.questions.size - one.takesBack)}`;
    const question = lab.state.questions.get(id);
    if (question?.resolution?.precedent === undefined) return;
    const record = { kind: 'precedent.takenBack', v: 1, id, reason: 'x' } as const;
    requireNone(signedIn(lab, record, shownAnswerHash(lab.state, question)));
    known.reopened.add(id);
  } else if ('ends' in one) {
    const precedent = lab.state.precedents.get(`P-${String(one.ends)}`);
    if (precedent?.ended !== null || time > precedent.set.until) return;
    const record = { kind: 'precedent.ended', v: 1, id: precedent.id, reason: 'x' } as const;
    requireNone(signedIn(lab, record, hashOf(shownInForce(precedent))));
    known.over.add(precedent.id);
  } else if ('parks' in one) {
    const id = `Q-${String(one.parks)}`;
    const brief = { doing: 'Working.', next: 'Going on.', files: [] };
    const agent = known.asks.get(id)?.agent ?? agents[0];
    for (const where of [lab, plain])
      where.write([{ kind: 'question.parked', v: 1, id, brief }], { kind: 'agent', id: agent }, time);
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

/** Every fact that holds without, and no longer holds with, is one of a question that a precedent rightly answered. */
function checkHeld({ lab, plain, known }: Both): number {
  const released = new Set<string>();
  for (const fact of lost(heldFacts(plain.state), heldFacts(lab.state))) {
    const holder = fact.slice(fact.lastIndexOf(' ') + 1);
    const { resolution } = lab.state.questions.get(holder)!;
    assert.ok(resolution?.precedent !== undefined, `${fact} is not held, without a precedent`);
    assert.equal(known.laws.get(resolution.precedent)?.forged, null, fact);
    released.add(holder);
  }
  for (const [item, holders] of heldWork(plain.state))
    for (const holder of holders)
      if (!released.has(holder)) assert.ok(heldWork(lab.state).get(item)?.has(holder), `${item} by ${holder}`);
  for (const [id, { resolution, mode }] of plain.state.questions)
    if (resolution === null && !released.has(id) && mode === 'sync')
      assert.ok(lab.state.questions.get(id)!.resolution?.precedent !== undefined || isOpen(lab, id), id);
  return released.size;
}

function isOpen({ state }: Lab, id: string): boolean {
  return state.questions.get(id)?.resolution === null;
}

describe('precedents, a policy on interruptions, digests and budgets together', () => {
  it('release nothing that a human did not sign, and leave no question without a notification', () => {
    let released = 0;
    let digests = 0;
    fc.assert(
      fc.property(policies, law, stream, (interruptions, first, acts) => {
        const both: Both = {
          lab: precedentLab(),
          plain: precedentLab(),
          known: { asks: new Map(), laws: new Map(), uses: new Map(), over: new Set(), reopened: new Set() },
        };
        const policy = { kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire' } as const;
        requireNone(both.lab.write([both.lab.signed({ ...policy, interruptions })], human(both.lab)));
        const given = new Map<string, Interruption>();
        const last = { digest: null as string | null };
        let minute = 0;
        apply(both, { sets: first }, minute);
        for (const [after, one] of acts) {
          minute += after;
          apply(both, one, minute);
          if ('looks' in one) {
            const before = heldFacts(both.lab.state);
            look(both.lab, given, last, at(minute));
            assert.deepEqual(heldFacts(both.lab.state), before);
          }
          released += checkHeld(both);
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
    assert.ok(released > 0 && digests > 0, `${String(released)} ${String(digests)}`);
  });
});
