/** What `npm start` and `npm test` do first, with each npm that people have, on the oldest Node and on the newest. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { root } from '../support/host.ts';
import { findNode22, findNpmHost } from '../support/npmHost.ts';
import { start } from '../support/processes.ts';

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, object & { readonly engines?: { readonly node?: string } }>>;
}

const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));
const manifest = read('package.json') as Manifest;
const lock = read('package-lock.json') as Lock;

/** A clone with our own Node and a package that has an install script, which is quicker to install than all of ours. */
function clone(folder: string): void {
  const { optionalDependencies } = manifest;
  const devDependencies = { esbuild: manifest.devDependencies['esbuild'] };
  const wanted = /^node_modules\/(esbuild|@esbuild\/.*|node-(darwin|linux|win)-.*)$/;
  const entries = Object.entries(lock.packages).filter(([name]) => wanted.test(name));
  const own = { name: 'clone', version: '1.0.0', devDependencies, optionalDependencies };
  const packages = { '': own, ...Object.fromEntries(entries) };
  const write = (name: string, value: object) => {
    fs.writeFileSync(path.join(folder, name), JSON.stringify(value));
  };
  fs.mkdirSync(path.join(folder, 'scripts', 'lib'), { recursive: true });
  write('package.json', { ...own, private: true, type: 'module', scripts: { start: 'node scripts/start.mjs' } });
  write('package-lock.json', { name: own.name, version: own.version, lockfileVersion: 3, packages });
  for (const name of ['.npmrc', 'scripts/lib/prepare.mjs']) fs.cpSync(path.join(root, name), path.join(folder, name));
  fs.writeFileSync(
    path.join(folder, 'scripts', 'start.mjs'),
    `import { prepare } from './lib/prepare.mjs';
await prepare();
const { transform } = await import('esbuild');
console.log(process.version, (await transform('let a: 1', { loader: 'ts' })).code);\n`,
  );
}

describe('preparing a clone', function () {
  this.timeout(120_000);
  const newest = process.execPath;
  const ourNode = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const version = manifest.optionalDependencies[ourNode];
  const npms: Record<string, string> = {};
  let oldest: string;
  const folders: Record<string, string> = {};

  before(async function () {
    // Without one, the clone runs on the Node of the machine (Apple silicon).
    if (version === undefined) this.skip();
    const found = await Promise.all([
      findNode22(),
      ...['10.9.9', '11.21.2', '12.2.2'].map((each) =>
        findNpmHost({ name: 'npm', version: each, packages: ['npm'], program: path.join('npm', 'bin', 'npm-cli.js') }),
      ),
    ]);
    const programs = found.map((each) => ('program' in each ? each.program : (console.log(each.missing), undefined)));
    if (programs.includes(undefined)) this.skip();
    [oldest, npms['10'], npms['11'], npms['12']] = programs as [string, string, string, string];
  });
  after(() => {
    for (const folder of Object.values(folders)) fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Runs `npm start` in a clone. */
  async function npmStart(folder: string, npm: string, node: string) {
    // Without what the npm that runs this told its scripts.
    const rest = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(cache|registry)$)/.test(name));
    const env = { ...Object.fromEntries(rest), npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' };
    const PATH = path.dirname(node) + path.delimiter + (process.env['PATH'] ?? '');
    const running = start(node, [npms[npm]!, 'start'], { cwd: folder, env: { ...env, PATH } });
    const code = await running.exited;
    return { code, output: running.output() };
  }
  const installs = /^Installing the packages/m;

  for (const [npm, another] of Object.entries({ 10: '11', 11: '12', 12: '10' }))
    it(`npm ${npm} installs what is missing, and npm ${another} does not install it again`, async () => {
      folders[npm] = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdpoint-clone-')));
      clone(folders[npm]);
      const first = await npmStart(folders[npm], npm, oldest);
      assert.match(first.output, installs);
      assert.doesNotMatch(first.output, /EBADENGINE|allow-scripts|blocked/);
      const later = await npmStart(folders[npm], another, newest);
      assert.doesNotMatch(later.output, installs);
      for (const { code, output } of [first, later]) {
        assert.equal(code, 0, output);
        assert.match(output, new RegExp(`^v${version} let a;$`, 'm'));
      }
    });

  it('a message names the Node that cannot be started and the command that helps', async () => {
    const folder = folders['12']!;
    const ours = path.join(folder, 'node_modules', ourNode, 'bin', path.basename(newest));
    fs.writeFileSync(ours, '');
    fs.chmodSync(ours, 0o600);
    const { code, output } = await npmStart(folder, '12', oldest);
    assert.equal(code, 1);
    assert.ok(output.includes(`${ours}, cannot be started (EACCES). Run this, then try again:\n\n  npm ci`), output);
  });

  it('every package accepts the oldest Node and the newest, so that npm warns about none', () => {
    const { satisfies } = createRequire(npms['12']!)('semver') as {
      satisfies(version: string, range: string): boolean;
    };
    const nodes = [path.basename(path.resolve(oldest, '../../../..')).split('-')[1]!, version!];
    for (const [name, { engines }] of Object.entries(lock.packages))
      for (const node of nodes) assert.ok(satisfies(node, engines?.node ?? '*'), `${name}: ${engines?.node}, ${node}`);
  });
});
