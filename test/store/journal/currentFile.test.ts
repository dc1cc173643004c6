/**
 * Whatever becomes of the file that gates read (`state.json`), a gate answers as by a full replay, or is UNKNOWN: random
 * histories, with files that were forged, torn, kept from earlier, taken from another store, or removed.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import fc from 'fast-check';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork, updateWork } from '../../../src/app/work/work.ts';
import { openAtGate } from '../../../src/app/workspace/atGate.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { gate } from '../../../src/core/hold/gate.ts';
import { currentFile, loadCurrent } from '../../../src/store/saved/current.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { runs } from '../../support/runs.ts';
import { agent, decide, enrolledHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { toolGuide } from '../../../src/core/kit/guide.ts';
import { gateText } from '../../../src/tools/kit/gateText.ts';
import { savedBy } from '../../support/store/savedState.ts';

describe('the file that gates read', function () {
  const areas = ['a', 'b', 'c'] as const;

  const step = fc.record({
    what: fc.constantFrom('ask', 'ask', 'assume', 'answer', 'answer', 'stop', 'refuse', 'work'),
    area: fc.constantFrom(...areas),
    number: fc.integer({ min: 1, max: 3 }),
  });

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  const queries = [
    ...areas.map((area) => ({ files: [`src/${area}/x.ts`] })),
    ...areas.map((area) => ({ work: area })),
    { session: { agent: agent().actor.id } },
    { session: 'unknown' as const },
  ];

  /** Refused acts are part of a history. */
  async function take(workspace: Workspace, human: Human, { what, area, number }: Step): Promise<void> {
    const store = await workspace.store();
    const id = `Q-${String(number)}`;
    const text = `May ${area} ${String(number)} change?`;
    const asked = {
      text,
      type: 'clarification' as const,
      urgency: 'medium' as const,
      work: area,
      holds: [`src/${area}/**`],
    };
    const answer = (effect: 'proceed' | 'stop' | 'do_not') =>
      decide(workspace, human, id, { kind: 'answer', answer: { choices: [], text: 'So it is.', effect } });
    const acts = {
      ask: () => raiseQuestion(store, agent(), { ...asked, mode: 'sync' }),
      assume: () => raiseQuestion(store, agent(), { ...asked, mode: 'async', assumption: 'Yes.' }),
      answer: () => answer('proceed'),
      stop: () => answer('stop'),
      refuse: () => answer('do_not'),
      work: () => updateWork(store, agent(), { id: area, status: 'in_progress' }),
    };
    await acts[what]().catch(() => undefined);
  }

  interface Saved {
    readonly current: Buffer;
    readonly anchor: Buffer;
  }

  function savedNow({ sandbox, anchor }: Made): Saved {
    return { current: fs.readFileSync(sandbox.at('ws', '.holdpoint', currentFile)), anchor: fs.readFileSync(anchor) };
  }

  interface Made {
    readonly sandbox: Sandbox;
    readonly anchor: string;
  }

  /** As programs leave it that each take one step, with what they saved. */
  async function history(steps: readonly Step[]): Promise<Made & { readonly saved: readonly Saved[] }> {
    const sandbox = makeSandbox();
    const first = sandbox.open();
    const human = enrolledHuman(first);
    const made = { sandbox, anchor: first.stateFile.path };
    const store = await first.store();
    for (const id of areas) await registerWork(store, agent(), { id, workKind: 'task', title: id });
    sandbox.close();
    const saved = [savedNow(made)];
    for (const one of steps) {
      await take(sandbox.open(), human, one);
      sandbox.close();
      saved.push(savedNow(made));
    }
    return { ...made, saved };
  }

  /** By the journal alone. */
  function replayed(workspace: Workspace) {
    const ledger = workspace.replay(undefined);
    ledger.catchUp();
    const { worktree, ignoreCase } = workspace;
    const answers = queries.map((query) => gate(ledger.state, { ...query, worktree, ignoreCase }));
    ledger.close();
    return answers.map(namesOf);
  }

  function namesOf({ verdict, reasons, constraints }: ReturnType<typeof gate>) {
    return { verdict, constraints, reasons: reasons.map(({ code, subject, holder }) => [code, subject, holder?.id]) };
  }

  function isUsed({ options, location, stateFile, pins }: Workspace): boolean {
    return loadCurrent({ fs: options.fs, root: location.root, stateFile, keys: createTrust(pins).keys() }) !== null;
  }

  type Fault = (made: Made & { readonly saved: readonly Saved[] }, other: readonly Saved[], at: number) => void;

  const write = ({ sandbox }: Made, content: Buffer) => {
    fs.writeFileSync(sandbox.at('ws', '.holdpoint', currentFile), content);
  };

  const pick = (saved: readonly Saved[], at: number) => saved[at % saved.length]!;

  const faults: Readonly<Record<string, Fault>> = {
    none: () => undefined,
    forged(made) {
      const { current } = savedNow(made);
      const released = ['holders', 'refused', 'questions'].map((name) => `{"name":"${name}"`);
      const kept = current
        .toString()
        .split('\n')
        .filter((part) => !released.some((start) => part.startsWith(start)));
      write(made, Buffer.from([...kept, '{"name":"starts","value":-1}'].join('\n')));
    },
    torn(made, _, at) {
      const { current } = savedNow(made);
      write(made, current.subarray(0, at % current.length));
    },
    changed(made, _, at) {
      const { current } = savedNow(made);
      current[at % current.length]! ^= 1;
      write(made, current);
    },
    stale(made, _, at) {
      write(made, pick(made.saved, at).current);
    },
    /** Both files were put back, or the last programs were killed before they saved. */
    rolledBack(made, _, at) {
      const { current, anchor } = pick(made.saved, at);
      write(made, current);
      fs.writeFileSync(made.anchor, anchor);
    },
    swapped(made, other, at) {
      write(made, pick(other, at).current);
    },
    /** Also what the user-level file says of it. */
    swappedWhole(made, other, at) {
      const { current, anchor } = pick(other, at);
      write(made, current);
      const own = JSON.parse(fs.readFileSync(made.anchor, 'utf8')) as object;
      const its = JSON.parse(anchor.toString()) as { current: unknown };
      fs.writeFileSync(made.anchor, JSON.stringify({ ...own, current: its.current }));
    },
    missing({ sandbox }) {
      fs.rmSync(sandbox.at('ws', '.holdpoint', currentFile));
    },
  };

  this.timeout(300_000);
  afterEach(removeSandboxes);

  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

  it('changes no answer, whatever becomes of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 8 }),
        fc.array(step, { minLength: 1, maxLength: 2 }),
        fc.nat(1_000_000),
        async (steps, others, at) => {
          const made = await history(steps);
          const other = await history(others);
          const expected = replayed(made.sandbox.open());
          made.sandbox.close();
          const whole = savedNow(made);
          for (const [name, fault] of Object.entries(faults)) {
            write(made, whole.current);
            fs.writeFileSync(made.anchor, whole.anchor);
            fault(made, other.saved, at);
            const workspace = made.sandbox.open();
            const small = await openAtGate(workspace.options);
            for (const [place, query] of queries.entries())
              for (const opened of [small, workspace]) {
                const answer = askGate(opened, query);
                count(`${name} ${answer.state}`);
                if (answer.state !== 'UNKNOWN') assert.deepEqual(namesOf(answer), expected[place], name);
              }
            small.close();
            if (isUsed(workspace)) count(`${name} quick`);
            made.sandbox.close();
          }
          removeSandboxes();
        },
      ),
      { numRuns: runs(40) },
    );
    for (const name of Object.keys(faults))
      for (const state of ['CLEAR', 'BLOCKED']) assert.ok(counts.has(`${name} ${state}`), `${name} ${state}`);
    for (const name of Object.keys(faults)) assert.equal(counts.get(`${name} UNKNOWN`) ?? 0, 0, name);
    assert.ok(counts.has('none quick'), 'it is used');
    for (const name of ['forged', 'torn', 'changed', 'swapped', 'swappedWhole', 'missing'])
      assert.equal(counts.get(`${name} quick`) ?? 0, 0, name);
  });
});

