/** Recovery of a damaged journal with a key on the person's side: through the whole of both sides but VS Code. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { updateCopy } from '../../../src/app/recovery/editorsCopy.ts';
import { diagnose, recover, shownDiagnosis } from '../../../src/app/recovery/recovery.ts';
import type { WayOut } from '../../../src/app/recovery/recovery.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { readByHand } from '../../support/store/handwriting.ts';
import { agent } from '../../support/store/people.ts';
import { openPersonsSide } from '../../support/store/personsSide.ts';
import type { PersonsSide } from '../../support/store/personsSide.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

interface Damaged {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly copyFile: string;
  readonly ada: PersonsSide;
}

/** One act after the copy, and a flipped bit in the line of the second work item. */
async function damaged(agrees?: () => Promise<boolean>): Promise<Damaged> {
  const sandbox = makeSandbox();
  const before = sandbox.open();
  const ada = await openPersonsSide(before, agrees);
  const store = await before.store();
  const copyFile = sandbox.at('editor', 'copy.jsonl');
  for (const id of ['T1', 'T2']) await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
  const asked = { type: 'decision', urgency: 'high', mode: 'sync', text: 'JWT?', work: 'T1' } as const;
  await raiseQuestion(store, agent(), asked);
  updateCopy(before, copyFile);
  await registerWork(store, agent(), { id: 'T3', workKind: 'task', title: 'Title of T3' });
  before.close();
  const bytes = fs.readFileSync(sandbox.journal);
  bytes[(readByHand(bytes).lines[2]?.at ?? 0) + 200]! ^= 1;
  fs.writeFileSync(sandbox.journal, bytes);
  return { sandbox, workspace: sandbox.open(), copyFile, ada };
}

function take({ workspace, copyFile, ada }: Damaged, way: WayOut): Promise<boolean> {
  const diagnosis = diagnose(workspace, copyFile);
  assert.ok(diagnosis);
  return recover(workspace, ada.recoverer, { way, shown: shownDiagnosis(diagnosis), copyFile });
}

function textsOf({ title, rows }: PersonsSide['seen'][number]): string {
  return [title, ...rows.map(({ label, text }) => `${label}: ${text}`)].join('\n');
}

describe('a recovery on the person’s side', () => {
  afterEach(removeSandboxes);

  const ways: readonly [WayOut, string, readonly RegExp[], number][] = [
    [
      'restore',
      'journal.restored',
      [
        /^Restore the editor’s copy/,
        /made is lost/,
        /Lost acts: not known/,
        /Acts in the copy: 4/,
        /2026-\d\d-\d\d .* UTC/,
      ],
      1,
    ],
    ['setAside', 'journal.lineSetAside', [/^Continue without a damaged line/, /Bytes: \d+ to \d+/], 1],
    ['startAnew', 'journal.startedAnew', [/^Start over/, /everything held is released/, /Workspace before: /], 0],
  ];
  for (const [way, kind, shows, open] of ways)
    it(`shows the diagnosis, and counts: ${kind}`, async () => {
      const setting = await damaged();
      const { ada, sandbox } = setting;
      assert.equal(await take(setting, way), true);
      const [seen, ...more] = ada.seen;
      assert.ok(seen);
      assert.deepEqual([seen.kind, more.length], [kind, 0]);
      for (const text of [...shows, /What is wrong: /, /The remote machine says this/])
        assert.match(textsOf(seen), text);
      const workspace = sandbox.open();
      const { rows } = (await workspace.store()).read();
      assert.equal(workspace.standing().problem, null);
      const acts = rows.all(rows.query.selectFrom('decisions').selectAll().where('subject', '=', 'journal'));
      assert.deepEqual(
        acts.map((act) => [act.action, act.decided_by, act.keyid]),
        [[kind, 'Ada', ada.pin.keyid]],
      );
      assert.equal(workspace.standing().state?.questions.size, open);
    });

  for (const [way] of ways)
    it(`changes nothing if its person does not sign: ${way}`, async () => {
      const setting = await damaged(() => Promise.resolve(false));
      const before = fs.readFileSync(setting.sandbox.journal);
      assert.equal(await take(setting, way), false);
      assert.deepEqual(fs.readFileSync(setting.sandbox.journal), before);
      assert.equal(setting.workspace.standing().problem?.code, 'damaged');
    });

  for (const [way] of ways)
    it(`changes nothing if another window recovers while its person reads: ${way}`, async () => {
      let recovered: Buffer | undefined;
      let isFirst = true;
      const setting: Damaged = await damaged(async () => {
        if (!isFirst) return true;
        isFirst = false;
        const other = await openPersonsSide(setting.sandbox.open());
        await take({ ...setting, workspace: setting.sandbox.open(), ada: other }, 'restore');
        recovered = fs.readFileSync(setting.sandbox.journal);
        return true;
      });
      await assert.rejects(take(setting, way), { code: 'conflict' });
      assert.deepEqual(fs.readFileSync(setting.sandbox.journal), recovered);
    });
});
