/** A program with another home folder (a container, a sandbox, sudo) does not know the keys that humans trust in theirs. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { main } from '../../../src/cli/program.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { agent, decide, enrolledHuman, yes } from '../../support/store/people.ts';
import { ioOf } from '../../support/store/repository.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

describe('a program with another home folder', () => {
  afterEach(removeSandboxes);

  it('says of an answered question that its key is not trusted here and how to trust it, and stays held', async () => {
    const place = makeSandbox();
    place.clock.now = Date.now();
    const workspace = place.open();
    const human = enrolledHuman(workspace);
    const context = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    for (const text of ['Which store?', 'Which port?'])
      await runOperation(raiseQuestion, context, { type: 'decision', text, holds: ['src/**'] });
    await decide(workspace, human, 'Q-1', yes);
    const home = place.at('another-home');
    fs.mkdirSync(home);
    const run = async (at: string, ...args: readonly string[]) => {
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      const code = await main(args, { ...ioOf({ home: at }, place.folder), out: say, err: say }, '0.0.0');
      return { code, said: said.join('\n') };
    };
    const [there, waits] = await Promise.all(
      ['Q-1', 'Q-2'].map((id) => run(home, 'question', 'await', id, '--wait', '0')),
    );
    assert.match(there!.said, /Q-1 was answered \(.*\), signed by a key that is not trusted here, so it still holds/);
    assert.match(there!.said, /HOLDPOINT_STATE_FOLDER .* Do neither yourself/);
    assert.match(waits!.said, /Q-2 is still waiting for a human/);
    assert.equal(there!.code, waits!.code);
    assert.equal((await run(home, 'gate', '--file', 'src/a.ts')).code, 2);
    assert.doesNotMatch((await run(place.home, 'question', 'await', 'Q-1', '--wait', '0')).said, /not trusted here/);
  });
});
