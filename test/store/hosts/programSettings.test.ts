/** Reading commands of git and curl while their settings run other programs, and something is held. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { agent } from '../../support/store/people.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

function repository(folder: string): string {
  fs.mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args]);
  git('init', '-q');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '--allow-empty', '-m', 'one');
  return folder;
}

async function setting(asks = 'other-001', session = 's-2'): Promise<Sandbox> {
  const sandbox = makeSandbox();
  repository(sandbox.folder);
  const store = await sandbox.open().store();
  const asker = agent(asks, { session });
  await registerWork(store, asker, { id: 'T1', workKind: 'task', title: 'Tokens' });
  await raiseQuestion(store, asker, {
    ...{ type: 'clarification', urgency: 'medium', mode: 'sync' },
    ...{ text: 'JWT or sessions?', work: 'T1', holds: ['src/held.js'] },
  });
  return sandbox;
}

async function isDenied(place: Sandbox, command: string): Promise<boolean> {
  const env = { PATH: process.env['PATH'] };
  const { exit } = await hookAnswer(place, { tool_name: 'Bash', tool_input: { command } }, { env });
  return exit === 2;
}

describe('a command that reads, while something is held,', function () {
  this.timeout(60_000);
  let place: Sandbox;
  beforeEach(async () => {
    place = await setting();
  });
  afterEach(removeSandboxes);
  const git = (...args: string[]) => execFileSync('git', ['-C', place.folder, ...args]);

  it('goes on with plain settings', async () => {
    git('config', 'core.pager', 'less -R');
    git('config', 'filter.lfs.clean', 'git-lfs clean -- %f');
    for (const command of ['git status', 'git log -p', 'curl -s localhost'])
      assert.equal(await isDenied(place, command), false, command);
  });

  for (const key of [
    ...['core.fsmonitor', 'diff.external', 'diff.x.textconv', 'diff.x.command', 'filter.x.clean', 'filter.x.process'],
    ...['core.pager', 'pager.log', 'gpg.program', 'core.sshCommand', 'core.alternateRefsCommand'],
    ...['alias.lfs', 'trace2.normalTarget'],
  ])
    it(`is denied where git has the setting ${key}`, async () => {
      git('config', key, './evil');
      assert.equal(await isDenied(place, 'git status'), true);
      assert.equal(await isDenied(place, 'ls'), false);
    });

  it('is denied with options that are not known, too', async () => {
    const commands = ['git diff --anchored=x', 'git log -p --anch=x', 'git show --anchored=x'];
    for (const command of commands) assert.equal(await isDenied(place, command), false, command);
    git('config', 'diff.external', './evil');
    for (const command of commands) assert.equal(await isDenied(place, command), true, command);
  });

  it('is denied where a file that the settings include has one', async () => {
    fs.writeFileSync(path.join(place.folder, 'more'), '[core]\n\tfsmonitor = ./evil\n');
    git('config', 'include.path', '../more');
    assert.equal(await isDenied(place, 'git status'), true);
  });

  function makePartial(url: string) {
    git('config', 'core.repositoryformatversion', '1');
    git('config', 'extensions.partialClone', 'origin');
    git('config', 'remote.origin.url', url);
    git('config', 'remote.origin.promisor', 'true');
    git('config', 'remote.origin.partialclonefilter', 'blob:none');
  }

  it('goes on where settings of other commands run programs, and in a partial clone that git itself fetches for', async () => {
    git('config', 'credential.helper', './evil');
    git('config', 'remote.origin.uploadpack', './evil');
    assert.equal(await isDenied(place, 'git show HEAD'), false, 'no partial clone');
    git('config', '--unset', 'remote.origin.uploadpack');
    git('config', 'credential.helper', 'store');
    makePartial('https://example.com/shop.git');
    assert.equal(await isDenied(place, 'git show HEAD'), false);
    fs.writeFileSync(path.join(place.folder, '.git', 'hooks', 'pre-auto-gc'), '');
    assert.equal(await isDenied(place, 'git show HEAD'), true);
  });

  for (const [key, value] of [
    ['remote.origin.uploadpack', './evil'],
    ['remote.origin.vcs', 'evil'],
    ['remote.origin.url', './elsewhere'],
    ['remote.origin.url', 'ext::sh -c evil'],
    ['remote.origin.url', 'git@example.com:shop.git'],
    ['credential.helper', '!evil'],
    ['credential.https://example.com.helper', './evil'],
    ['core.askPass', './evil'],
    ['core.gitProxy', './evil'],
    ['url.ext::evil.insteadOf', 'https://example.com/'],
    ['extensions.partialClone', './elsewhere'],
    ['remote.other.promisor', 'true'],
  ] as const)
    it(`is denied in a partial clone with ${key} ${value}`, async () => {
      makePartial('https://example.com/shop.git');
      git('config', key, value);
      assert.equal(await isDenied(place, 'git show HEAD'), true);
    });

  it('of npm is denied in a held session: with a git address it runs git, or a program that a file names', async () => {
    const held = await setting('claude-code-001', 's-1');
    for (const command of ['npm view git+file:///x', 'npm view react', 'npm ls', 'npm outdated', 'npm fund react'])
      assert.equal(await isDenied(held, command), true, command);
  });

  it('is denied where git has the hook post-index-change', async () => {
    fs.writeFileSync(path.join(place.folder, '.git', 'hooks', 'post-index-change'), '');
    assert.equal(await isDenied(place, 'git status'), true);
  });

  it('is denied where a submodule, or one within it, has a setting', async () => {
    const inner = repository(path.join(place.folder, 'sub module', 'inner'));
    const outer = repository(path.join(place.folder, 'sub module'));
    execFileSync('git', ['-C', outer, 'add', 'inner'], { stdio: 'ignore' });
    execFileSync('git', ['-C', place.folder, 'add', 'sub module'], { stdio: 'ignore' });
    assert.equal(await isDenied(place, 'git status'), false);
    execFileSync('git', ['-C', inner, 'config', 'core.fsmonitor', './evil']);
    assert.equal(await isDenied(place, 'git status'), true);
  });

  it('goes on in a repository without files', async () => {
    execFileSync('git', ['init', '-q', '--bare', path.join(place.folder, 'bare.git')]);
    assert.equal(await isDenied(place, 'git -C bare.git log'), false);
  });

  it('is denied where curl has settings', async () => {
    fs.writeFileSync(path.join(place.home, '.curlrc'), 'output = src/held.js\n');
    assert.equal(await isDenied(place, 'curl -s localhost'), true);
  });
});
