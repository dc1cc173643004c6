/** Held files that change all the same: noticed after the call, at a stop and by gates, until restored or accepted. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { acceptChanges, type HoldOutcome } from '../../../src/app/hold/decisions.ts';
import { baselinesAtOnce, takeBaselines } from '../../../src/app/hold/takeBaselines.ts';
import { lookAtHeld } from '../../../src/app/hold/lookAtHeld.ts';
import { restoreHeld, undoRestore, type Restored } from '../../../src/app/hold/restore.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { main } from '../../../src/cli/program.ts';
import { decideRfc, shownRfcHash } from '../../../src/app/rfc/decisions.ts';
import { shownSubject } from '../../../src/core/question/question.ts';
import type { HeldChange } from '../../../src/core/state/heldChanges.ts';
import type { RecordInput } from '../../../src/core/records/records.ts';
import { answerHook } from '../../../src/hook/answer.ts';
import type { HostName } from '../../../src/hosts/host.ts';
import { checkGate } from '../../../src/tools/work/work.ts';
import { proposeRfc } from '../../../src/tools/rfc/operations.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { userFolder } from '../../../src/store/journal/stateFile.ts';
import { journalPath } from '../../../src/store/journal/files.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { asSentBy } from '../../support/hostCalls.ts';
import { agent, signedBy, decide, enrolledHuman, holdFiles, type Human, yes } from '../../support/store/people.ts';
import { ioOf, makeRepository, type Repository } from '../../support/store/repository.ts';
import { makeSandbox, realFs, removeSandboxes, wasm, type Sandbox } from '../../support/store/sandbox.ts';

const hosts: readonly HostName[] = ['vscode', 'claude-code', 'copilot-cli', 'codex', 'opencode'];
const shells = {
  vscode: 'run_in_terminal',
  'claude-code': 'Bash',
  'copilot-cli': 'bash',
  codex: 'Bash',
  opencode: 'bash',
};

interface Setting {
  readonly place: Sandbox;
  readonly repository: Repository;
  readonly workspace: Workspace;
  readonly human: Human;
  readonly file: (name: string) => string;
}

/** Q-1 holds `src/auth` and `src/new.ts`, which does not exist. */
async function setting(): Promise<Setting> {
  const place = makeSandbox();
  place.clock.now = Date.now() + 1_000;
  const repository = makeRepository(place);
  const workspace = place.open();
  const human = enrolledHuman(workspace);
  await ask(workspace, { text: 'JWT or sessions?', holds: ['src/auth', 'src/new.ts'] });
  return { place, repository, workspace, human, file: (name) => path.join(place.folder, name) };
}

async function ask(workspace: Workspace, input: object, session = agent()): Promise<void> {
  const context = { workspace, session, signal: new AbortController().signal, waitMs: 0 };
  const raised = await runOperation(raiseQuestion, context, { type: 'decision', ...input });
  assert.equal(raised.status, 'ok', raised.text);
}

async function propose(workspace: Workspace, input: object): Promise<void> {
  const context = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
  const document = { title: 'Plan', summary: 'Short.', motivation: 'Needed.', detailed_design: 'A page.' };
  const proposed = await runOperation(proposeRfc, context, { ...document, ...input });
  assert.equal(proposed.status, 'ok', proposed.text);
}

async function hook(place: Sandbox, host: HostName, event: string, more: object = {}) {
  const payload = { hook_event_name: event, session_id: 's-1', cwd: place.folder, ...more };
  const bytes = Buffer.from(JSON.stringify(asSentBy(host, payload)));
  const machine = { fs: realFs, env: {}, platform: 'linux' as const, home: place.home, newId: randomUUID, wasm };
  return answerHook({ host, folder: place.folder, bytes }, { ...machine, clock: () => Date.now() });
}

function changesOf(workspace: Workspace, id = 'Q-1'): readonly HeldChange[] {
  const { state } = workspace.standing();
  assert.ok(state);
  return state.heldFiles.get(id)?.changes ?? [];
}

