/** A gate reads of the saved state what its answer needs, and answers as if it had read all of it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import fc from 'fast-check';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { RaiseInput } from '../../../src/app/question/raise.ts';
import { withSavedParts } from '../../../src/app/workspace/answersOnce.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { finish } from '../../../src/core/kit/finish.ts';
import { plainFiles } from '../../../src/store/journal/plainFiles.ts';
import { SavedStateGone } from '../../../src/store/journal/problem.ts';
import { gateText } from '../../../src/tools/kit/texts.ts';
import { toolGuide } from '../../../src/core/kit/guide.ts';
import { agent } from '../../support/store/people.ts';
import { savedBy } from '../../support/store/savedState.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

const queries = [
  { files: ['src/auth/login.ts'] },
  { files: ['docs/readme.md'] },
  { work: 'T1' },
  { work: 'T1', files: ['docs/readme.md'], session: { agent: agent().actor.id } },
  { session: 'unknown' },
] as const;

/** What an agent reads: verdicts, and the texts of the questions and RFCs that hold. */
function answersOf(workspace: Workspace): string[] {
  return queries.map((query) => gateText(askGate(workspace, query), { guide: toolGuide, asked: 'all' }));
}

const answersFrom = (sandbox: Sandbox) => answersOf(sandbox.open());
const answersInParts = (sandbox: Sandbox) =>
  withSavedParts((lazyFrom) => Promise.resolve().then(() => answersOf(sandbox.open({ lazyFrom }))));

function savedFile(sandbox: Sandbox): string {
  const folder = sandbox.at('ws', '.holdpoint');
  const [name = ''] = fs.readdirSync(folder).filter((one) => /^holdpoint-.*\.json$/.test(one));
  return `${folder}/${name}`;
}

/** Counts the bytes that are read of saved states. */
function counting() {
  let bytes = 0;
  const own = new Set<number>();
  const files = Object.assign(Object.create(plainFiles) as typeof plainFiles, {
    openSync(file: fs.PathLike, flags: fs.OpenMode, mode?: fs.Mode | null) {
      const descriptor = plainFiles.openSync(file, flags, mode);
      if (/holdpoint-\d.*\.json$/.test(String(file))) own.add(descriptor);
      else own.delete(descriptor);
      return descriptor;
    },
    readSync(...given: Parameters<typeof plainFiles.readSync>) {
      const read = plainFiles.readSync(...given);
      if (own.has(given[0])) bytes += read;
      return read;
    },
    readFileSync: ((file: string, ...rest: []) => {
      assert.doesNotMatch(file, /holdpoint-\d.*\.json$/, 'the file is read as a whole');
      return plainFiles.readFileSync(file, ...rest);
    }) as typeof fs.readFileSync,
  });
  return { files, bytes: () => bytes };
}

