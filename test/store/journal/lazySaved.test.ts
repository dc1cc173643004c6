/** A store reads of a large saved state and database what it needs, and goes on from the journal when they change. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { finish } from '../../../src/core/kit/finish.ts';
import { plainFiles } from '../../../src/store/journal/plainFiles.ts';
import { SavedStateGone } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { dump } from '../../support/store/dump.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

const many = 3_000;
const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: null } as const;

/** A saved state and a database of several megabytes. */
async function large(): Promise<Sandbox> {
  const sandbox = makeSandbox();
  const store = await sandbox.open().store();
  const background = 'Because the old keys are in the history of the repository. '.repeat(30);
  for (let number = 1; number <= many; number += 100) {
    const session = agent(`copilot-${String(number)}`);
    const each = Array.from({ length: 100 }, (_, more) => number + more);
    await Promise.all(
      each.map((one) =>
        raiseQuestion(store, session, {
          ...asked,
          background,
          text: `May area ${String(one)} change?`,
          holds: [`area-${String(one)}/**`],
        }),
      ),
    );
  }
  finish(store.saving(1)!);
  sandbox.close();
  for (const ending of ['.json', '.sqlite']) assert.ok(fs.statSync(saved(sandbox, ending)).size > 5 * 2 ** 20, ending);
  return sandbox;
}

function saved(sandbox: Sandbox, ending: string): string {
  const folder = sandbox.at('ws', '.holdpoint');
  return `${folder}/${fs.readdirSync(folder).find((name) => name.endsWith(ending)) ?? ''}`;
}

/** Changes a byte in each block. */
function damage(file: string): void {
  const bytes = fs.readFileSync(file);
  const last = bytes.lastIndexOf('\n');
  const to = file.endsWith('.json') ? last : bytes.length;
  for (let at = 200; at < to; at += 16 * 1024) bytes[at] = (bytes[at] ?? 0) ^ 1;
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, bytes);
  fs.closeSync(descriptor);
}

const texts = ({ rows }: ReturnType<Store['read']>) =>
  rows.all<{ id: string }>('SELECT id, question_text FROM questions ORDER BY id');

describe('a large saved state', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await large();
  });
  after(removeSandboxes);
  afterEach(() => {
    sandbox.close();
  });

  /** What is read of saved files: bytes, which are open, and how often one was opened. */
  function counting() {
    const own = new Set<number>();
    let bytes = 0;
    let openings = 0;
    const files = Object.assign(Object.create(plainFiles) as typeof plainFiles, {
      openSync(file: fs.PathLike, flags: fs.OpenMode, mode?: fs.Mode | null) {
        const descriptor = plainFiles.openSync(file, flags, mode);
        const isSaved = /holdpoint-\d.*\.(json|sqlite)$/.test(String(file));
        if (isSaved) {
          openings++;
          own.add(descriptor);
        } else own.delete(descriptor);
        return descriptor;
      },
      closeSync(descriptor: number) {
        own.delete(descriptor);
        plainFiles.closeSync(descriptor);
      },
      readSync(...given: Parameters<typeof plainFiles.readSync>) {
        const read = plainFiles.readSync(...given);
        if (own.has(given[0])) bytes += read;
        return read;
      },
    });
    return { files, bytes: () => bytes, open: () => own.size, openings: () => openings };
  }

  it('is read as far as an act needs it', async () => {
    const { files, bytes, open } = counting();
    const workspace = sandbox.open({ fs: files, mayWrite: () => false });
    const store = await workspace.store();
    const { state, rows } = store.read();
    assert.equal(state.questions.size, many);
    assert.equal(state.questions.get('Q-1234')?.raised.text, 'May area 1234 change?');
    const row = rows.all<{ question_text: string }>(`SELECT question_text FROM questions WHERE id = 'Q-2345'`)[0];
    assert.equal(row?.question_text, 'May area 2345 change?');
    assert.equal(askGate(workspace, { files: ['area-77/x.ts'] }).verdict, 'deny');
    assert.equal(askGate(workspace, { files: ['elsewhere/x.ts'] }).verdict, 'allow');
    const whole = fs.statSync(saved(sandbox, '.json')).size;
    assert.ok(bytes() > 0 && bytes() < whole / 8, `${String(bytes())} of ${String(whole)}`);
    workspace.close();
    assert.equal(open(), 1, 'views may still be drawn from the state');
    assert.equal(state.questions.get('Q-2999')?.raised.text, 'May area 2999 change?');
  });

  it('is the state that the journal has, and so are its rows', async () => {
    const lazily = await sandbox.open({ mayWrite: () => false }).store();
    const before = dump(lazily.read());
    sandbox.close();
    const replayed = await sandbox.open({ mayWrite: () => false, lazyFrom: Infinity }).store();
    assert.deepEqual(before, dump(replayed.read()));
  });

  it('can be removed while it is in use', async () => {
    const store = await sandbox.open({ mayWrite: () => false }).store();
    const file = saved(sandbox, '.sqlite');
    fs.renameSync(file, `${file}.moved`);
    assert.equal(texts(store.read()).length, many);
    fs.renameSync(`${file}.moved`, file);
  });

  it('whose .json file is changed under a store: one reading fails, and the next is from the journal', async () => {
    const file = saved(sandbox, '.json');
    const kept = fs.readFileSync(file);
    const store = await sandbox.open({ mayWrite: () => false }).store();
    const view = store.read();
    damage(file);
    try {
      assert.throws(() => [...view.state.questions.values()], SavedStateGone);
      assert.equal(texts(store.read()).length, many);
      assert.equal([...store.read().state.questions.values()].length, many);
    } finally {
      sandbox.close();
      fs.writeFileSync(file, kept);
    }
  });

  for (const ending of ['.sqlite', '.json'] as const)
    it(`whose ${ending} file is damaged makes a program read the journal once, not each time it reads the state`, async () => {
      const file = saved(sandbox, ending);
      const kept = fs.readFileSync(file);
      damage(file);
      try {
        const { files, openings } = counting();
        const workspace = sandbox.open({ fs: files, mayWrite: () => false });
        assert.ok(workspace.standing().state);
        const store = await workspace.store();
        const before = openings();
        for (let reading = 0; reading < 3; reading++) {
          assert.equal(texts(store.read()).length, many);
          assert.equal(workspace.standing().problem, null);
        }
        assert.ok(before > 0);
        assert.equal(openings() - before, 0);
      } finally {
        sandbox.close();
        fs.writeFileSync(file, kept);
      }
    });

  it('that is changed under a store does not fail an act', async () => {
    const file = saved(sandbox, '.json');
    const base = saved(sandbox, '.sqlite');
    const store = await sandbox.open().store();
    damage(file);
    damage(base);
    // A text that is in the saved state: a new one would read nothing of it.
    const again = { ...asked, text: 'May area 17 change?' };
    const { question } = await raiseQuestion(store, agent('copilot-900'), again);
    assert.equal(question.id, `Q-${String(many + 1)}`);
    assert.equal(texts(store.read()).length, many + 1);
    sandbox.close();
    const next = await sandbox.open({ mayWrite: () => false }).store();
    assert.equal(texts(next.read()).length, many + 1, 'the next program starts from a good one');
    sandbox.close();
  });
});
