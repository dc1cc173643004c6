/** Eight programs do the same at the same time, round after round. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { enrolKey } from '../../../src/app/keys/enrolment.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { createRequest, registerResponsibility, respondToRequest } from '../../../src/app/request/requests.ts';
import { requestDetails } from '../../../src/app/request/views.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Store } from '../../../src/store/store.ts';
import { keyId } from '../../../src/trust/envelope.ts';
import { agent } from '../store/people.ts';
import { start, type Running } from '../store/programs.ts';
import { makeSandbox } from '../store/sandbox.ts';
import type { Act } from '../store/writer.ts';
import { agreement, soundJournal } from './agreement.ts';
import { aside, count, goesOn, newRow, once, scaled, type Budget, type Row } from './row.ts';

const racers = 8;

/** How a racer's act ended. */
interface Outcome {
  readonly ok?: unknown;
  readonly error?: string;
}

interface Race {
  readonly row: Row;
  /** Prepares a round; then each racer's act follows. */
  readonly prepare: (round: number) => readonly Act[] | Promise<readonly Act[]>;
  readonly check: (outcomes: readonly Outcome[], round: number) => void | Promise<void>;
}

export async function races(bundle: string, budget: Budget): Promise<Row[]> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open({ clock: Date.now });
  const store = await workspace.store();
  const all = await racesOf(workspace, store, scaled(budget, 1_000));
  const programs = Array.from({ length: racers }, () => start(bundle, sandbox, { does: 'serve' }));
  for (const program of programs) assert.equal(await program.next(), 'ready');
  for (const race of all)
    for (let round = 0; round < race.row.wanted && goesOn(budget); round++)
      await once(race.row, `round ${String(round)}`, async () => {
        const acts = await race.prepare(round);
        acts.forEach((act, index) => programs[index]?.give(act));
        const outcomes = await Promise.all(programs.map(outcome));
        for (const { error } of outcomes) count(race.row, error === undefined ? 'acts done' : `refused "${error}"`);
        await race.check(outcomes, round);
      });
  for (const program of programs) program.end();
  const [first] = all;
  if (first)
    await aside(first.row, 'at the end', async () => {
      soundJournal(sandbox);
      assert.deepEqual(store.read().state.refusals, [], 'the losers left no forgery behind');
      await agreement(bundle, sandbox);
    });
  sandbox.remove();
  return all.map(({ row }) => row);
}

async function outcome(program: Running): Promise<Outcome> {
  const said = await program.next();
  if (said === null) throw new Error('a racer ended');
  return JSON.parse(said) as Outcome;
}

async function racesOf(workspace: Workspace, store: Store, rounds: number): Promise<Race[]> {
  const keys = Array.from({ length: racers }, () => newKey(workspace));
  const each = (act: (index: number) => Act) => Array.from({ length: racers }, (_, index) => act(index));
  const textOf = (round: number) => `Which way in round ${String(round)}?`;
  const questionsWith = (text: string) =>
    [...store.read().state.questions.values()].filter(({ raised }) => raised?.text === text);
  let asked = '';
  let requested = '';
  const doers = Array.from({ length: racers }, (_, index) => `doer-${String(index)}`);
  await registerResponsibility(store, agent('asker-001'), { id: 'asker', kind: 'agent', name: 'Asker', agents: [] });
  await registerResponsibility(store, agent(doers[0]), { id: 'doers', kind: 'agent', name: 'Doers', agents: doers });
  return [
    {
      row: newRow(
        `${String(racers)} programs ask the same question for one agent`,
        rounds,
        'one question is created, and all get it',
      ),
      prepare: (round) => each(() => ({ does: 'raise', agent: 'copilot-001', text: textOf(round) })),
      check(outcomes, round) {
        assert.equal(outcomes.filter(({ ok }) => ok === false).length, 1, 'one asked');
        assert.equal(outcomes.filter(({ ok }) => ok === true).length, racers - 1, 'the others were given it');
        assert.equal(questionsWith(textOf(round)).length, 1);
      },
    },
    {
      row: newRow(
        `${String(racers)} humans answer the same question`,
        rounds,
        'the first answer wins, and the others receive it',
      ),
      async prepare(round) {
        const text = `Answer me in round ${String(round)}?`;
        // The asker of the previous race has the maximum number of open questions.
        const asker = agent('answered-001');
        asked = (
          await raiseQuestion(store, asker, { text, type: 'decision', urgency: 'low', mode: 'sync', work: null })
        ).question.id;
        return each((index) => ({
          does: 'answer',
          id: asked,
          text: `Answer ${String(index)}`,
          key: keys[index]?.key ?? '',
          keyid: keys[index]?.keyid ?? '',
        }));
      },
      check(outcomes) {
        const said = outcomes.map(({ ok }) => ok as { outcome: string; answer: string } | undefined);
        assert.equal(said.filter((one) => one?.outcome === 'decided').length, 1, 'one decided');
        assert.equal(said.filter((one) => one?.outcome === 'already').length, racers - 1, 'the others came late');
        const winner = said.find((one) => one?.outcome === 'decided')?.answer;
        assert.deepEqual(new Set(said.map((one) => one?.answer)), new Set([winner]));
        assert.equal(store.read().state.questions.get(asked)?.resolution?.answer?.text, winner);
      },
    },
    {
      row: newRow(`${String(racers)} agents claim the same request`, rounds, 'one gets it, the others are refused'),
      async prepare(round) {
        requested = (
          await createRequest(store, agent('asker-001'), {
            ask: { type: 'request_for_action', payload: { suggested_actions: [], links: [], tags: [] } },
            target: 'doers',
            subject: `Round ${String(round)}`,
            summary: 'It fails.',
          })
        ).request.id;
        return each((index) => ({ does: 'claim', agent: doers[index] ?? '', id: requested }));
      },
      async check(outcomes) {
        const winners = outcomes.filter(({ ok }) => ok !== undefined);
        assert.equal(winners.length, 1, JSON.stringify(outcomes));
        assert.ok(outcomes.every(({ ok, error }) => ok !== undefined || error === 'conflict'));
        const winner = String(winners[0]?.ok);
        assert.equal(requestDetails(store.read(), requested)?.accepted_by, winner);
        await respondToRequest(store, agent(winner), requested, { act: 'complete', note: 'Done.' });
      },
    },
    {
      row: newRow(
        `${String(racers)} programs register one work item`,
        rounds,
        'all find it registered, and it is registered once',
      ),
      prepare: (round) => each(() => ({ does: 'register', id: `raced-${String(round)}` })),
      check(outcomes, round) {
        assert.ok(outcomes.every(({ error }) => error === undefined));
        assert.ok(store.read().state.work.has(`raced-${String(round)}`));
      },
    },
  ];
}

function newKey(workspace: Workspace): { readonly key: string; readonly keyid: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  enrolKey(workspace, spki, 'Ada');
  return { key: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'), keyid: keyId(spki) };
}
