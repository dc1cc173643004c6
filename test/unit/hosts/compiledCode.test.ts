/** Bundles run with what V8 compiled of them before. `test/contract/compiledCode.test.ts` has the programs. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { loadCompiled, roundsAtMost } from '../../../src/hosts/compiledCode.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import type { TemporaryFolder } from '../../support/temporary.ts';

describe('bundles with compiled code', () => {
  let parent: TemporaryFolder;
  let programs: string;
  /** Set where lines are counted that tests cover. */
  const atStart = process.env['NODE_DISABLE_COMPILE_CACHE'];
  beforeEach(async () => {
    delete process.env['NODE_DISABLE_COMPILE_CACHE'];
    parent = await temporaryFolder();
    programs = path.join(parent.folder, 'dist');
    fs.mkdirSync(programs);
  });
  afterEach(async () => {
    if (atStart === undefined) delete process.env['NODE_DISABLE_COMPILE_CACHE'];
    else process.env['NODE_DISABLE_COMPILE_CACHE'] = atStart;
    await parent.remove();
  });

  function load(file: string, use = 'use') {
    let keep: () => void = () => undefined;
    const exports = loadCompiled(file, use, (given) => (keep = given));
    return {
      exports,
      keep: () => {
        keep();
      },
    };
  }

  function bundle(name: string, source: string): string {
    const file = path.join(programs, name);
    fs.writeFileSync(file, source);
    return file;
  }

  const kept = (): string[] => {
    const folder = path.join(programs, 'compiled');
    const all = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
    return all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  };
  const onlyKept = () => {
    const [file = '', ...more] = kept();
    assert.deepEqual(more, []);
    return fs.readFileSync(file);
  };

  /** Its function adds some kilobytes when it has run. */
  const withFunction = `exports.sum = function (given) { return [${'given + 1,'.repeat(2_000)}].length; };`;

  it('keep the functions that ran', () => {
    const lengths = [false, true].map((runs) => {
      const file = bundle(runs ? 'ran.cjs' : 'not.cjs', withFunction);
      const { exports, keep } = load(file);
      if (runs) assert.equal((exports as { sum(given: number): number }).sum(1), 2_000);
      keep();
      const bytes = onlyKept();
      fs.rmSync(path.join(programs, 'compiled'), { recursive: true });
      return bytes.length;
    });
    assert.ok(Number(lengths[1]) > Number(lengths[0]) + 2_000, lengths.join(' and '));
  });

  it('add to what was kept for the first times, and then no longer', () => {
    const file = bundle('a.cjs', withFunction);
    const rounds = Array.from({ length: roundsAtMost + 2 }, () => {
      load(file).keep();
      return onlyKept().readUInt32LE(0);
    });
    assert.deepEqual(
      rounds,
      rounds.map((_, at) => Math.min(at + 1, roundsAtMost)),
    );
  });

  it('keep apart what is compiled for different uses', () => {
    const file = bundle('a.cjs', 'exports.all = [];');
    for (const use of ['gate', 'hook']) load(file, use).keep();
    assert.deepEqual(
      kept()
        .map((one) => path.basename(one))
        .sort(),
      ['gate-a.cjs', 'hook-a.cjs'],
    );
  });

  it('run as they are now, also where another source of the same length was compiled', () => {
    for (const value of [1, 2, 3]) {
      const { exports, keep } = load(bundle('a.cjs', `exports.value = ${String(value)};`));
      keep();
      assert.deepEqual(exports, { value });
    }
  });

  it('require each other once, and modules of Node', () => {
    bundle('b.cjs', `exports.times = 0;`);
    const required = `const b = require('./b.cjs'), again = require(require('node:path').join(__dirname, 'b.cjs'));`;
    const file = bundle('a.cjs', `${required} module.exports = [b === again, b.times, __filename];`);
    const { exports, keep } = load(file);
    keep();
    assert.deepEqual(exports, [true, 0, file]);
    assert.equal(kept().length, 2);
  });

  it('load again what threw while it was loaded', () => {
    const file = bundle('a.cjs', `exports.fails = () => require('./b.cjs');`);
    bundle('b.cjs', `throw new Error('first');`);
    const { exports, keep } = load(file);
    const { fails } = exports as { fails(): unknown };
    assert.throws(fails, /first/);
    bundle('b.cjs', `exports.value = 1;`);
    assert.deepEqual(fails(), { value: 1 });
    keep();
  });

  it('name the line and the column of an error', () => {
    const file = bundle('a.cjs', `exports.a = 1; throw new Error('here');`);
    assert.throws(
      () => load(file),
      ({ stack }: Error) => stack?.includes(`${file}:1:22`) === true,
    );
  });

  it('keep nothing where Node’s compile cache is switched off', () => {
    process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
    const { exports, keep } = load(bundle('a.cjs', 'exports.value = 1;'));
    keep();
    assert.deepEqual([exports, kept()], [{ value: 1 }, []]);
  });
});
