/** What Node compiled of the bundles is kept beside them, and damage to it changes no answer. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../support/host.ts';
import { agent } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { raiseQuestion } from '../../src/tools/question/asking.ts';
import { runOperation } from '../../src/tools/kit/operation.ts';

describe('compiled code', () => {
  let own: TemporaryFolder;
  let programs: string;
  before(async () => {
    own = await temporaryFolder();
    // A build of its own: tests that run beside this one use the other.
    programs = path.join(own.folder, 'dist');
    fs.mkdirSync(programs);
    for (const name of fs.readdirSync(path.join(root, 'dist')).filter((file) => file.endsWith('.cjs')))
      fs.copyFileSync(path.join(root, 'dist', name), path.join(programs, name));
  });
  after(() => own.remove());
  afterEach(removeSandboxes);

  const compiled = () => {
    const folder = path.join(programs, 'compiled');
    if (!fs.existsSync(folder)) return [];
    const all = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
    return all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  };

  const forget = () => {
    fs.rmSync(path.join(programs, 'compiled'), { recursive: true, force: true });
  };

  async function held() {
    const place = makeSandbox();
    place.clock.now = Date.now();
    const workspace = place.open();
    const context = { workspace, session: agent('other-001'), signal: new AbortController().signal, waitMs: 0 };
    const asked = { text: 'May I go on?', type: 'decision', holds: ['held.ts'] };
    assert.equal((await runOperation(raiseQuestion, context, asked)).status, 'ok');
    workspace.close();
    const env = { ...process.env, HOME: place.home, NODE_COMPILE_CACHE: undefined };
    return (program: string, file: string) => {
      const input = JSON.stringify({
        ...{ hook_event_name: 'PreToolUse', session_id: 's-1', cwd: place.folder, tool_name: 'Edit' },
        tool_input: { file_path: path.join(place.folder, file) },
      });
      const args =
        program === 'hook.cjs'
          ? ['claude-code', '--workspace', place.folder]
          : ['--workspace', place.folder, 'gate', '--file', file];
      const { status } = spawnSync(process.execPath, [path.join(programs, program), ...args], {
        env,
        input,
        cwd: place.folder,
      });
      return status;
    };
  }

  it('is kept by gates and hooks', async () => {
    const ask = await held();
    for (const program of ['cli.cjs', 'hook.cjs']) {
      forget();
      assert.equal(ask(program, 'held.ts'), 2);
      assert.ok(compiled().length > 0);
    }
  });

  const damages: Readonly<Record<string, (bytes: Buffer) => Uint8Array>> = {
    empty: () => Buffer.alloc(0),
    'cut in half': (bytes) => bytes.subarray(0, bytes.length / 2),
    'changed in the middle': (bytes) =>
      Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte))),
    'of zeros': (bytes) => Buffer.alloc(bytes.length),
  };
  for (const [what, damage] of Object.entries(damages))
    it(`that is ${what} counts for nothing`, async () => {
      const ask = await held();
      for (const program of ['cli.cjs', 'hook.cjs']) {
        for (const file of ['held.ts', 'free.ts']) ask(program, file);
        const files = compiled();
        assert.ok(files.length > 0);
        for (const file of files) fs.writeFileSync(file, damage(fs.readFileSync(file)));
        assert.equal(ask(program, 'held.ts'), 2);
        for (const file of compiled()) fs.writeFileSync(file, damage(fs.readFileSync(file)));
        assert.equal(ask(program, 'free.ts'), 0);
      }
    });

  it('cannot be kept where a file has the name of its folder', async () => {
    const ask = await held();
    forget();
    fs.writeFileSync(path.join(programs, 'compiled'), '');
    assert.equal(ask('cli.cjs', 'held.ts'), 2);
    assert.equal(ask('hook.cjs', 'free.ts'), 0);
    forget();
  });
});
