/** The fence: files are read-only while they are held, and have exactly their modes again afterwards. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { changePolicy, shownPolicyHash } from '../../../src/app/decision/decisions.ts';
import { liftFence, raiseFence } from '../../../src/app/hold/fencedFile.ts';
import { isFenceDue, keepFence } from '../../../src/app/hold/fence.ts';
import { fenceFile } from '../../../src/app/hold/fenceFile.ts';
import { keepHeld } from '../../../src/app/hold/keepHeld.ts';
import { lookAtHeld } from '../../../src/app/hold/lookAtHeld.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { main } from '../../../src/cli/program.ts';
import { answerHook } from '../../../src/hook/answer.ts';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { awaitAnswer } from '../../../src/tools/question/awaitAnswer.ts';
import { raiseQuestion } from '../../../src/tools/question/raiseQuestion.ts';
import { runTool } from '../../../src/tools/kit/tool.ts';
import { stopsAt } from '../../support/store/faults.ts';
import { agent, decide, enrolledHuman, holdFiles } from '../../support/store/people.ts';
import type { Human } from '../../support/store/people.ts';
import { ioOf } from '../../support/store/repository.ts';
import { makeSandbox, realFs, removeSandboxes, wasm } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

const modes = { 'src/a.ts': 0o644, 'src/run.sh': 0o755, 'src/secret.ts': 0o600, 'other/b.ts': 0o664 } as const;
const all = Object.keys(modes);

interface Setting {
  readonly place: Sandbox;
  readonly workspace: Workspace;
  readonly human: Human;
  readonly file: (name: string) => string;
  readonly mode: (name: string) => string;
  readonly modesNow: () => readonly string[];
}

const octal = (mode: number) => (mode & 0o7777).toString(8);
const asBefore = Object.values(modes).map(octal);

async function setting(policy = true): Promise<Setting> {
  const place = makeSandbox();
  const file = (name: string) => path.join(place.folder, name);
  for (const [name, mode] of Object.entries(modes)) {
    fs.mkdirSync(path.dirname(file(name)), { recursive: true });
    fs.writeFileSync(file(name), `${name}\n`);
    fs.chmodSync(file(name), mode);
  }
  const workspace = place.open();
  const human = enrolledHuman(workspace);
  await workspace.store();
  await ask(workspace, []);
  if (policy) await setFence(workspace, human, true);
  const mode = (name: string) => octal(fs.lstatSync(file(name)).mode);
  return { place, workspace, human, file, mode, modesNow: () => all.map(mode) };
}

async function setFence(workspace: Workspace, human: Human, heldFiles: boolean): Promise<void> {
  const store = await workspace.store();
  const { state } = store.read();
  const { questionLifeHours, onExpiry } = state.policy;
  const policy = { questionLifeHours, onExpiry, fence: { heldFiles } };
  await changePolicy({ store, signer: human, newId: randomUUID }, policy, shownPolicyHash(state));
}

let agents = 0;

async function ask(workspace: Workspace, holds: readonly string[], tool = raiseQuestion, more: object = {}) {
  const session = agent(`copilot-${String(++agents).padStart(3, '0')}`);
  const context = { workspace, session, signal: new AbortController().signal, waitMs: 0 };
  const input = { type: 'decision', text: `JWT or sessions? ${String(agents)}`, holds, ...more };
  const raised = await runTool(tool, context, input);
  assert.equal(raised.status, 'ok', raised.text);
  return { session, id: (raised.data as { question: { id: string } }).question.id };
}

/** A process id of no program. */
const ended = () => spawnSync(process.execPath, ['-e', '']).pid;

/** The program that has the lock is not running any more. */
function endHolder(workspace: Workspace): void {
  const lock = `${fenceFile(workspace)}.lock`;
  if (!fs.existsSync(lock)) return;
  const text = fs.readFileSync(lock, 'utf8');
  if (text !== '') fs.writeFileSync(lock, JSON.stringify({ ...(JSON.parse(text) as object), pid: ended() }));
}

