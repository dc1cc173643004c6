/** A store stays known when the path that led to it leads to another folder: nothing held becomes free that way. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { diagnose, recover, shownDiagnosis } from '../../../src/app/recovery/recovery.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { agent, enrolledHuman, type Human } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Selection } from '../../../src/ui/answer/queue.ts';
import '../../support/editorApi.ts';
import { windowWith } from '../../support/store/window.ts';

const question = {
  ...({ type: 'clarification', urgency: 'medium', mode: 'sync', work: null } as const),
  holds: ['src'],
};

async function hold(workspace: Workspace, text = 'Which way?'): Promise<void> {
  const store = await workspace.store();
  const { worktree } = workspace;
  await raiseQuestion(store, agent('codex-001', { worktree }), { ...question, text });
}

/** A store with a question that holds `src`. */
async function held(): Promise<Sandbox> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  await hold(workspace);
  workspace.close();
  return sandbox;
}

async function startOver(workspace: Workspace, human: Human): Promise<void> {
  const shown = diagnose(workspace, null);
  assert.ok(shown && !('why' in shown.startAnew));
  await recover(workspace, human, { way: 'startAnew', shown: shownDiagnosis(shown), copyFile: null });
}

const verdict = (workspace: Workspace) => {
  const { state, problem } = askGate(workspace, { files: ['src/a.ts'] });
  return problem === null ? state : problem.code;
};

describe('a folder that was deleted and made again', () => {
  afterEach(removeSandboxes);

  it('says exactly that, stays UNKNOWN, and starts over by one signed act', async () => {
    const sandbox = await held();
    fs.rmSync(sandbox.folder, { recursive: true });
    fs.mkdirSync(sandbox.folder);
    const workspace = sandbox.open();
    const { problem, state } = askGate(workspace, { files: ['src/a.ts'] });
    assert.deepEqual([problem?.code, state], ['recreated', 'UNKNOWN']);
    assert.match(problem?.message ?? '', /made again after its journal was last used.* fresh clone, start over/);
    const human = enrolledHuman(workspace);
    await startOver(workspace, human);
    sandbox.close();
    assert.equal(verdict(sandbox.open()), 'CLEAR');
  });

  it('is not claimed where only the journal was deleted', async () => {
    const sandbox = await held();
    fs.rmSync(sandbox.at('ws', '.holdpoint'), { recursive: true });
    assert.equal(verdict(sandbox.open()), 'missing');
  });
});

describe('a workspace that was moved', () => {
  afterEach(removeSandboxes);

  function moveAndLink(sandbox: Sandbox): string {
    const moved = sandbox.at('moved');
    fs.renameSync(sandbox.folder, moved);
    fs.symlinkSync(moved, sandbox.folder);
    return moved;
  }

  it('and linked back keeps its holds', async () => {
    const sandbox = await held();
    moveAndLink(sandbox);
    assert.equal(verdict(sandbox.open()), 'BLOCKED');
  });

  it('goes on at its new place, without a decision', async () => {
    const sandbox = await held();
    const moved = moveAndLink(sandbox);
    for (const folder of [sandbox.folder, moved]) {
      await hold(sandbox.open({ folder }), `And in ${folder}?`);
      sandbox.close();
      for (const other of [sandbox.folder, moved]) assert.equal(verdict(sandbox.open({ folder: other })), 'BLOCKED');
      sandbox.close();
    }
  });

  it('and linked back without its journal is UNKNOWN, and says why', async () => {
    const sandbox = await held();
    const moved = moveAndLink(sandbox);
    fs.rmSync(path.join(moved, '.holdpoint'), { recursive: true });
    const places = [sandbox.folder, path.join(sandbox.folder, 'src'), moved, path.join(moved, 'src')];
    for (const place of places) {
      fs.mkdirSync(place, { recursive: true });
      const workspace = sandbox.open({ folder: place });
      assert.equal(verdict(workspace), 'moved');
      assert.match(
        workspace.standing().problem?.message ?? '',
        /ws leads to \S+moved now\. Its journal is not the one/,
      );
    }
  });

  it('under a parent that was renamed and linked back is UNKNOWN without its journal', async () => {
    const sandbox = makeSandbox();
    const folder = sandbox.at('all', 'ws');
    fs.mkdirSync(folder, { recursive: true });
    await hold(sandbox.open({ folder }));
    sandbox.close();
    fs.renameSync(sandbox.at('all'), sandbox.at('all2'));
    fs.symlinkSync(sandbox.at('all2'), sandbox.at('all'));
    fs.rmSync(sandbox.at('all2', 'ws', '.holdpoint'), { recursive: true });
    for (const place of [folder, sandbox.at('all2', 'ws')])
      assert.equal(verdict(sandbox.open({ folder: place })), 'moved', place);
  });

  it('in favour of a link to another store is UNKNOWN', async () => {
    const sandbox = await held();
    const other = sandbox.at('other');
    fs.mkdirSync(other);
    const workspace = sandbox.open({ folder: other });
    await raiseQuestion(await workspace.store(), agent(), { ...question, holds: ['lib'], text: 'Elsewhere?' });
    sandbox.close();
    fs.renameSync(sandbox.folder, sandbox.at('moved'));
    fs.symlinkSync(other, sandbox.folder);
    assert.equal(verdict(sandbox.open()), 'moved');
    assert.equal(verdict(sandbox.open({ folder: other })), 'CLEAR');
  });

  it('in favour of a link to an earlier copy of its store is UNKNOWN', async () => {
    const sandbox = makeSandbox();
    await raiseQuestion(await sandbox.open().store(), agent(), { ...question, holds: ['lib'], text: 'First?' });
    sandbox.close();
    const copy = sandbox.at('copy');
    fs.cpSync(sandbox.folder, copy, { recursive: true });
    await sandbox.open({ folder: copy }).store();
    sandbox.close();
    await hold(sandbox.open());
    sandbox.close();
    fs.renameSync(sandbox.folder, sandbox.at('moved'));
    fs.symlinkSync(copy, sandbox.folder);
    assert.equal(verdict(sandbox.open()), 'shorter');
  });

  it('can be started over by a human, once', async () => {
    const sandbox = await held();
    const moved = moveAndLink(sandbox);
    fs.rmSync(path.join(moved, '.holdpoint'), { recursive: true });
    const workspace = sandbox.open();
    const human = enrolledHuman(workspace);
    await startOver(workspace, human);
    sandbox.close();
    assert.equal(verdict(sandbox.open()), 'CLEAR');
    await hold(sandbox.open());
    sandbox.close();
    assert.equal(verdict(sandbox.open()), 'BLOCKED');
  });
});

