/** Copies of baselines in one file make a look quicker, and neither a forged nor an old copy hides a change. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { lookAtHeld, lookAtHeldBy } from '../../../src/app/hold/lookAtHeld.ts';
import { takeBaselines } from '../../../src/app/hold/takeBaselines.ts';
import type { RecordInput } from '../../../src/core/records/records.ts';
import { plainFiles } from '../../../src/store/journal/files.ts';
import { sha256 } from '../../../src/trust/canonical.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const count = 70;
const nameOf = (number: number) => `src/part-${String(number)}.ts`;

interface Setting {
  readonly place: Sandbox;
  readonly file: (name: string) => string;
  /** The copies. */
  readonly packed: string;
  /** The baseline of a question in its own file. */
  readonly own: (number: number) => string;
}

/** Of 70 questions, each holds one file, the last one also a folder. The state is saved. */
async function setting(): Promise<Setting> {
  const place = makeSandbox();
  place.clock.now = Date.now() + 1_000;
  const file = (name: string) => path.join(place.folder, name);
  fs.mkdirSync(file('src'), { recursive: true });
  for (let number = 1; number <= count; number++) fs.writeFileSync(file(nameOf(number)), `part ${String(number)}\n`);
  const workspace = place.open();
  const store = await workspace.store();
  await store.transact(agent().actor, () => ({
    records: Array.from({ length: count }, (_, at): RecordInput => ({
      ...{ kind: 'question.raised', v: 1, id: `Q-${String(at + 1)}`, type: 'decision', urgency: 'low', mode: 'sync' },
      ...{ text: `Part ${String(at + 1)}?`, work: null, choices: [] },
      holds: at + 1 === count ? [nameOf(count), 'docs'] : [nameOf(at + 1)],
      expiresAt: new Date(place.clock.now + 1_000_000).toISOString(),
    })),
    result: null,
  }));
  await takeBaselines(workspace);
  store.save();
  place.close();
  const baselines = file('.holdpoint/baselines');
  const own = (number: number) => {
    const [name = ''] = fs
      .readdirSync(baselines)
      .filter((one) => one.startsWith(`Q-${String(number)}.`) && one.endsWith('.json'));
    return path.join(baselines, name);
  };
  return { place, file, packed: path.join(baselines, 'packed.jsonl'), own };
}

type Options = Parameters<Sandbox['open']>[0];

/** What a program finds that starts now. */
async function found({ place }: Setting, options: Options = {}): Promise<string[]> {
  const all = await lookAtHeld(place.open(options));
  place.close();
  return all.flatMap(({ id, differences, lost }) => [...differences.map((one) => one.path), ...(lost ? [id] : [])]);
}

/** The files of baselines that are read. */
function watching() {
  const read: string[] = [];
  const files = Object.assign(Object.create(plainFiles) as typeof plainFiles, {
    readFileSync: ((file: string, ...rest: []) => {
      if (path.basename(path.dirname(file)) === 'baselines') read.push(path.basename(file));
      return plainFiles.readFileSync(file, ...rest);
    }) as typeof fs.readFileSync,
  });
  return { files, read };
}

/** As an agent would that means to hide a change: the copy says of the file what it is now. */
function forgeCopy({ packed, file }: Setting, number: number): void {
  const { size, mtimeMs, ctimeMs, ino } = fs.statSync(file(nameOf(number)));
  const lines = fs.readFileSync(packed, 'utf8').split('\n');
  const forged = lines.map((line) => {
    const written = JSON.parse(line) as { takenAt: number; files: unknown[][] };
    const [noted] = written.files;
    if (noted?.[0] !== nameOf(number)) return line;
    noted.splice(1, 6, sha256(fs.readFileSync(file(nameOf(number)))), 'file', size, mtimeMs, ctimeMs, ino);
    return JSON.stringify({ ...written, takenAt: ctimeMs + 1_000 });
  });
  assert.notDeepEqual(forged, lines);
  fs.writeFileSync(packed, forged.join('\n'));
}

