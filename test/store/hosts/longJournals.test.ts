/** Hooks on a journal that takes longer to read than a hook may: they deny, and another program reads it meanwhile. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { registerWork } from '../../../src/app/work/work.ts';
import { finish } from '../../../src/core/kit/finish.ts';
import { answerHook } from '../../../src/hook/answer.ts';
import type { Surroundings } from '../../../src/hook/surroundings.ts';
import type { HostName } from '../../../src/hosts/host.ts';
import { asSentBy } from '../../support/hostCalls.ts';
import { writeManyByHand } from '../../support/store/handwriting.ts';
import { longLine } from '../../support/store/lab.ts';
import { filesOf, writeManagedRing } from '../../support/store/managed.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, wasm } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

const hosts: readonly HostName[] = ['claude-code', 'vscode', 'codex', 'copilot-cli'];

/** Without a saved state. */
async function written(): Promise<Sandbox> {
  const sandbox = makeSandbox();
  await registerWork(await sandbox.open().store(), agent(), { id: 'T1', workKind: 'task', title: 'Tokens' });
  writeManyByHand(sandbox.journal, [longLine('a-'), longLine('b-')]);
  return sandbox;
}

describe('a hook on a long journal that it cannot read in time', () => {
  afterEach(removeSandboxes);

  /** @returns what the hook prints, and the folders whose journals it has another program read */
  async function hook(
    place: Sandbox,
    host: HostName,
    event: 'PreToolUse' | 'UserPromptSubmit',
    machine: Partial<Surroundings> = {},
  ) {
    const payload = { hook_event_name: event, session_id: 's-1', cwd: place.folder, prompt: 'Go on' };
    const edit = { tool_name: 'Bash', tool_input: { command: 'npm install zod' } };
    const bytes = Buffer.from(JSON.stringify(asSentBy(host, { ...payload, ...(event === 'PreToolUse' ? edit : {}) })));
    const left: string[] = [];
    const printed = await answerHook(
      { host, folder: place.folder, bytes },
      {
        ...{ fs: realFs, env: {}, platform: 'linux', home: place.home, clock: () => place.clock.now },
        ...{ newId: randomUUID, wasm, readWithinMs: -1, saveLater: (folder) => left.push(folder) },
        ...machine,
      },
    );
    return { printed, left };
  }

  for (const host of hosts)
    it(`${host}: denies, says why and what to do, until the other program has saved what it read`, async () => {
      const place = await written();
      const { printed, left } = await hook(place, host, 'PreToolUse');
      assert.match(printed.err, /the journal is long: .* Wait a minute, then try again\.$/);
      assert.ok(printed.exit === 2 || printed.out.includes('"deny"'), JSON.stringify(printed));
      assert.deepEqual(left, [place.folder]);
      const other = place.open();
      finish((await other.store()).saving(1)!);
      other.close();
      assert.deepEqual((await hook(place, host, 'PreToolUse')).printed, { exit: 0, out: '', err: '' });
    });

  it('reads it where an administrator manages the keys, because nothing that a program saves is believed', async () => {
    const place = await written();
    const machine = { managedFolder: writeManagedRing(place, []).folder, fs: filesOf() };
    const { printed } = await hook(place, 'claude-code', 'PreToolUse', machine);
    assert.deepEqual(printed, { exit: 0, out: '', err: '' });
  });

  it('has nothing read of a journal that is none, and denies because of that', async () => {
    const place = await written();
    fs.rmSync(place.at('ws', '.holdpoint'), { recursive: true });
    fs.writeFileSync(place.at('ws', '.holdpoint'), '');
    const { printed, left } = await hook(place, 'claude-code', 'PreToolUse');
    assert.match(printed.err, /the state of this workspace is UNKNOWN/);
    assert.deepEqual(left, []);
  });

  it('keeps no human from talking to the agent', async () => {
    const place = await written();
    assert.deepEqual((await hook(place, 'claude-code', 'UserPromptSubmit')).printed, { exit: 0, out: '', err: '' });
  });
});
