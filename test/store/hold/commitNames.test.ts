/** Commits of files whose names no hold can have, and of links: the gate judges the entry that git recorded. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { agent } from '../../support/store/people.ts';
import { holdpoint, makeRepository, type Repository } from '../../support/store/repository.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const held = 'src/pay/send.ts';
const deep = Array.from({ length: 6 }, () => 'd'.repeat(200)).join('/');

const odd: readonly (readonly [name: string, make: (folder: string) => void])[] = [
  ['a name of more than 1,000 characters', (folder) => makeDeep(folder)],
  ['a line break in a name', (folder) => fs.writeFileSync(path.join(folder, 'a\nb'), 'x')],
  ['a name like that of a drive', (folder) => fs.writeFileSync(path.join(folder, 'C:foo'), 'x')],
  ['a name that begins with a backslash', (folder) => fs.writeFileSync(path.join(folder, '\\foo'), 'x')],
];
const links: readonly (readonly [name: string, target: string])[] = [
  ['out of the workspace', '/etc/hosts'],
  ['to itself', 'link'],
  ['to a held file', held],
];

function makeDeep(folder: string): void {
  fs.mkdirSync(path.join(folder, deep), { recursive: true });
  fs.writeFileSync(path.join(folder, deep, 'f'), 'x');
}

describe('a commit', function () {
  this.timeout(60_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  let place: Sandbox;
  let repository: Repository;
  beforeEach(() => {
    place = makeSandbox();
    repository = makeRepository(place);
  });
  afterEach(removeSandboxes);

  async function ask(holds: string): Promise<void> {
    const workspace = place.open();
    await raiseQuestion(await workspace.store(), agent(), {
      ...{ type: 'decision', urgency: 'medium', mode: 'sync' },
      ...{ text: 'Shall I send?', work: null, holds: [holds] },
    });
  }

  /** The exit codes for what is staged, and for the commit of it. */
  async function codes(): Promise<number[]> {
    repository.git('add', '--all', '--', ':!.holdpoint');
    const staged = await holdpoint(place, repository.folder, 'gate', '--staged');
    repository.git('commit', '--quiet', '-m', 'Change');
    const committed = await holdpoint(place, repository.folder, 'gate', '--commit', 'HEAD');
    return [staged.code, committed.code];
  }

  for (const [name, make] of odd) {
    it(`with ${name} is allowed while nothing is held`, async () => {
      make(repository.folder);
      assert.deepEqual(await codes(), [0, 0]);
    });

    it(`with ${name} is denied while files are held`, async () => {
      await ask(held);
      make(repository.folder);
      assert.deepEqual(await codes(), [2, 2]);
    });
  }

  for (const [where, target] of links)
    it(`of a link ${where} is allowed, but not if the link is held`, async () => {
      const link = path.join(repository.folder, 'link');
      fs.symlinkSync(target, link);
      assert.deepEqual(await codes(), [0, 0]);
      fs.rmSync(link);
      fs.symlinkSync(`./${target}`, link);
      await ask(held);
      assert.deepEqual(await codes(), [0, 0]);
      fs.rmSync(link);
      fs.writeFileSync(link, '');
      await ask('link');
      assert.deepEqual(await codes(), [2, 2]);
    });

  it('of a held file is denied by the name in the commit and by the real path of its folder', async () => {
    const { folder } = repository;
    await ask(held);
    fs.writeFileSync(path.join(folder, held), 'new');
    assert.deepEqual(await codes(), [2, 2]);
    // Now a link is where the folder was.
    fs.renameSync(path.join(folder, 'src/pay'), path.join(folder, 'src/paid'));
    fs.symlinkSync('auth', path.join(folder, 'src/pay'));
    assert.deepEqual(await codes(), [2, 2]);
  });

  it('of a file in a folder that is a link now is denied where the real path is held', async () => {
    const { folder } = repository;
    repository.commit({ 'old/send.ts': 'x' });
    await ask(held);
    const committed = () => holdpoint(place, folder, 'gate', '--commit', 'HEAD');
    assert.equal((await committed()).code, 0);
    fs.rmSync(path.join(folder, 'old'), { recursive: true });
    fs.symlinkSync('src/pay', path.join(folder, 'old'));
    assert.equal((await committed()).code, 2);
  });
});
