/** What agents and people read while 500 questions hold one task: bounded, with the number of those not named. */
import assert from 'node:assert/strict';
import { registerWork } from '../../../src/app/work/work.ts';
import { main } from '../../../src/cli/program.ts';
import { question } from '../../support/store/lab.ts';
import { writeManyByHand } from '../../support/store/handwriting.ts';
import { ioOf } from '../../support/store/repository.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const holders = 500;

describe('500 questions that hold one task', () => {
  after(removeSandboxes);
  const sandbox = makeSandbox();
  before(async () => {
    const task = { id: 't-1', title: 'Tokens', holds: ['src'] };
    await registerWork(await sandbox.open().store(), agent(), task);
    const expiresAt = '2030-01-01T00:00:00.000Z';
    writeManyByHand(
      sandbox.journal,
      Array.from({ length: holders }, (_, index) => ({ records: [question(index + 1, { work: 't-1', expiresAt })] })),
    );
    sandbox.close();
  });

  for (const args of [
    ['gate', '--work', 't-1'],
    ['gate', '--file', 'src/a.ts'],
    ['work', 'show', 't-1'],
    ['work', 'list'],
    ['work', 'update', 't-1', '--status', 'done'],
    ['question', 'show', 'Q-1'],
    ['question', 'await', 'Q-1', '--wait', '0'],
    ['briefing', 'src'],
    ['dashboard', '--view', 'agents'],
    ['dashboard', '--view', 'impact'],
  ])
    it(`${args.join(' ')} names 20 of them at most`, async () => {
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      await main(args, { ...ioOf(sandbox, sandbox.folder), out: say, err: say }, '0.0.0');
      const named = new Set(said.join('\n').match(/\bQ-\d+/g));
      assert.ok(named.size > 0 && named.size <= 21, `${String(named.size)}: ${said.join('\n').slice(0, 2_000)}`);
      assert.ok(said.join('\n').length < 6_000, String(said.join('\n').length));
      if (named.size > 1) assert.match(said.join('\n'), /\b(4\d\d more|500)\b/);
    });
});