async function run(place: Sandbox, ...args: readonly string[]): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const io = { ...ioOf(place, place.folder), out: say, err: say };
  const code = await main(args, io, '0.0.0');
  return { code, said: said.join('\n') };
}

async function accept({ workspace, human }: Setting, of: string | undefined, id = 'Q-1'): Promise<HoldOutcome> {
  const store = await workspace.store();
  const { state } = store.read();
  const question = state.questions.get(id);
  assert.ok(question);
  const shown = hashOf(shownSubject(state, question));
  return acceptChanges(signedBy(store, human), id, { path: of, shown });
}

describe('changes of held files', () => {
  afterEach(removeSandboxes);

  for (const host of hosts)
    it(`${host}: the agent reads after a call which file it changed, and the journal names the call`, async () => {
      const { place, workspace, file } = await setting();
      const tool = { tool_name: shells[host as keyof typeof shells], tool_input: { command: 'git log -1' } };
      assert.deepEqual(await hook(place, host, 'PreToolUse', tool), { exit: 0, out: '', err: '' });
      fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
      fs.writeFileSync(file('src/new.ts'), 'new\n');
      const after = await hook(place, host, 'PostToolUse', { ...tool, tool_response: { ok: true } });
      assert.equal(after.exit, 0, after.err);
      assert.match(
        after.out,
        /src\/auth\/login\.ts is held by Q-1 and was changed by `git log -1`\. Restore it: holdpoint restore src\/auth\/login\.ts/,
      );
      assert.match(after.out, /src\/new\.ts .* did not exist when the hold began/);
      const changes = changesOf(workspace);
      assert.deepEqual(
        changes.map((one) => [one.path, one.call, one.was === null]),
        [
          ['src/auth/login.ts', 'git log -1', false],
          ['src/new.ts', 'git log -1', true],
        ],
      );
    });

  it('what changed before a call began is not put down to it', async () => {
    const { place, workspace, file } = await setting();
    fs.writeFileSync(file('src/auth/login.ts'), 'a human saved this\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const tool = { tool_name: 'Bash', tool_input: { command: 'git log -1' } };
    await hook(place, 'claude-code', 'PreToolUse', tool);
    const after = await hook(place, 'claude-code', 'PostToolUse', { ...tool, tool_response: {} });
    assert.match(after.out, /was changed outside of any call that Holdpoint saw/);
    assert.deepEqual(
      changesOf(workspace).map(({ call }) => call),
      [null],
    );
  });

  it('a stop is refused once for each change', async () => {
    const { place, file } = await setting();
    fs.rmSync(file('src/auth/login.ts'));
    const stop = await hook(place, 'claude-code', 'Stop');
    assert.equal(stop.exit, 2);
    assert.match(stop.err, /src\/auth\/login\.ts is held by Q-1 and was changed/);
    assert.equal((await hook(place, 'claude-code', 'Stop')).exit, 0);
  });

  it('a session reads each change once after a call, and once more before it stops', async () => {
    const { place, file } = await setting();
    const tool = { tool_name: 'Bash', tool_input: { command: 'git log -1' }, tool_response: {} };
    const after = async (session = 's-1') =>
      (await hook(place, 'claude-code', 'PostToolUse', { ...tool, session_id: session })).out;
    const stop = async () => (await hook(place, 'claude-code', 'Stop')).err;
    fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
    assert.match(await after(), /login\.ts is held by Q-1/);
    assert.equal(await after(), '');
    fs.writeFileSync(file('src/new.ts'), 'new\n');
    const second = await after();
    assert.match(second, /src\/new\.ts is held by Q-1/);
    assert.doesNotMatch(second, /login/);
    assert.match(await after('s-2'), /login\.ts[^]*src\/new\.ts/);
    assert.match(await stop(), /login\.ts[^]*src\/new\.ts/);
    assert.equal(await stop(), '');
    assert.equal(await after(), '');

    fs.writeFileSync(file('src/auth/login.ts'), 'login\n');
    assert.equal(await after(), '', 'it is as before');
    fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
    const again = await after();
    assert.match(again, /login\.ts is held by Q-1/);
    assert.doesNotMatch(again, /new\.ts/);
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const text of ['login\n', 'changed\n']) fs.writeFileSync(file('src/auth/login.ts'), text);
    assert.match(await after(), /login\.ts is held by Q-1/, 'it was restored in between');
    assert.equal(await after(), '');
    fs.rmSync(file('.holdpoint/baselines'), { recursive: true });
    fs.mkdirSync(file('.holdpoint/baselines'));
    assert.match(await after(), /It is not known which files held by Q-1 were changed/);
    assert.equal(await after(), '');
  });

  it('where that cannot be remembered, a call reads it again, and no stop is refused forever', async () => {
    const { place, file } = await setting();
    const tool = { tool_name: 'Bash', tool_input: { command: 'git log -1' }, tool_response: {} };
    const folder = path.join(userFolder({ platform: 'linux', env: {}, home: place.home }), 'hooks');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'read'), 'not a folder');
    fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
    for (const time of ['first', 'second'])
      assert.match((await hook(place, 'claude-code', 'PostToolUse', tool)).out, /login\.ts is held/, time);
    assert.equal((await hook(place, 'claude-code', 'Stop')).exit, 0);
  });

  it('restoring puts content, mode and absence back, also without git, and never writes through links', async () => {
    const { place, workspace, file } = await setting();
    const login = file('src/auth/login.ts');
    const other = path.join(place.base, 'other');
    fs.writeFileSync(other, 'of a human\n');
    fs.rmSync(file('.git'), { recursive: true });
    fs.rmSync(login);
    fs.linkSync(other, login);
    fs.writeFileSync(file('src/new.ts'), 'new\n');
    await lookAtHeld(workspace);
    assert.equal(changesOf(workspace).length, 2);
    const { code, said } = await run(place, 'restore', 'src/auth/login.ts', 'src/new.ts');
    assert.equal(code, 0, said);
    assert.deepEqual([fs.readFileSync(login, 'utf8'), fs.existsSync(file('src/new.ts'))], ['login\n', false]);
    assert.equal(fs.readFileSync(other, 'utf8'), 'of a human\n');
    assert.deepEqual(changesOf(workspace), []);
    fs.renameSync(file('src/auth'), file('src/old'));
    fs.symlinkSync(place.base, file('src/auth'));
    assert.match((await run(place, 'restore', 'src/auth/login.ts')).said, /below a link/);
    assert.equal(fs.existsSync(path.join(place.base, 'login.ts')), false);
    assert.match((await run(place, 'restore', 'README.md')).said, /not a held file/);
  });

  it('what restoring replaces or deletes is kept, named, and put back by an undo', async () => {
    const { place, workspace, file } = await setting();
    fs.writeFileSync(file('src/auth/login.ts'), 'an evening of work\n');
    fs.writeFileSync(file('src/new.ts'), 'new\n');
    await lookAtHeld(workspace);
    const names = ['src/auth/login.ts', 'src/new.ts'];
    const { code, said } = await run(place, 'restore', ...names, '--json');
    assert.equal(code, 0, said);
    const { files } = JSON.parse(said) as { files: Restored[] };
    assert.deepEqual(
      files.map(({ kept }) => fs.readFileSync(file(kept ?? ''), 'utf8')),
      ['an evening of work\n', 'new\n'],
    );
    for (const [index, name] of names.entries())
      await undoRestore(workspace, { id: 'Q-1', name }, files[index]?.kept ?? '');
    assert.deepEqual(
      names.map((name) => fs.readFileSync(file(name), 'utf8')),
      ['an evening of work\n', 'new\n'],
    );
    assert.equal(changesOf(workspace).length, 2, 'they are changed again');
  });

  it('a restored file is at no time missing or half-written, and stays as it is where the disk is full', async () => {
    const { place, workspace, file } = await setting();
    const login = file('src/auth/login.ts');
    const leftovers = () => fs.readdirSync(file('.holdpoint')).filter((name) => name.startsWith('restored-'));
    fs.writeFileSync(login, 'changed\n');
    await lookAtHeld(workspace);
    const restoring = (changes: object) => {
      const there = place.open({ clock: Date.now, fs: { ...realFs, ...changes } });
      return restoreHeld(there, 'src/auth/login.ts', () => Buffer.from('login\n'));
    };
    const isFull = () => assert.fail(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await assert.rejects(() => restoring({ writeSync: isFull }), /full/);
    assert.deepEqual([fs.readFileSync(login, 'utf8'), leftovers()], ['changed\n', []]);

    const seen: string[] = [];
    const renameSync = (from: string, to: string) => {
      if (to === login) seen.push(fs.readFileSync(login, 'utf8'));
      fs.renameSync(from, to);
    };
    const { how } = await restoring({ renameSync });
    assert.deepEqual(
      [how, seen, fs.readFileSync(login, 'utf8'), leftovers()],
      ['restored', ['changed\n'], 'login\n', []],
    );

    // The store is on another drive.
    fs.writeFileSync(login, 'again\n');
    await lookAtHeld(workspace);
    const across = (from: string, to: string) => {
      if (to === login) throw Object.assign(new Error('across'), { code: 'EXDEV' });
      fs.renameSync(from, to);
    };
    assert.equal((await restoring({ renameSync: across })).how, 'restored');
    assert.deepEqual([fs.readFileSync(login, 'utf8'), leftovers()], ['login\n', []]);
  });

  it('commits are denied after the hold has ended, until a human accepts or the content is as before', async () => {
    const all = await setting();
    const { place, repository, workspace, human, file } = all;
    fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
    assert.match((await run(place, 'gate', '--file', 'src/auth/login.ts')).said, /was changed outside of any call/);
    await decide(workspace, human, 'Q-1', yes);
    repository.git('add', '--all');
    const denied = await run(place, 'gate', '--staged');
    assert.equal(denied.code, 2);
    assert.match(
      denied.said,
      /src\/auth\/login\.ts in the staged changes was changed while Q-1 held it.*no human has accepted/,
    );
    assert.equal((await run(place, 'gate', '--file', 'src/auth/login.ts')).code, 0, 'the file itself is free');
    // What is committed counts, not what lies in the folder.
    fs.writeFileSync(file('src/auth/login.ts'), 'login\n');
    assert.equal((await run(place, 'gate', '--staged')).code, 2);
    repository.git('add', '--all');
    assert.equal((await run(place, 'gate', '--staged')).code, 0);
    const hash = repository.commit({ 'src/auth/login.ts': 'changed again\n' });
    assert.equal((await run(place, 'gate', '--commit', hash)).code, 2);
    assert.equal(await accept(all, 'src/auth/login.ts'), 'decided');
    assert.equal((await run(place, 'gate', '--commit', hash)).code, 0);
    assert.equal(workspace.standing().state?.heldFiles.size, 0);
  });

  it('an accepted change is no change, until the file changes again', async () => {
    const all = await setting();
    const { workspace, file } = all;
    fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
    await lookAtHeld(workspace);
    assert.equal(await accept(all, undefined), 'decided');
    assert.equal(await accept(all, undefined), 'already');
    await lookAtHeld(workspace);
    assert.deepEqual(changesOf(workspace), []);
    fs.writeFileSync(file('src/auth/login.ts'), 'changed again\n');
    await lookAtHeld(workspace);
    assert.equal(changesOf(workspace).length, 1);
  });
  for (const [name, harm] of [
    [
      'missing',
      (folder: string) => {
        fs.rmSync(folder, { recursive: true });
      },
    ],
    [
      'forged',
      (folder: string) => {
        for (const one of fs.readdirSync(folder))
          if (one.endsWith('.json')) fs.appendFileSync(path.join(folder, one), ' ');
      },
    ],
  ] as const)
    it(`a baseline that is ${name} denies every commit until a human accepts`, async () => {
      const all = await setting();
      const { place, repository, workspace, human, file } = all;
      fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
      harm(file('.holdpoint/baselines'));
      await lookAtHeld(workspace);
      await takeBaselines(workspace);
      await decide(workspace, human, 'Q-1', yes);
      repository.git('add', '--all');
      const denied = await run(place, 'gate', '--staged');
      assert.equal(denied.code, 2);
      assert.match(denied.said, /baseline in \.holdpoint\/baselines is missing or was changed/);
      assert.equal(await accept(all, undefined), 'decided');
      assert.equal((await run(place, 'gate', '--staged')).code, 0);
    });

  it('a hold that grows gets a further part, which cannot vouch for what the first is about', async () => {
    const { place, workspace, human, file } = await setting();
    fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
    await holdFiles(workspace, human, 'Q-1', 'all');
    await takeBaselines(workspace);
    fs.writeFileSync(file('README.md'), 'changed too\n');
    await lookAtHeld(workspace);
    assert.deepEqual(
      changesOf(workspace)
        .map((one) => one.path)
        .sort(),
      ['README.md', 'src/auth/login.ts'],
    );
    assert.equal((await run(place, 'restore', 'README.md', 'src/auth/login.ts')).code, 0);
    assert.deepEqual(changesOf(workspace), []);
  });

  it('files that a human has released from the hold are free; what was noted about them stays', async () => {
    const { place, workspace, human, file } = await setting();
    await holdFiles(workspace, human, 'Q-1', 'all');
    await takeBaselines(workspace);
    fs.writeFileSync(file('README.md'), 'changed\n');
    await lookAtHeld(workspace);
    const noted = changesOf(workspace);
    await holdFiles(workspace, human, 'Q-1', 'named');
    fs.writeFileSync(file('README.md'), 'changed again\n');
    fs.writeFileSync(file('free.md'), 'new\n');
    fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
    await lookAtHeld(workspace);
    assert.deepEqual(
      changesOf(workspace).map((one) => one.path),
      ['README.md', 'src/auth/login.ts'],
    );
    assert.deepEqual(changesOf(workspace)[0], noted[0]);
    assert.equal((await run(place, 'restore', 'README.md')).code, 0);
    assert.deepEqual(
      changesOf(workspace).map((one) => one.path),
      ['src/auth/login.ts'],
    );
  });

  it('files that an RFC holds: noticed, restored, denied to commits and accepted in the same ways', async () => {
    const all = await setting();
    const { place, repository, workspace, human, file } = all;
    await propose(workspace, { holds: ['docs'], submit: true });
    const tool = { tool_name: 'Bash', tool_input: { command: './build.sh' } };
    assert.deepEqual(await hook(place, 'claude-code', 'PreToolUse', tool), { exit: 0, out: '', err: '' });
    fs.mkdirSync(file('docs'));
    fs.writeFileSync(file('docs/plan.md'), 'changed\n');
    const after = await hook(place, 'claude-code', 'PostToolUse', { ...tool, tool_response: { ok: true } });
    assert.match(after.out, /docs\/plan\.md is held by RFC-1 and was changed by `\.\/build\.sh`/);
    assert.equal(changesOf(workspace, 'RFC-1').length, 1);
    assert.deepEqual(changesOf(workspace), []);
    const { code, said } = await run(place, 'restore', 'docs/plan.md');
    assert.equal(code, 0, said);
    assert.match(said, /it did not exist when RFC-1 began to hold it/);
    assert.deepEqual(changesOf(workspace, 'RFC-1'), []);

    fs.writeFileSync(file('docs/plan.md'), 'changed again\n');
    await lookAtHeld(workspace);
    const store = await workspace.store();
    const signing = signedBy(store, human);
    const seen = () => shownRfcHash(store.read().state, store.read().state.rfcs.get('RFC-1')!);
    const rejected = { kind: 'reject', reason: 'Not now', then: 'another_way' } as const;
    assert.equal((await decideRfc(signing, 'RFC-1', rejected, seen())).outcome, 'decided');
    repository.git('add', '--all');
    const denied = await run(place, 'gate', '--staged');
    assert.equal(denied.code, 2);
    assert.match(denied.said, /docs\/plan\.md in the staged changes was changed while RFC-1 held it/);
    assert.equal(await acceptChanges(signing, 'RFC-1', { shown: hashOf('other') }), 'changed');
    assert.equal(await acceptChanges(signing, 'RFC-1', { shown: seen() }), 'decided');
    assert.equal((await run(place, 'gate', '--staged')).code, 0);
    const audit = await run(place, 'audit', '--verify');
    assert.equal(audit.code, 0, audit.said);
  });

  it('a baseline that is gone or was changed stops every change until a human accepts it, and is then taken anew', async () => {
    const all = await setting();
    const { place, workspace } = all;
    const folder = path.join(place.folder, '.holdpoint', 'baselines');
    const asks = async (tool: string) => {
      const input =
        tool === 'Bash' ? { command: 'npm test' } : { file_path: path.join(place.folder, 'free.txt'), content: '' };
      const { exit, err } = await hook(place, 'claude-code', 'PreToolUse', { tool_name: tool, tool_input: input });
      return exit === 2 ? err : null;
    };
    const names = fs.readdirSync(folder);
    assert.equal(await asks('Write'), null);
    for (const name of names) fs.truncateSync(path.join(folder, name));
    for (const tool of ['Write', 'Bash'])
      assert.match((await asks(tool)) ?? '', /held by Q-1 is missing or was changed.*your human/);
    assert.equal(await asks('Read'), null);
    workspace.changed();
    assert.equal(await accept(all, undefined), 'decided');
    assert.ok(await takeBaselines(workspace));
    assert.equal(await asks('Write'), null);
    fs.rmSync(folder, { recursive: true });
    assert.match((await asks('Write')) ?? '', /missing or was changed/);
    workspace.close();
  });

  it('baselines are removed when nothing is held, and a program that starts from saved state knows them', async () => {
    const { place, workspace, human, file } = await setting();
    const folder = file('.holdpoint/baselines');
    assert.equal(fs.readdirSync(folder).length, 2);
    (await workspace.store()).close();
    const again = place.open();
    fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
    await lookAtHeld(again);
    assert.equal(changesOf(again).length, 1);
    fs.writeFileSync(file('src/auth/login.ts'), 'login\n');
    await lookAtHeld(again);
    await decide(again, human, 'Q-1', yes);
    await takeBaselines(again);
    assert.equal(fs.existsSync(folder), false);
  });

  it('the baseline of an RFC stays while it holds, also where no question does, and is removed afterwards', async () => {
    const { place, workspace, human, file } = await setting();
    const folder = file('.holdpoint/baselines');
    await propose(workspace, { holds: ['docs'], submit: true });
    await takeBaselines(workspace);
    const ofRfc = () => fs.readdirSync(folder).filter((name) => name.startsWith('RFC-1.'));
    assert.equal(ofRfc().length, 1);
    await decide(workspace, human, 'Q-1', yes);
    await takeBaselines(workspace);
    assert.equal(ofRfc().length, 1);
    fs.mkdirSync(file('docs'));
    fs.writeFileSync(file('docs/plan.md'), 'changed\n');
    const [found] = await lookAtHeld(workspace);
    assert.deepEqual([found?.id, found?.differences.length, found?.lost], ['RFC-1', 1, false]);
    assert.equal((await run(place, 'restore', 'docs/plan.md')).code, 0);
    const store = await workspace.store();
    const seen = shownRfcHash(store.read().state, store.read().state.rfcs.get('RFC-1')!);
    const signing = signedBy(store, human);
    const rejected = { kind: 'reject', reason: 'Not now', then: 'another_way' } as const;
    assert.equal((await decideRfc(signing, 'RFC-1', rejected, seen)).outcome, 'decided');
    await takeBaselines(workspace);
    assert.equal(fs.existsSync(folder), false);
  });

  it('many holds from before there were baselines get theirs in a few commits, the newest first', async () => {
    const { workspace, file } = await setting();
    const store = await workspace.store();
    await store.transact({ kind: 'agent', id: 'copilot-001' }, ({ state }) => ({
      records: Array.from({ length: 450 }, (_, at): RecordInput => ({
        ...{ kind: 'question.raised', v: 1, id: `Q-${String(at + 2)}`, type: 'decision', urgency: 'low', mode: 'sync' },
        ...{ text: `Part ${String(at)}?`, work: null, choices: [], holds: [`src/part-${String(at)}`] },
        expiresAt: state.questions.get('Q-1')?.expiresAt ?? '',
      })),
      result: null,
    }));
    const before = store.position.position;
    assert.equal(await takeBaselines(workspace, baselinesAtOnce), true);
    const some = workspace.standing().state?.heldFiles;
    assert.deepEqual([some?.size, some?.has('Q-451'), some?.has('Q-2')], [201, true, false]);
    assert.equal(await takeBaselines(workspace), true);
    const added = fs
      .readFileSync(journalPath(file('.')))
      .subarray(before)
      .toString();
    const lines = added.split('\n').filter(Boolean);
    assert.equal(lines.length, 3);
    const { state } = workspace.standing();
    assert.equal(state?.heldFiles.size, 451);
    assert.equal(await takeBaselines(workspace), false);
  });

  it('a baseline that one program writes while another one removes those of ended holds is not lost', async () => {
    const { place, workspace, human, file } = await setting();
    const folder = file('.holdpoint/baselines');
    await decide(workspace, human, 'Q-1', yes);
    const written = path.join(folder, `Q-2.${'a'.repeat(16)}.json`);
    /** The other program's comes right after this one has listed the folder. */
    const readdirSync = ((name: string, ...more: unknown[]) => {
      const names = (realFs.readdirSync as (...all: unknown[]) => unknown)(name, ...more);
      if (name === folder && !fs.existsSync(written)) fs.writeFileSync(written, '{}');
      return names;
    }) as typeof realFs.readdirSync;
    await takeBaselines(place.open({ fs: { ...realFs, readdirSync } }));
    assert.deepEqual(fs.readdirSync(folder), [path.basename(written)]);
  });

  it('a baseline is written where another program has just removed the folder', async () => {
    const { place, workspace, file } = await setting();
    const folder = file('.holdpoint/baselines');
    let removed = 0;
    const lstatSync = ((name: string, ...more: unknown[]) => {
      // After the folder was made, and before anything is in it.
      if (name.endsWith('src/auth') && fs.existsSync(folder) && removed++ === 0) fs.rmSync(folder, { recursive: true });
      return (realFs.lstatSync as (...all: unknown[]) => unknown)(name, ...more);
    }) as typeof realFs.lstatSync;
    await ask(place.open({ fs: { ...realFs, lstatSync } }), { text: 'And now?', holds: ['src/auth'] });
    assert.equal(removed > 0, true);
    fs.writeFileSync(file('src/auth/login.ts'), 'changed\n');
    const found = await lookAtHeld(workspace);
    assert.equal(found.find(({ id }) => id === 'Q-2')?.differences.length, 1);
  });

  it('where baselines were removed, the gate denies everything until a human has looked, on the command line and as a tool', async () => {
    const { place, workspace, file } = await setting();
    const gate = async () => {
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      const io = { ...ioOf(place, place.folder), out: say, err: say };
      return { code: await main(['gate', '--file', 'docs/free.md'], io, '0.0.0'), said: said.join('\n') };
    };
    const context = { workspace, session: agent('other-001'), signal: new AbortController().signal, waitMs: 0 };
    const check = () => runOperation(checkGate, context, { files: ['docs/free.md'] });
    assert.deepEqual([(await gate()).code, (await check()).status], [0, 'ok']);
    fs.rmSync(file('.holdpoint/baselines'), { recursive: true });
    const { code, said } = await gate();
    const { status, text, data } = await check();
    assert.deepEqual([code, status, data['verdict'], data['state']], [2, 'denied', 'deny', 'UNKNOWN']);
    for (const one of [said, text])
      assert.match(one, /baselines had about the files held by Q-1 is missing or was changed/);
  });

  it('where baselines cannot be written, none is taken and nothing is recorded', async () => {
    const { workspace, human, file } = await setting();
    fs.rmSync(file('.holdpoint/baselines'), { recursive: true });
    fs.writeFileSync(file('.holdpoint/baselines'), 'not a folder');
    await holdFiles(workspace, human, 'Q-1', 'all');
    const before = (await workspace.store()).position;
    assert.equal(await takeBaselines(workspace), false);
    assert.deepEqual((await workspace.store()).position, before);
  });
});