describe('the fence of held files', () => {
  afterEach(removeSandboxes);

  it('is off unless the policy says so', async () => {
    const { workspace, modesNow } = await setting(false);
    await ask(workspace, ['src']);
    assert.deepEqual(modesNow(), asBefore);
    assert.equal(fs.existsSync(fenceFile(workspace)), false);
  });

  it('makes the files of a hold read-only, and gives each exactly its mode back when the hold ends', async () => {
    const { workspace, human, modesNow } = await setting();
    const { id } = await ask(workspace, ['src']);
    assert.deepEqual(modesNow(), ['444', '555', '400', '664']);
    await decide(workspace, human, id);
    await keepHeld(workspace);
    assert.deepEqual(modesNow(), asBefore);
    assert.equal(fs.existsSync(fenceFile(workspace)), false);
    assert.equal(isFenceDue(workspace), false);
  });

  it('is gone before the agent reads the answer', async () => {
    const { workspace, human, modesNow } = await setting();
    const { id, session } = await ask(workspace, ['src']);
    await decide(workspace, human, id);
    const context = { workspace, session, signal: new AbortController().signal, waitMs: 0 };
    assert.equal((await runTool(awaitAnswer, context, { id })).status, 'ok');
    assert.deepEqual(modesNow(), asBefore);
  });

  it('is gone before a hook or a gate lets an agent edit', async () => {
    for (const how of ['hook', 'gate'] as const) {
      const { place, workspace, human, file, modesNow } = await setting();
      const { id } = await ask(workspace, ['src']);
      await decide(workspace, human, id);
      if (how === 'hook') {
        const machine = { fs: realFs, env: {}, platform: 'linux' as const, home: place.home, newId: randomUUID, wasm };
        const payload = {
          ...{ hook_event_name: 'PreToolUse', session_id: 's-1', cwd: place.folder, tool_name: 'Edit' },
          tool_input: { file_path: file('src/a.ts') },
        };
        const request = {
          host: 'claude-code',
          folder: place.folder,
          bytes: Buffer.from(JSON.stringify(payload)),
        } as const;
        assert.equal((await answerHook(request, { ...machine, clock: () => place.clock.now })).exit, 0);
      } else {
        const io = { ...ioOf(place, place.folder), out: () => undefined, err: () => undefined };
        assert.equal(await main(['gate', '--file', 'src/a.ts'], io, '0.0.0'), 0);
      }
      assert.deepEqual(modesNow(), asBefore);
      removeSandboxes();
    }
  });

  it('stays for what another hold holds until that ends too, also where the first one noted the file', async () => {
    const { workspace, human, modesNow, file, place } = await setting();
    const first = await ask(workspace, ['src']);
    const second = await ask(workspace, ['src/a.ts', 'other']);
    assert.deepEqual(modesNow(), ['444', '555', '400', '444']);
    await decide(workspace, human, first.id);
    await keepHeld(workspace);
    assert.deepEqual(modesNow(), ['444', '755', '600', '444']);
    // The second baseline was taken while the file was read-only.
    fs.rmSync(file('src/a.ts'));
    const io = { ...ioOf(place, place.folder), out: () => undefined, err: () => undefined };
    assert.equal(await main(['restore', 'src/a.ts'], io, '0.0.0'), 0);
    assert.deepEqual(modesNow(), ['444', '755', '600', '444']);
    await setFence(workspace, human, false);
    await keepHeld(workspace);
    fs.rmSync(file('src/a.ts'));
    assert.equal(await main(['restore', 'src/a.ts'], io, '0.0.0'), 0);
    assert.deepEqual(modesNow(), asBefore);
    await setFence(workspace, human, true);
    await keepHeld(workspace);
    await decide(workspace, human, second.id);
    await keepHeld(workspace);
    assert.deepEqual(modesNow(), asBefore);
  });

  it('is not lifted from what a link leads to that took the place of a folder', async () => {
    const { place, workspace, human, file } = await setting();
    const { id } = await ask(workspace, ['src']);
    const outside = place.at('outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'a.ts'), 'far\n', { mode: 0o444 });
    fs.renameSync(file('src'), file('moved'));
    fs.symlinkSync(outside, file('src'));
    assert.equal(liftFence(workspace, file('src/a.ts')), false);
    await decide(workspace, human, id);
    await keepHeld(workspace);
    assert.equal(octal(fs.statSync(path.join(outside, 'a.ts')).mode), '444');
  });

  it('follows a hold that a human widens to all files and narrows again', async () => {
    const { workspace, human, modesNow } = await setting();
    const { id } = await ask(workspace, ['other']);
    await holdFiles(workspace, human, id, 'all');
    await keepHeld(workspace);
    assert.deepEqual(modesNow(), ['444', '555', '400', '444']);
    await holdFiles(workspace, human, id, 'named');
    await keepHeld(workspace);
    assert.deepEqual(modesNow(), ['644', '755', '600', '444']);
  });

  it('comes and goes with the policy while files are held', async () => {
    const { workspace, human, modesNow } = await setting(false);
    await ask(workspace, ['src']);
    await setFence(workspace, human, true);
    await keepHeld(workspace);
    assert.deepEqual(modesNow(), ['444', '555', '400', '664']);
    await setFence(workspace, human, false);
    await keepHeld(workspace);
    assert.deepEqual(modesNow(), asBefore);
  });

  it('leaves a file alone whose mode somebody changed, and one that was replaced', async () => {
    const { workspace, human, file, modesNow } = await setting();
    const { id } = await ask(workspace, ['src', 'other']);
    fs.chmodSync(file('src/a.ts'), 0o640);
    fs.rmSync(file('src/run.sh'));
    fs.writeFileSync(file('src/run.sh'), 'by git\n', { mode: 0o700 });
    // Made writable on purpose, as a human does in a shell.
    fs.chmodSync(file('src/secret.ts'), 0o600);
    // As sed -i does: a new file with the mode of the old one.
    fs.writeFileSync(file('other/b.new'), 'replaced\n');
    fs.chmodSync(file('other/b.new'), fs.statSync(file('other/b.ts')).mode);
    fs.renameSync(file('other/b.new'), file('other/b.ts'));
    await ask(workspace, ['docs']);
    assert.deepEqual(modesNow(), ['640', '700', '600', '444']);
    await decide(workspace, human, id);
    await keepHeld(workspace);
    assert.deepEqual(modesNow(), ['640', '700', '600', '664']);
  });

  it('never changes links, what they lead to, files with several names, read-only files, folders and its own files', async () => {
    const { place, workspace, human, file } = await setting();
    const outside = place.at('outside');
    fs.mkdirSync(outside);
    for (const name of ['linked.ts', 'far.ts', 'twice.ts'])
      fs.writeFileSync(path.join(outside, name), 'far\n', { mode: 0o644 });
    fs.symlinkSync(path.join(outside, 'linked.ts'), file('src/link.ts'));
    fs.symlinkSync(outside, file('src/folder'));
    fs.linkSync(path.join(outside, 'twice.ts'), file('src/twice.ts'));
    fs.writeFileSync(file('src/fixed.ts'), 'fixed\n', { mode: 0o444 });
    fs.mkdirSync(file('src/.git'));
    fs.writeFileSync(file('src/.git/index'), 'git\n', { mode: 0o644 });
    const { id } = await ask(workspace, ['src', 'src/folder/far.ts', 'src/.git/index', '.holdpoint/journal']);
    const mode = (name: string) => octal(fs.statSync(name).mode);
    const check = () => {
      for (const name of ['linked.ts', 'far.ts', 'twice.ts']) assert.equal(mode(path.join(outside, name)), '644', name);
      assert.equal(mode(file('src/fixed.ts')), '444');
      assert.equal(mode(file('src/.git/index')), '644');
      assert.notEqual(fs.statSync(place.journal).mode & 0o200, 0);
      assert.notEqual(fs.statSync(file('src')).mode & 0o200, 0);
    };
    assert.equal(mode(file('src/a.ts')), '444');
    check();
    await decide(workspace, human, id);
    await keepHeld(workspace);
    check();
  });

  it('is no change of the held file', async () => {
    const { workspace } = await setting();
    await ask(workspace, ['src']);
    const found = await lookAtHeld(workspace);
    assert.deepEqual(
      found.flatMap(({ differences }) => differences),
      [],
    );
  });

  it('is lifted for one file while a human saves it', async () => {
    const { workspace, human, file, modesNow } = await setting();
    const { id } = await ask(workspace, ['src']);
    assert.equal(liftFence(workspace, file('src/run.sh')), true);
    assert.equal(liftFence(workspace, file('other/b.ts')), false);
    assert.deepEqual(modesNow(), ['444', '755', '400', '664']);
    await raiseFence(workspace, file('src/run.sh'));
    assert.deepEqual(modesNow(), ['444', '555', '400', '664']);
    liftFence(workspace, file('src/run.sh'));
    await decide(workspace, human, id);
    await keepHeld(workspace);
    await raiseFence(workspace, file('src/run.sh'));
    assert.deepEqual(modesNow(), asBefore);
  });

  it('goes with a store that was removed, and nothing breaks where the workspace was', async () => {
    const { place, workspace, modesNow } = await setting();
    await ask(workspace, ['src']);
    workspace.close();
    fs.rmSync(path.join(place.folder, '.holdpoint'), { recursive: true });
    await keepHeld(place.open());
    assert.deepEqual(modesNow(), asBefore);

    const second = await setting();
    await ask(second.workspace, ['src']);
    const { folder } = second.place;
    fs.renameSync(folder, `${folder}.away`);
    await keepHeld(second.workspace);
    assert.equal(isFenceDue(second.workspace), false);
  });

  it('stays while the state is unknown', async () => {
    const { place, workspace, modesNow } = await setting();
    await ask(workspace, ['src']);
    workspace.close();
    fs.rmSync(place.journal);
    await keepHeld(place.open());
    assert.deepEqual(modesNow(), ['444', '555', '400', '664']);
  });

  it('is one attribute on Windows', async () => {
    const { place, workspace, human, file, mode } = await setting();
    // As Node reports and sets it there.
    const seen = (stat: fs.Stats | undefined) => {
      if (stat?.isFile()) stat.mode = 0o100000 | ((stat.mode & 0o200) === 0 ? 0o444 : 0o666);
      return stat;
    };
    const windows = {
      ...realFs,
      lstatSync: ((name: string, options: object) => seen(fs.lstatSync(name, options))) as typeof fs.lstatSync,
      fstatSync: ((descriptor: number) => seen(fs.fstatSync(descriptor))) as typeof fs.fstatSync,
      fchmodSync: (descriptor: number, to: number) => {
        fs.fchmodSync(descriptor, (to & 0o200) === 0 ? 0o444 : 0o666);
      },
    } as FileSystem;
    const there = place.open({ fs: windows });
    const { id } = await ask(there, ['src']);
    assert.equal(mode('src/a.ts'), '444');
    assert.match(fs.readFileSync(fenceFile(workspace), 'utf8'), /"src\/a\.ts":438/);
    await decide(there, human, id);
    await keepHeld(there);
    assert.equal(mode('src/a.ts'), '666');
    assert.equal(fs.existsSync(file('src/a.ts')), true);
  });

  it('comes to the same wherever a program is killed, when it is set and when it ends', async () => {
    const counted = stopsAt(Infinity);
    const trial = await setting(false);
    await ask(trial.workspace, ['src']);
    await setFence(trial.workspace, trial.human, true);
    const counting = trial.place.open({ fs: counted.fs });
    await keepFence(counting);
    const toSet = counted.calls();
    assert.ok(toSet > 8, String(toSet));
    for (let at = 1; at <= toSet + 1; at++) {
      const { place, workspace, human, modesNow } = await setting(false);
      const { id } = await ask(workspace, ['src']);
      await setFence(workspace, human, true);
      await keepFence(place.open({ fs: stopsAt(at).fs }));
      endHolder(workspace);
      if (at % 2 === 0) {
        await keepHeld(place.open());
        assert.deepEqual(modesNow(), ['444', '555', '400', '664'], `killed at ${String(at)}`);
      }
      await decide(workspace, human, id);
      await keepFence(place.open({ fs: stopsAt(at).fs }));
      endHolder(workspace);
      await keepHeld(place.open());
      assert.deepEqual(modesNow(), asBefore, `killed at ${String(at)}`);
      removeSandboxes();
    }
  });

  it('is the same for several programs at once', async () => {
    const { place, workspace, human, modesNow } = await setting();
    const others = [place.open(), place.open(), workspace];
    for (let round = 0; round < 3; round++) {
      const first = await ask(workspace, ['src']);
      const second = await ask(workspace, ['src/a.ts', 'other']);
      await Promise.all(others.map(keepHeld));
      assert.deepEqual(modesNow(), ['444', '555', '400', '444']);
      await Promise.all([decide(workspace, human, first.id), ...others.map(keepHeld)]);
      await Promise.all([decide(workspace, human, second.id), ...others.map(keepHeld)]);
      await Promise.all(others.map(keepHeld));
      assert.deepEqual(modesNow(), asBefore);
    }
  });

  it('whatever happens in between, files have their modes at the end', async () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant('begin'), holds: fc.subarray(all, { minLength: 1 }) }),
      fc.record({ kind: fc.constant('end') }),
      fc.record({ kind: fc.constant('killed'), at: fc.integer({ min: 1, max: 25 }) }),
      fc.record({ kind: fc.constant('policy'), on: fc.boolean() }),
      fc.record({ kind: fc.constant('save'), file: fc.constantFrom(...all) }),
      fc.record({ kind: fc.constant('several') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 10 }), async (acts) => {
        const { place, workspace, human, file, modesNow } = await setting();
        const open: string[] = [];
        for (const one of acts) {
          if (one.kind === 'begin') open.push((await ask(workspace, one.holds)).id);
          else if (one.kind === 'end' && open.length > 0) await decide(workspace, human, open.shift() ?? '');
          else if (one.kind === 'killed') {
            await keepFence(place.open({ fs: stopsAt(one.at).fs }));
            endHolder(workspace);
          } else if (one.kind === 'policy') await setFence(workspace, human, one.on);
          else if (one.kind === 'save') {
            liftFence(workspace, file(one.file));
            fs.writeFileSync(file(one.file), 'saved\n');
            await raiseFence(workspace, file(one.file));
          } else await Promise.all([keepHeld(place.open()), keepHeld(workspace)]);
        }
        for (const id of open) await decide(workspace, human, id);
        await keepHeld(place.open());
        assert.deepEqual(modesNow(), asBefore);
        assert.equal(fs.existsSync(fenceFile(workspace)), false);
        place.remove();
      }),
      { numRuns: 25 },
    );
  });
});