describe('of the saved state, a gate', () => {
  afterEach(removeSandboxes);

  const saved = async () => (await savedBy()).sandbox;

  /**
   * More questions than the last line of a small state has room for.
   * @param more what each of them is besides
   */
  async function large(more: Partial<RaiseInput> = { mode: 'async' }): Promise<Sandbox> {
    const { sandbox } = await savedBy();
    const store = await sandbox.open().store();
    const background = 'Because the old keys are in the history of the repository. '.repeat(100);
    for (let number = 0; number < 300; number++)
      await raiseQuestion(store, agent(), {
        ...{
          type: 'approval',
          urgency: 'medium',
          mode: 'sync',
          work: null,
          text: `May area ${String(number)} change?`,
          background,
        },
        ...more,
      });
    finish(store.saving(1)!);
    sandbox.close();
    return sandbox;
  }

  it('reads the last line, and not the texts of questions that do not matter', async () => {
    const sandbox = await large();
    const { size } = fs.statSync(savedFile(sandbox));
    assert.ok(size > 1_500_000, String(size));
    const { files, bytes } = counting();
    const workspace = sandbox.open({ fs: files, lazyFrom: 0 });
    assert.equal(askGate(workspace, { files: ['docs/readme.md'] }).verdict, 'allow');
    assert.equal(askGate(workspace, { files: ['src/auth/login.ts'] }).verdict, 'deny');
    assert.ok(bytes() > 0 && bytes() <= 2 ** 20, String(bytes()));
    const before = bytes();
    assert.match(answersOf(workspace).join(), /Rotate the keys\?/);
    assert.ok(bytes() > before + 6_000, 'the texts are read for an answer that has them');
  });

  it('reads the texts of those questions that its answer names, of hundreds that hold', async () => {
    const sandbox = await large({ holds: ['lib'] });
    const { files, bytes } = counting();
    const workspace = sandbox.open({ fs: files, lazyFrom: 0 });
    const answer = askGate(workspace, { files: ['lib/a.ts'] });
    assert.equal(answer.reasons.length, 300);
    const before = bytes();
    assert.match(gateText(answer, { guide: toolGuide, asked: 'all' }), /May area 4 change\?.*\nAnd 295 more hold it/);
    // Sixteen questions of six thousand bytes are read together.
    assert.ok(bytes() > before && bytes() < before + 2 * 16 * 6_500, String(bytes() - before));
  });

  it('answers as from all of it, wherever a byte was changed or the file was cut', async () => {
    const sandbox = await saved();
    const expected = answersFrom(sandbox);
    assert.match(expected.join(), /Rotate the keys\?/);
    assert.deepEqual(await answersInParts(sandbox), expected);
    const file = savedFile(sandbox);
    const before = fs.readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(before.length - 1), fc.constantFrom('changed', 'cut', 'inserted'), async (at, how) => {
        const after = {
          changed: () => Buffer.concat([before.subarray(0, at), Buffer.from('7'), before.subarray(at + 1)]),
          cut: () => before.subarray(0, at),
          inserted: () => Buffer.concat([before.subarray(0, at), Buffer.from('\n'), before.subarray(at)]),
        }[how]();
        fs.writeFileSync(file, after);
        assert.deepEqual(await answersInParts(sandbox), expected);
        assert.deepEqual(answersFrom(sandbox), expected);
        sandbox.close();
      }),
      { numRuns: 150 },
    );
  });

  it('answers also where the file is removed while it answers', async () => {
    const sandbox = await saved();
    const expected = answersFrom(sandbox);
    const workspace = sandbox.open({ lazyFrom: 0 });
    assert.equal(workspace.standing().problem, null);
    fs.rmSync(savedFile(sandbox));
    assert.deepEqual(answersOf(workspace), expected);
  });

  it('answers from the journal where the file is overwritten while it answers', async () => {
    const sandbox = await saved();
    const expected = answersFrom(sandbox);
    const workspace = sandbox.open({ lazyFrom: 0 });
    assert.equal(workspace.standing().problem, null);
    fs.writeFileSync(savedFile(sandbox), 'something else');
    const tried: number[] = [];
    const answers = await withSavedParts((lazyFrom) => {
      tried.push(lazyFrom);
      return Promise.resolve().then(() => answersOf(lazyFrom === 0 ? workspace : sandbox.open()));
    });
    assert.deepEqual([answers, tried], [expected, [0, Infinity]]);
    assert.deepEqual(answersOf(workspace), expected, 'a program that goes on reads the journal, too');
    assert.deepEqual(await answersInParts(sandbox), expected, 'without a saved state');
  });

  it('is not taken for a damaged journal where a part that lines need was changed', async () => {
    const sandbox = await saved();
    const file = savedFile(sandbox);
    // Lines after the saved state, which need the part that checks further records.
    const kept = fs.readFileSync(file);
    const anchored = fs.readFileSync(sandbox.open().stateFile.path);
    const store = await sandbox.open().store();
    const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
    await raiseQuestion(store, agent(), { ...asked, text: 'Delete the backups?', holds: ['backups/**'] });
    const { path: anchorFile } = sandbox.open().stateFile;
    sandbox.close();
    fs.writeFileSync(file, kept);
    fs.writeFileSync(anchorFile, anchored);
    const expected = answersFrom(sandbox);
    assert.deepEqual(await answersInParts(sandbox), expected);
    const last = kept.lastIndexOf('\n');
    fs.writeFileSync(file, Buffer.concat([Buffer.alloc(last, 'X'), kept.subarray(last)]));
    const workspace = sandbox.open({ lazyFrom: 0 });
    assert.throws(() => workspace.standing(), SavedStateGone);
    sandbox.close();
    assert.deepEqual(await answersInParts(sandbox), expected);
    assert.equal(askGate(sandbox.open(), { files: ['backups/a'] }).verdict, 'deny');
  });
});
