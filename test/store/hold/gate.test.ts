import assert from 'node:assert/strict';
import fs from 'node:fs';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { askGate, type GateRequest } from '../../../src/app/hold/gate.ts';
import { workspaceRelative } from '../../../src/app/workspace/paths.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

/** `src/secret` is held; links lead to it from elsewhere, and out of the workspace. */
async function held(): Promise<{ sandbox: Sandbox; workspace: Workspace }> {
  const sandbox = makeSandbox();
  const inside = (...parts: string[]) => sandbox.at('ws', ...parts);
  fs.mkdirSync(inside('src', 'secret', 'deep'), { recursive: true });
  fs.mkdirSync(inside('free'));
  fs.mkdirSync(sandbox.at('outside'));
  fs.writeFileSync(inside('src', 'secret', 'key.ts'), '');
  fs.symlinkSync('../src/secret', inside('free', 'link'));
  fs.symlinkSync('../src/secret/deep', inside('free', 'deep'));
  fs.symlinkSync('../src/secret/key.ts', inside('free', 'key.ts'));
  fs.symlinkSync(sandbox.at('outside'), inside('free', 'out'));
  fs.symlinkSync('free', inside('alias'));
  fs.symlinkSync('loop', inside('free', 'loop'));
  fs.symlinkSync(sandbox.folder, sandbox.at('outside', 'back'));
  const workspace = sandbox.open();
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Work' });
  await registerWork(store, agent(), { id: 'T2', workKind: 'task', title: 'Other work' });
  await raiseQuestion(store, agent(), {
    text: 'May I?',
    type: 'approval',
    urgency: 'high',
    mode: 'sync',
    work: 'T1',
    holds: ['src/secret', 'alias'],
  });
  return { sandbox, workspace };
}

describe('the gate of a workspace', () => {
  afterEach(removeSandboxes);

  type Expected = 'CLEAR' | 'BLOCKED' | RegExp;

  function check(name: string, request: GateRequest | ((sandbox: Sandbox) => GateRequest), expected: Expected): void {
    it(`${name}: ${expected instanceof RegExp ? 'an error' : expected}`, async () => {
      const { sandbox, workspace } = await held();
      // As a hook does: in a separate program, without the database.
      const asked = typeof request === 'function' ? request(sandbox) : request;
      const ask = () => askGate(sandbox.open({ wasm: () => assert.fail('the gate needs no database') }), asked);
      if (expected instanceof RegExp) {
        assert.throws(
          ask,
          (error: unknown) => error instanceof AppError && error.code === 'bad_input' && expected.test(error.message),
        );
        return;
      }
      const answer = ask();
      assert.equal(answer.state, expected);
      assert.equal(answer.verdict, expected === 'CLEAR' ? 'allow' : 'deny');
      assert.deepEqual(answer.reasons.length > 0, expected === 'BLOCKED');
      assert.deepEqual(askGate(workspace, asked), answer, 'with the store open it is the same');
    });
  }

  check('held work', { work: 'T1' }, 'BLOCKED');
  check('free work', { work: 'T2' }, 'CLEAR');
  check('unknown work', { work: 'T9' }, 'BLOCKED');
  check('a held file', { files: ['src/secret/key.ts'] }, 'BLOCKED');
  check('a held file among free ones', { files: ['a', 'b', 'src/secret/new.ts'] }, 'BLOCKED');
  check('a free file', { files: ['src/other.ts'] }, 'CLEAR');
  check('a held file by its absolute path', ({ at }) => ({ files: [at('ws', 'src', 'secret', 'key.ts')] }), 'BLOCKED');
  check('a held file by way of ..', { files: ['free/../src/secret/key.ts'] }, 'BLOCKED');
  check('a held file behind a link', { files: ['free/key.ts'] }, 'BLOCKED');
  check('a held file behind a linked folder', { files: ['free/link/key.ts'] }, 'BLOCKED');
  check('a new file behind a linked folder', { files: ['free/link/new/file.ts'] }, 'BLOCKED');
  check('a held file where .. leads out of a linked folder', { files: ['free/deep/../other.ts'] }, 'BLOCKED');
  check('a held alias of a free file', { files: ['alias/other.ts'] }, 'BLOCKED');
  check('a free file by its other name', { files: ['free/other.ts'] }, 'CLEAR');
  check('the same by its absolute path', ({ folder }) => ({ files: [`${folder}/free/deep/../other.ts`] }), 'BLOCKED');
  check(
    'a held file through a link from outside',
    ({ at }) => ({ files: [at('outside', 'back', 'src', 'secret', 'key.ts')] }),
    'BLOCKED',
  );
  check('a file whose name goes on', { files: ['src/secret.ts', '..free'] }, 'CLEAR');
  check('a file outside', { files: ['../other'] }, /^files\[0\] "..\/other": must be inside the workspace/);
  check(
    'an absolute path outside',
    ({ at }) => ({ files: ['a', at('outside', 'x')] }),
    /^files\[1\] .*must be inside the workspace/,
  );
  check('a link that leads out', { files: ['free/out/x'] }, /must be inside the workspace/);
  check('a link to itself', { files: ['free/loop'] }, /cannot be looked up \(ELOOP\)/);
  check('no path', { files: [''] }, /must not be empty/);
  check('a path of 2 MB', { files: ['x'.repeat(2_000_000)] }, /^files\[0\] "x{200}": must be at most 1000 characters/);
  check('an absolute path too long', { files: [`/${'x'.repeat(1_000)}`] }, /must be at most 1000/);
  check('a path with a zero', { files: ['/etc\u0000'] }, /contains control characters/);
  check('half a character', { files: ['a\ud800'] }, /half of a surrogate pair/);
  check('the workspace itself, with what is held in it', ({ folder }) => ({ files: [folder] }), 'BLOCKED');
  check('a folder around a held one', { files: ['src'] }, 'BLOCKED');
  check('a folder beside it', { files: ['free'] }, 'CLEAR');
  check('a session on its own', { session: { agent: 'copilot-001' } }, 'BLOCKED');
  check('an unknown session', { session: 'unknown' }, 'BLOCKED');
  check('another session', { session: { agent: 'claude-002' } }, 'CLEAR');

  it('names paths as the platform writes them', () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const windows = {
      ...workspace,
      location: { ...workspace.location, worktree: 'C:\\work' },
      options: { ...workspace.options, platform: 'win32' as const },
    };
    assert.equal(workspaceRelative(windows, 'c:\\WORK\\src\\a.ts', 'path'), 'src/a.ts');
    assert.equal(workspaceRelative(windows, 'src\\a.ts', 'path'), 'src/a.ts');
    assert.equal(workspaceRelative(windows, '\\\\?\\C:\\work\\src\\a.ts. ', 'path'), 'src/a.ts');
    assert.equal(workspaceRelative(windows, 'src\\a.ts::$DATA', 'path'), 'src/a.ts');
    for (const outside of ['D:\\a.ts', '\\\\host\\share\\a.ts', 'C:a.ts'])
      assert.throws(() => workspaceRelative(windows, outside, 'path'), AppError);
    assert.equal(workspaceRelative(workspace, sandbox.at('ws', 'a'), 'path'), 'a');
    assert.equal(workspaceRelative(workspace, sandbox.folder, 'path'), '.');
  });
});