describe('a linked worktree that was replaced', () => {
  afterEach(removeSandboxes);

  function git(folder: string, ...args: string[]): void {
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  }

  async function withWorktree(): Promise<{ sandbox: Sandbox; linked: string }> {
    const sandbox = makeSandbox();
    git(sandbox.folder, 'init', '-q');
    git(sandbox.folder, 'commit', '-q', '--allow-empty', '-m', 'Start');
    const linked = sandbox.at('linked');
    git(sandbox.folder, 'worktree', 'add', '-q', linked);
    await hold(sandbox.open({ folder: linked }));
    sandbox.close();
    assert.equal(verdict(sandbox.open({ folder: linked })), 'BLOCKED');
    sandbox.close();
    return { sandbox, linked };
  }

  it('by a copy without .git is UNKNOWN', async () => {
    const { sandbox, linked } = await withWorktree();
    const aside = sandbox.at('aside');
    fs.renameSync(linked, aside);
    fs.cpSync(aside, linked, { recursive: true, filter: (file) => path.basename(file) !== '.git' });
    const workspace = sandbox.open({ folder: linked });
    assert.equal(verdict(workspace), 'moved');
    assert.match(
      workspace.standing().problem?.what ?? '',
      /linked was a worktree of \S+ws, and is another folder now\./,
    );
  });

  it('by a worktree of the same repository keeps its holds', async () => {
    const { sandbox, linked } = await withWorktree();
    fs.renameSync(linked, sandbox.at('aside'));
    git(sandbox.folder, 'worktree', 'prune');
    git(sandbox.folder, 'worktree', 'add', '-q', '-f', linked, 'HEAD');
    assert.equal(verdict(sandbox.open({ folder: linked })), 'BLOCKED');
  });
});

/** Several damaged stores in one window: each has its recovery options, which its row opens. On real stores. */
const { currentForm } = await import('../../../src/vscode/answer/formSurface.ts');

const { createSelection } = await import('../../../src/ui/answer/queue.ts');

const { openKeys } = await import('../../../src/vscode/kit/keys.ts');

const { formKey } = await import('../../../src/ui/surface/workspaceForms.ts');

const { listRow } = await import('../../../src/ui/tree/items.ts');

type Options = Parameters<typeof currentForm>[0];

async function store(isDamaged: boolean): Promise<Workspace> {
  const sandbox = makeSandbox();
  const before = sandbox.open();
  enrolledHuman(before);
  for (const id of ['T1', 'T2', 'T3'])
    await registerWork(await before.store(), agent(), { id, workKind: 'task', title: `Title of ${id}` });
  before.close();
  if (isDamaged) {
    const bytes = fs.readFileSync(sandbox.journal);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    fs.writeFileSync(sandbox.journal, bytes);
  }
  return sandbox.open();
}

/** A sound store, and two damaged ones. */
async function setting() {
  const workspaces = [await store(false), await store(true), await store(true)];
  const folders = windowWith(workspaces);
  const selection: Selection = createSelection(folders);
  const nothing = { get: () => Promise.resolve(undefined), store: () => Promise.resolve() };
  const options: Pick<Options, 'folders' | 'keys' | 'copies' | 'selection'> = {
    ...{ folders, selection, keys: openKeys(nothing) },
    copies: { fileFor: ({ location }) => `${location.root}.copy.jsonl`, dispose: () => undefined },
  };
  const shownFolder = async () => {
    const form = await currentForm(options as Options, 'r');
    return 'key' in form ? folders.find(form.key)?.folder : undefined;
  };
  return { folders, selection, shownFolder };
}

describe('two damaged stores in one window', () => {
  afterEach(removeSandboxes);

  it('are both unreadable', async () => {
    const { folders } = await setting();
    assert.deepEqual(
      folders.all.map(({ workspace }) => workspace.standing().problem === null),
      [true, false, false],
    );
  });

  it('show the first one’s options, unless another is selected', async () => {
    const { folders, selection, shownFolder } = await setting();
    const [, first, second] = folders.all;
    assert.equal(await shownFolder(), first);
    selection.select(formKey(folders, second!, 'journal'));
    assert.equal(await shownFolder(), second);
    selection.select(formKey(folders, first!, 'journal'));
    assert.equal(await shownFolder(), first);
  });

  it('keep the selected one’s options while the view is hidden', async () => {
    const { folders, selection, shownFolder } = await setting();
    const second = folders.all[2]!;
    selection.select(formKey(folders, second, 'journal'));
    selection.hide();
    assert.equal(await shownFolder(), second);
  });

  it('are each named by the command of their row', async () => {
    const { folders } = await setting();
    for (const folder of folders.all.slice(1)) {
      const row = listRow(folders, { kind: 'unknown', folder, title: 'UNKNOWN', message: '' });
      const [key] = row.command?.arguments as [string];
      assert.equal(folders.find(key)?.folder, folder);
    }
  });
});
