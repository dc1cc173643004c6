/**
 * A human widens a hold to every file and narrows it again, on a real store and through every interface that shows it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { attestAll, writeAttestations } from '../../../src/app/audit/attestations.ts';
import { auditBytes } from '../../../src/app/audit/audit.ts';
import { journalBytes } from '../../../src/app/audit/savedState.ts';
import { briefingOf } from '../../../src/app/memory/briefing.ts';
import { exported } from '../../support/store/exported.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { importReport, preparedImport, runImport } from '../../../src/app/transfer/importing.ts';
import { mirror } from '../../../src/app/mirrors/mirrors.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { rfcView } from '../../../src/app/rfc/views.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { wideningsOf } from '../../../src/ui/surface/heldFiles.ts';
import { main } from '../../../src/cli/program.ts';
import { briefingText } from '../../../src/core/memory/briefingText.ts';
import { readResource } from '../../../src/mcp/resources.ts';
import { formatState } from '../../../src/store/saved/snapshot.ts';
import { checkGate } from '../../../src/tools/work/work.ts';
import { getRfc } from '../../../src/tools/rfc/operations.ts';
import { listQuestions } from '../../../src/tools/question/waiting.ts';
import { raiseQuestion as raiseTool } from '../../../src/tools/question/asking.ts';
import { runOperation, type Operation } from '../../../src/tools/kit/operation.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { agent, enrolledHuman, holdFiles, type Human } from '../../support/store/people.ts';
import { attestedBy, checkedInCi } from '../../support/store/repository.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { locally } from '../../support/store/locally.ts';

interface Setting {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly human: Human;
}

/** Q-1 holds `src/auth`, RFC-1 holds `src/outbox`. */
async function setting(sandbox = makeSandbox()): Promise<Setting> {
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  const store = await workspace.store();
  for (const id of ['T1', 'T2']) await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}` });
  await raiseQuestion(store, agent(), {
    ...{ type: 'clarification', urgency: 'medium', mode: 'sync' },
    ...{ text: 'JWT or sessions?', work: 'T1', holds: ['src/auth'] },
  });
  await proposeRfc(store, agent(), {
    ...{ title: 'Outbox', workflows: [], tasks: ['T2'], holds: ['src/outbox'], contexts: [], submit: true },
  });
  return { sandbox, workspace, human };
}

const verdictOn = (workspace: Workspace, file = 'docs/readme.md') => askGate(workspace, { files: [file] }).verdict;

describe('every file of a store', () => {
  afterEach(removeSandboxes);

  for (const id of ['Q-1', 'RFC-1'])
    it(`is held by ${id} once a human widens it, also in running programs, and released when narrowed`, async () => {
      const { sandbox, workspace, human } = await setting();
      const other = sandbox.open();
      assert.equal(verdictOn(other), 'allow');
      assert.equal(await holdFiles(workspace, human, id, 'all'), 'decided');
      assert.equal(verdictOn(other), 'deny');
      assert.equal(verdictOn(sandbox.open({ wasm: () => assert.fail('the gate needs no database') })), 'deny');
      assert.equal(await holdFiles(workspace, human, id, 'all'), 'already');
      assert.equal(await holdFiles(workspace, human, id, 'named'), 'decided');
      assert.equal(await holdFiles(workspace, human, id, 'named'), 'already');
      assert.equal(verdictOn(other), 'allow');
      assert.equal(verdictOn(other, id === 'Q-1' ? 'src/auth/a.ts' : 'src/outbox/a.ts'), 'deny');
      assert.deepEqual(
        wideningsOf((await workspace.store()).read(), id).map(({ how, by }) => [how, by]),
        [
          ['all', 'Ada'],
          ['named', 'Ada'],
        ],
      );
    });
  it('is restored from a saved state', async () => {
    const { sandbox, workspace, human } = await setting();
    await holdFiles(workspace, human, 'Q-1', 'all');
    await holdFiles(workspace, human, 'RFC-1', 'all');
    const store = await workspace.store();
    const before = store.read().state;
    store.save();
    assert.ok(formatState(before).toString().includes('"widened"'));
    workspace.close();
    const again = sandbox.open();
    const { reasons } = askGate(again, { files: ['docs/readme.md'] });
    assert.deepEqual(
      reasons.map(({ holder }) => [holder?.id, holder?.widened?.by]),
      [
        ['Q-1', 'Ada'],
        ['RFC-1', 'Ada'],
      ],
    );
  });

  describe('is shown', () => {
    let made: Setting;
    beforeEach(async () => {
      made = await setting();
      await holdFiles(made.workspace, made.human, 'Q-1', 'all');
    });
    const call = (tool: Operation, input: object) =>
      runOperation(
        tool,
        { workspace: made.workspace, session: agent('other-001'), signal: new AbortController().signal, waitMs: 0 },
        input,
      );

    it('by the gate', async () => {
      const { status, text, data } = await call(checkGate, { files: ['docs/readme.md'] });
      assert.equal(status, 'denied');
      assert.match(
        text,
        /^Denied: docs\/readme\.md is held by Q-1 "JWT or sessions\?" \(sync, waiting for a human\)\. Ada, a human, holds every file of this workspace with it\. Call/,
      );
      assert.deepEqual((data['reasons'] as { all_files: unknown }[])[0]?.all_files, {
        by: 'Ada',
        at: '2026-03-02T09:00:00.000Z',
      });
    });

    it('by lists of questions and RFCs', async () => {
      const question = await call(listQuestions, { id: 'Q-1' });
      assert.match(
        question.text,
        /do not edit any file of this workspace \(Ada holds them all, since 2026-03-02 09:00 UTC\)/,
      );
      await holdFiles(made.workspace, made.human, 'RFC-1', 'all');
      const rfc = await call(getRfc, { id: 'RFC-1' });
      assert.match(rfc.text, /do not edit any file of this workspace \(Ada holds them all/);
      const view = (await made.workspace.store()).read();
      assert.deepEqual(questionView(view, 'Q-1')?.holds, ['**']);
      assert.deepEqual(rfcView(view, 'RFC-1')?.all_files?.by, 'Ada');
    });

    it('by the briefing', async () => {
      const { briefing } = briefingOf(made.workspace, (await made.workspace.store()).read(), {
        focus: 'docs/readme.md',
      });
      assert.match(
        briefingText(briefing),
        /- Q-1 "JWT or sessions\?" waits for a human \(copilot-001, holds 1 work item, Ada widened it to every file, holds the focus\)/,
      );
    });

    it('by the server’s list of holds', async () => {
      const { holds } = (await readResource(made.workspace, 'holdpoint://holds')) as {
        holds: { id: string; files: string[]; all_files: { by: string } | null }[];
      };
      assert.deepEqual(
        holds.map(({ id, files, all_files }) => [id, files, all_files?.by]),
        [
          ['Q-1', ['**'], 'Ada'],
          ['RFC-1', ['src/outbox'], undefined],
        ],
      );
    });

    it('by mirrors', async () => {
      await mirror(made.workspace);
      const text = fs.readFileSync(made.sandbox.at('ws', '.holdpoint', 'questions', 'Q-1.md'), 'utf8');
      assert.match(
        text,
        /## Holds\n\n- Title of T1 \(T1\)\n- All files of this workspace, by Ada since 2026-03-02T09:00/,
      );
      assert.doesNotMatch(text, /src\/auth/);
    });

    it('by the audit', () => {
      const { entries } = auditBytes(journalBytes(made.workspace), made.workspace.pins());
      const { mark, kind, subject, who, work } = entries.at(-1)!;
      assert.deepEqual([mark, kind, subject, who, work], ['verified', 'hold.widened', 'Q-1', 'Ada', ['T1']]);
    });

    it('to an agent that asks for it: only a human can', async () => {
      const { status, text } = await call(raiseTool, { text: 'May I?', type: 'decision', holds: ['**'] });
      assert.equal(status, 'error');
      assert.match(text, /Only a human can hold everything, in Holdpoint’s form of the question or RFC/);
    });
  });

  it('is attested, but decides nothing for CI', async () => {
    const { workspace, human } = await setting();
    await holdFiles(workspace, human, 'Q-1', 'all');
    await holdFiles(workspace, human, 'Q-1', 'named');
    await holdFiles(workspace, human, 'RFC-1', 'all');
    const trust = createTrust(workspace.pins);
    writeAttestations(workspace, attestAll(workspace, trust));
    const { attestations, bad } = attestedBy(workspace);
    assert.deepEqual(bad, []);
    assert.deepEqual(attestations.map(({ record }) => record.kind).sort(), [
      'hold.narrowed',
      'hold.widened',
      'hold.widened',
    ]);
    assert.ok(attestations.every(({ shown }) => shown !== null));
    const { items } = checkedInCi({ attestations, bad }, { names: ['Q-1'] });
    assert.deepEqual([items[0]?.id, items[0]?.outcome], ['Q-1', 'undecided']);
  });

  it('is not held after an import, and the report says so', async () => {
    const { sandbox, workspace, human } = await setting();
    await holdFiles(workspace, human, 'Q-1', 'all');
    await holdFiles(workspace, human, 'RFC-1', 'all');
    fs.writeFileSync(sandbox.at('all.json'), await exported(workspace, 'json'));
    const there = makeSandbox();
    const elsewhere = there.open();
    const plan = await preparedImport(elsewhere, 'json', {
      ...{ path: sandbox.at('all.json'), source: 'all.json', drafts: false },
    });
    assert.match(
      importReport(plan, null),
      /RFC-1 was widened to every file by a human: here it holds only the named ones\n {2}Q-1 was widened to every file/,
    );
    await runImport(elsewhere, agent('shell-001').actor, plan);
    assert.equal(verdictOn(elsewhere), 'allow');
    for (const file of ['src/auth/a.ts', 'src/outbox/a.ts']) assert.equal(verdictOn(elsewhere, file), 'deny', file);
  });

  describe('stops hooks', () => {
    async function hook(place: Sandbox, tool_name: string, tool_input: object, cwd = place.folder) {
      const { exit, err } = await hookAnswer(place, { cwd, tool_name, tool_input });
      return { exit, err };
    }

    /** The store's repository, with a worktree beside it. */
    async function repository(): Promise<Setting & { readonly linked: string }> {
      const sandbox = makeSandbox();
      const git = (...args: string[]) => execFileSync('git', ['-C', sandbox.folder, ...args], { stdio: 'pipe' });
      git('init', '-q');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
      git('worktree', 'add', '-q', sandbox.at('linked'));
      fs.mkdirSync(sandbox.at('linked', 'src'));
      return { ...(await setting(sandbox)), linked: sandbox.at('linked') };
    }

    const uses: Readonly<Record<string, (made: { sandbox: Sandbox; linked: string }) => [string, object]>> = {
      'an edit of any file': ({ sandbox }) => ['Edit', { file_path: sandbox.at('ws', 'docs', 'readme.md') }],
      'an edit in another worktree': ({ linked }) => ['Write', { file_path: path.join(linked, 'src', 'a.ts') }],
      'an edit in a new folder of another worktree': ({ linked }) => [
        'Write',
        { file_path: path.join(linked, 'new', 'folder', 'a.ts') },
      ],
      'a command that names no file': () => ['Bash', { command: 'npm run build' }],
      'a command that names a file elsewhere': () => ['Bash', { command: 'sh /tmp/other.sh' }],
      'a commit by the agent': () => ['Bash', { command: 'git commit -m x' }],
      'a tool of a server': () => ['mcp__files__write', { text: 'x' }],
      'an unknown tool': () => ['Rewrite', {}],
    };
    for (const [name, use] of Object.entries(uses))
      it(`from ${name}, until it is narrowed to the named files`, async () => {
        const made = await repository();
        const [tool, input] = use(made);
        await holdFiles(made.workspace, made.human, 'Q-1', 'all');
        const { exit, err } = await hook(made.sandbox, tool, input);
        assert.equal(exit, 2);
        assert.match(
          err,
          /is held by Q-1 "JWT or sessions\?".* Ada, a human, holds every file of this workspace with it\./,
        );
        await holdFiles(made.workspace, made.human, 'Q-1', 'named');
        // A call with unknown effects is held by any hold.
        assert.equal((await hook(made.sandbox, tool, input)).exit, tool === 'Rewrite' ? 2 : 0);
      });

    it('but not from reading, and not outside the workspace', async () => {
      const { sandbox, workspace, human } = await repository();
      await holdFiles(workspace, human, 'Q-1', 'all');
      fs.mkdirSync(sandbox.at('other'));
      assert.equal((await hook(sandbox, 'Read', { file_path: sandbox.at('ws', 'a.ts') })).exit, 0);
      assert.equal((await hook(sandbox, 'Bash', { command: 'cat a.ts' })).exit, 0);
      assert.equal((await hook(sandbox, 'Bash', { command: 'holdpoint gate --file a.ts' })).exit, 0);
      assert.equal((await hook(sandbox, 'Write', { file_path: sandbox.at('other', 'a.ts') })).exit, 0);
    });

    locally('and any commit', async () => {
      const { sandbox, workspace, human } = await repository();
      fs.writeFileSync(sandbox.at('ws', 'notes.md'), 'x');
      execFileSync('git', ['-C', sandbox.folder, 'add', 'notes.md']);
      const gate = async () => {
        const said: string[] = [];
        const io = {
          ...{
            cwd: sandbox.folder,
            home: sandbox.home,
            platform: 'linux' as const,
            env: { PATH: process.env['PATH'] },
          },
          out: (line: string) => said.push(line),
          err: (line: string) => said.push(line),
          signal: new AbortController().signal,
          serveMcp: () => assert.fail('no server is wanted'),
          programs: '',
          serveForms: () => assert.fail('no server is wanted'),
          answerHook: () => assert.fail('no hook is asked'),
        };
        const code = await main(['gate', '--staged', '--workspace', sandbox.folder], io, '0.0.0');
        return { code, said: said.join('\n') };
      };
      assert.equal((await gate()).code, 0);
      await holdFiles(workspace, human, 'Q-1', 'all');
      const { code, said } = await gate();
      assert.equal(code, 2);
      assert.match(said, /notes\.md is held by Q-1 .* holds every file/);
    });
  });
});
