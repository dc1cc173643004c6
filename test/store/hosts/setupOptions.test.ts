/** Options of `holdpoint setup` that do not go together: an error, where one of them was ignored before. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { main } from '../../../src/cli/program.ts';
import { ioOf } from '../../support/store/repository.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

async function setup(...args: readonly string[]): Promise<{ code: number; said: string; wrote: boolean }> {
  const place = makeSandbox();
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const code = await main(['setup', ...args], { ...ioOf(place, place.folder), out: say, err: say }, '0.0.0');
  return { code, said: said.join('\n'), wrote: fs.existsSync(path.join(place.folder, '.claude')) };
}

describe('options of setup', () => {
  afterEach(removeSandboxes);

  const apart: readonly (readonly [args: string, why: RegExp])[] = [
    ['--command host.json --remove', /--command and --remove do not go together: give one of them/],
    ['--command host.json --machine', /--command and --machine do not go together/],
    ['--command host.json --check', /--command and --check do not go together/],
    ['--check --remove', /--check and --remove do not go together/],
    ['--check --dry-run', /--check and --dry-run do not go together/],
    ['--machine --remove --keys keys.txt', /--remove and --keys do not go together/],
    ['--host claude-code --keys keys.txt', /--keys: only with --machine/],
  ];
  for (const [args, why] of apart)
    it(`are refused: ${args}`, async () => {
      const { code, said, wrote } = await setup(...args.split(' '));
      assert.equal(code, 1);
      assert.match(said, why);
      assert.equal(wrote, false);
    });

  it('go together where each has its effect', async () => {
    const { code, said } = await setup('--host', 'claude-code', '--remove', '--dry-run');
    assert.equal(code, 0, said);
  });
});