describe('copies of baselines', () => {
  afterEach(removeSandboxes);

  it('are written by the first look, and others read them alone', async () => {
    const all = await setting();
    assert.equal(fs.existsSync(all.packed), false);
    assert.deepEqual(await found(all), []);
    const copies = fs.readFileSync(all.packed, 'utf8').split('\n');
    assert.deepEqual(
      copies,
      Array.from({ length: count }, (_, at) => fs.readFileSync(all.own(at + 1), 'utf8')),
    );
    const { files, read } = watching();
    assert.deepEqual(await found(all, { fs: files }), []);
    assert.deepEqual(new Set(read), new Set(['packed.jsonl']));
  });

  it('find what changed, is gone, came or was replaced', async () => {
    const all = await setting();
    await found(all);
    const { file } = all;
    fs.writeFileSync(file(nameOf(3)), 'changed\n');
    fs.rmSync(file(nameOf(4)));
    fs.mkdirSync(file('docs'));
    fs.writeFileSync(file('docs/new.md'), 'new\n');
    fs.writeFileSync(file('other'), 'part 5\n');
    fs.renameSync(file('other'), file(nameOf(5)));
    fs.rmSync(file(nameOf(6)));
    fs.symlinkSync('part-7.ts', file(nameOf(6)));
    assert.deepEqual(await found(all), [nameOf(3), nameOf(4), nameOf(6), 'docs/new.md']);
  });

  it('that are forged hide no change', async () => {
    const all = await setting();
    await found(all);
    fs.writeFileSync(all.file(nameOf(3)), 'changed\n');
    forgeCopy(all, 3);
    assert.deepEqual(await found(all), [nameOf(3)]);
  });

  it('that are forged vouch for no baseline whose own file is gone', async () => {
    const all = await setting();
    await found(all);
    fs.writeFileSync(all.file(nameOf(3)), 'changed\n');
    forgeCopy(all, 3);
    fs.rmSync(all.own(3));
    assert.deepEqual(await found(all), ['Q-3']);
  });

  it('that are gone or no file hide no change', async () => {
    const all = await setting();
    await found(all);
    const kept = fs.readFileSync(all.packed);
    fs.writeFileSync(all.file(nameOf(3)), 'changed\n');
    const harms = [
      () => {
        fs.rmSync(all.packed, { force: true });
      },
      () => {
        fs.writeFileSync(all.packed, '');
      },
      () => {
        fs.writeFileSync(all.packed, 'null\n{}\n[]');
      },
      () => {
        fs.writeFileSync(all.packed, kept.subarray(0, kept.length / 2));
      },
      () => {
        fs.writeFileSync(all.packed, [...kept.toString().split('\n')].reverse().join('\n'));
      },
      () => {
        fs.mkdirSync(all.packed);
      },
    ];
    for (const harm of harms) {
      fs.rmSync(all.packed, { recursive: true, force: true });
      harm();
      assert.deepEqual(await found(all), [nameOf(3)], String(harm));
    }
  });

  it('stand in for a file that is gone or was changed, for one question as for all', async () => {
    const all = await setting();
    await found(all);
    fs.writeFileSync(all.file(nameOf(3)), 'changed\n');
    fs.rmSync(all.own(3));
    fs.appendFileSync(all.own(4), ' ');
    assert.deepEqual(await found(all), [nameOf(3)]);
    const workspace = all.place.open();
    const [one] = await lookAtHeldBy(workspace, 'Q-3');
    assert.deepEqual([one?.differences.length, one?.lost], [1, false]);
    fs.rmSync(all.packed);
    assert.deepEqual(
      (await found(all)).filter((id) => id.startsWith('Q-')),
      ['Q-3', 'Q-4'],
    );
  });

  it('are written again when most are missing or of no use', async () => {
    const all = await setting();
    await found(all);
    const kept = fs.readFileSync(all.packed, 'utf8');
    fs.writeFileSync(all.packed, kept.split('\n').slice(0, 2).join('\n'));
    await found(all);
    assert.equal(sha256(fs.readFileSync(all.packed)), sha256(kept));
    const useless = Array.from({ length: 300 }, (_, at) => `{"v":1,"no":${String(at)}}`);
    fs.writeFileSync(all.packed, [...useless, kept].join('\n'));
    await found(all);
    assert.equal(sha256(fs.readFileSync(all.packed)), sha256(kept));
  });
});