/** Gates answer from the saved state as from the journal, whatever becomes of the file. */
describe('from the saved state, a gate', () => {
  const queries = [
    { files: ['src/auth/login.ts'] },
    { files: ['docs/readme.md'] },
    { work: 'T1' },
    { work: 'T1', files: ['docs/readme.md'], session: { agent: agent().actor.id } },
    { session: 'unknown' },
  ] as const;

  /** What an agent reads: verdicts, and the texts of the questions and RFCs that hold. */
  function answersOf(workspace: Workspace): string[] {
    return queries.map((query) => gateText(askGate(workspace, query), { guide: toolGuide, asked: 'all' }));
  }

  function savedFile(sandbox: Sandbox): string {
    const folder = sandbox.at('ws', '.holdpoint');
    const [name = ''] = fs.readdirSync(folder).filter((one) => /^holdpoint-.*\.json$/.test(one));
    return `${folder}/${name}`;
  }

  afterEach(removeSandboxes);

  const saved = async () => (await savedBy()).sandbox;
  const answersFrom = (sandbox: Sandbox) => answersOf(sandbox.open());

  it('answers also where the file is removed or overwritten while it answers', async () => {
    const sandbox = await saved();
    const expected = answersFrom(sandbox);
    for (const change of [
      (file: string) => {
        fs.writeFileSync(file, 'something else');
      },
      (file: string) => {
        fs.rmSync(file);
      },
    ]) {
      const workspace = sandbox.open();
      assert.equal(workspace.current().problem, null);
      change(savedFile(sandbox));
      assert.deepEqual(answersOf(workspace), expected);
      assert.deepEqual(answersFrom(sandbox), expected);
    }
  });

  it('folds what came after it, for which it reads all of it', async () => {
    const sandbox = await saved();
    const store = await sandbox.open().store();
    const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
    const { question } = await raiseQuestion(store, agent(), {
      ...asked,
      text: 'Delete the backups?',
      holds: ['backups/**'],
    });
    assert.equal(question.id, 'Q-3');
    const workspace = sandbox.open();
    assert.equal(askGate(workspace, { files: ['backups/a'] }).verdict, 'deny');
    assert.ok(workspace.current().state?.questions.has('Q-1'), 'the closed question');
  });
});
