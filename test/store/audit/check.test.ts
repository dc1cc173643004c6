import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { liftRefusal, shownAnswerHash, type Verdict } from '../../../src/app/decision/decisions.ts';
import { decideRfc, shownRfcHash, type RfcVerdict } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc, updateRfc } from '../../../src/app/rfc/rfcs.ts';
import { raiseQuestion, withdrawQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { CheckReport } from '../../../src/app/audit/checkReport.ts';
import { journalByHand, writeByHand } from '../../support/store/handwriting.ts';
import { agent, signedBy, cancel, decide, holdFiles } from '../../support/store/people.ts';
import {
  checked,
  holdpoint,
  makeRepository,
  type CommitMore,
  type Repository,
} from '../../support/store/repository.ts';
import { makeSandbox, minute, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman, type WithHuman } from '../../support/store/withHuman.ts';

interface Setting extends WithHuman {
  readonly repository: Repository;
}

const no: Verdict = { kind: 'answer', answer: { choices: ['No'], text: 'Never.' } };
const approve = { kind: 'approve', conditions: ['Only with a backup.'], constraints: [] } as const;

async function setUp(): Promise<Setting> {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'API tokens' });
  const repository = makeRepository(sandbox);
  return { sandbox, workspace, store, human, repository };
}

type Asked = Partial<Parameters<typeof raiseQuestion>[2]>;

async function ask({ store, sandbox }: Setting, more: Asked = {}): Promise<void> {
  const asked = { type: 'clarification', urgency: 'medium', mode: 'sync', text: 'Which way?', work: 'T1' } as const;
  await raiseQuestion(store, agent(), { ...asked, holds: ['src/auth/**'], ...more });
  sandbox.clock.now += minute;
}

async function propose({ store, sandbox }: Setting, title = 'Outbox', holds = ['src/pay/**']): Promise<void> {
  await proposeRfc(store, agent(), { title, workflows: [], tasks: [], contexts: [], holds, submit: true });
  sandbox.clock.now += minute;
}

async function rule({ store, human, sandbox }: Setting, verdict: RfcVerdict, id = 'RFC-1'): Promise<void> {
  const { state } = store.read();
  const shown = shownRfcHash(state, state.rfcs.get(id)!);
  await decideRfc(signedBy(store, human), id, verdict, shown);
  sandbox.clock.now += minute;
}

const change = { 'src/auth/login.ts': 'better login\n' };
const payment = { 'src/pay/send.ts': 'better send\n' };

describe('holdpoint check on a store', function () {
  this.timeout(60_000);
  afterEach(removeSandboxes);

  interface Expected {
    readonly code?: number;
    readonly outcome?: string;
    readonly files?: readonly string[];
    readonly also?: (report: CheckReport, setting: Setting) => void;
  }

  /** `before` acts, then one commit on `feature`, then the check. */
  function check(
    name: string,
    { files = change, ...more }: CommitMore & { readonly files?: Readonly<Record<string, string | null>> },
    before: (setting: Setting) => Promise<unknown>,
    expected: Expected,
  ): void {
    it(name, async () => {
      const setting = await setUp();
      await before(setting);
      setting.sandbox.clock.now += minute;
      const head = setting.repository.commit(files, more);
      const report = await checked(setting.sandbox, setting.repository);
      const { code = 2, outcome, files: concerned, also } = expected;
      assert.equal(report.code, code, JSON.stringify(report.problems));
      assert.deepEqual([report.head, report.result], [head, code === 0 ? 'proceed' : 'denied']);
      if (outcome !== undefined) assert.deepEqual(report.items[0]?.outcome, outcome);
      else assert.deepEqual(report.items, []);
      if (concerned) assert.deepEqual(report.items[0]?.files, concerned);
      also?.(report, setting);
    });
  }

  describe('reads the decisions on', () => {
    check('nothing', {}, () => Promise.resolve(), { code: 0 });
    check('other files', { files: payment }, ask, { code: 0 });
    check('an open question for a person', {}, (setting) => ask(setting, { for: 'ada' }), {
      outcome: 'undecided',
      also: ({ items: [item], problems }) => {
        assert.deepEqual(
          [item?.for, problems[0]?.text],
          ['ada', 'Q-1 "Which way?" (for ada) has no answer from a human yet.'],
        );
      },
    });
    check('an open question', {}, ask, {
      outcome: 'undecided',
      also: ({ problems }) => {
        assert.match(problems[0]?.text ?? '', /^Q-1 "Which way\?" has no answer/);
      },
    });
    check(
      'an answered question',
      {},
      async (setting) => {
        await ask(setting);
        await decide(setting.workspace, setting.human, 'Q-1');
      },
      {
        code: 0,
        outcome: 'allowed',
        also({ items: [item] }, { human }) {
          const { by, key, signature, effect, said } = item?.decision ?? {};
          assert.deepEqual([by, key, signature, effect, said], ['Ada', human.keyid, 'valid', 'proceed', 'Yes, go on.']);
        },
      },
    );
    check(
      'a refused approval',
      {},
      async (setting) => {
        await ask(setting, { type: 'approval' });
        await decide(setting.workspace, setting.human, 'Q-1', no);
      },
      { outcome: 'refused' },
    );
    check(
      'a refusal that a human lifted',
      {},
      async (setting) => {
        const { workspace, human, store } = setting;
        await ask(setting, { type: 'approval' });
        await decide(workspace, human, 'Q-1', no);
        const { state } = store.read();
        const shown = shownAnswerHash(state, state.questions.get('Q-1')!);
        await liftRefusal(signedBy(store, human), { id: 'Q-1', reason: 'After the backup.', shown });
      },
      {
        code: 0,
        outcome: 'allowed',
        also: ({ items: [item] }) => {
          assert.equal(item?.decision?.action, 'refusal.lifted');
        },
      },
    );
    check(
      'an approval that a human dismissed',
      {},
      async (setting) => {
        await ask(setting, { type: 'approval' });
        await decide(setting.workspace, setting.human, 'Q-1', cancel);
      },
      { outcome: 'not_approved' },
    );
    check(
      'an approval that a human gave after cancelling an earlier one',
      {},
      async (setting) => {
        await ask(setting, { type: 'approval' });
        await decide(setting.workspace, setting.human, 'Q-1', cancel);
        await ask(setting, { type: 'approval', text: 'And with a backup?' });
        await decide(setting.workspace, setting.human, 'Q-2', {
          kind: 'answer',
          answer: { choices: ['Yes'], effect: 'proceed' },
        });
      },
      {
        code: 0,
        outcome: 'not_approved',
        also: ({ items: [item] }) => {
          assert.deepEqual([item?.clear, item?.replaced_by], [true, 'Q-2']);
        },
      },
    );
    check(
      'an approval for fewer files than an earlier one that was cancelled',
      { files: { ...change, ...payment } },
      async (setting) => {
        await ask(setting, { type: 'approval', holds: ['src/**/*.ts'] });
        await decide(setting.workspace, setting.human, 'Q-1', cancel);
        await ask(setting, { type: 'approval', text: 'And only this?' });
        await decide(setting.workspace, setting.human, 'Q-2', {
          kind: 'answer',
          answer: { choices: ['Yes'], effect: 'proceed' },
        });
      },
      { outcome: 'not_approved' },
    );
    check(
      'a question that its agent withdrew',
      {},
      async (setting) => {
        await ask(setting, { mode: 'async', assumption: 'This way.' });
        await withdrawQuestion(setting.store, agent(), 'Q-1', 'Found it.');
      },
      { code: 0, outcome: 'withdrawn' },
    );
    check('a submitted RFC', { files: payment }, propose, { outcome: 'undecided' });
    check(
      'an approved RFC',
      { files: payment },
      async (setting) => {
        await propose(setting);
        await rule(setting, approve);
      },
      {
        code: 0,
        outcome: 'allowed',
        also({ items: [item] }) {
          const { revision, revision_hash: hash, conditions } = item?.decision ?? {};
          assert.deepEqual([revision, hash?.length, conditions], [1, 64, ['Only with a backup.']]);
        },
      },
    );
    check(
      'an approved RFC with an amendment that was rejected',
      { files: payment },
      async (setting) => {
        await propose(setting);
        await rule(setting, approve);
        await updateRfc(setting.store, agent(), 'RFC-1', { document: { title: 'Outbox again' }, submit: true });
        await rule(setting, { kind: 'reject', reason: 'Too much.', then: 'another_way' });
      },
      {
        code: 0,
        outcome: 'allowed',
        also: ({ items: [item] }) => {
          assert.equal(item?.decision?.action, 'rfc.approved');
        },
      },
    );
    for (const [then, code] of [
      ['stop', 2],
      ['another_way', 0],
    ] as const)
      check(
        `a rejected RFC (${then}), after which another one was approved`,
        { files: payment },
        async (setting) => {
          await propose(setting);
          await rule(setting, { kind: 'reject', reason: 'Not this.', then });
          await propose(setting, 'Queue');
          await rule(setting, approve, 'RFC-2');
        },
        { code, outcome: 'refused' },
      );
    check(
      'a rejected RFC that a commit names, although another one was approved',
      { files: payment, message: 'Outbox after all (RFC-1)' },
      async (setting) => {
        await propose(setting);
        await rule(setting, { kind: 'reject', reason: 'Not this.', then: 'another_way' });
        await propose(setting, 'Queue');
        await rule(setting, approve, 'RFC-2');
      },
      { outcome: 'refused' },
    );
    check('a question that does not exist', { files: payment, message: 'As in Q-7' }, ask, { outcome: 'unknown' });
    check('a question that a commit names', { files: payment, message: 'As in Q-1' }, ask, { outcome: 'undecided' });
    check(
      'a question that a human widened to every file',
      { files: payment },
      async (setting) => {
        await ask(setting);
        await holdFiles(setting.workspace, setting.human, 'Q-1', 'all');
      },
      { outcome: 'undecided' },
    );
    check(
      'a question about a file that it does not hold',
      {},
      (setting) => ask(setting, { holds: [], files: [{ path: 'src/auth/login.ts' }] }),
      {
        outcome: 'undecided',
      },
    );
    check(
      'a question from another worktree of the repository',
      {},
      async ({ store, sandbox }) => {
        const asked = { type: 'clarification', urgency: 'medium', mode: 'sync', text: 'Which way?' } as const;
        const session = agent('copilot-002', { worktree: '../elsewhere' });
        await raiseQuestion(store, session, { ...asked, work: 'T1', holds: ['src/auth/**'] });
        sandbox.clock.now += minute;
      },
      { outcome: 'undecided' },
    );
    check('a question that names no file', {}, (setting) => ask(setting, { holds: [] }), {
      code: 0,
      also: ({ notes }) => {
        assert.match(notes.join(), /cannot be told: Q-1/);
      },
    });
    check(
      'a question with a forged answer',
      {},
      async (setting) => {
        await ask(setting);
        const forged = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { text: 'Yes.', choices: [] } };
        const envelope = {
          payloadType: 'x',
          payload: 'e30=',
          signatures: [{ keyid: setting.human.keyid, sig: 'AAAA' }],
        };
        writeByHand(setting.sandbox.journal, [{ ...forged, envelope }]);
      },
      { outcome: 'unverifiable' },
    );
  });

  describe('counts', () => {
    check('deleted files', { files: { 'src/auth/login.ts': null } }, ask, {
      outcome: 'undecided',
      files: ['src/auth/login.ts'],
    });
    check('files that only differ in case', { files: { 'SRC/Auth/new.ts': 'x\n' } }, ask, {
      outcome: 'undecided',
      files: ['SRC/Auth/new.ts'],
    });
    check('files with unusual names', { files: { 'src/auth/a\nb "c" – d.ts': 'x\n' } }, ask, {
      outcome: 'undecided',
      files: ['src/auth/a\nb "c" – d.ts'],
    });
    check('both names of a renamed file', { files: { 'src/auth/login.ts': null, 'lib/login.ts': 'login\n' } }, ask, {
      outcome: 'undecided',
      files: ['src/auth/login.ts'],
      also: ({ files }) => {
        assert.deepEqual(
          files.map(({ path: name, change: how }) => [name, how]),
          [
            ['lib/login.ts', 'added'],
            ['src/auth/login.ts', 'deleted'],
          ],
        );
      },
    });

    it('what one commit changed and the next reverted', async () => {
      const setting = await setUp();
      await ask(setting);
      setting.repository.commit(change);
      setting.repository.commit({ 'src/auth/login.ts': 'login\n' });
      const report = await checked(setting.sandbox, setting.repository);
      assert.deepEqual([report.code, report.files[0]?.change], [2, 'reverted']);
    });

    it('submodules, whatever .gitmodules says', async () => {
      const setting = await setUp();
      await ask(setting, { holds: ['vendor/lib/src/**'] });
      const { git, commit } = setting.repository;
      const modules = '[submodule "lib"]\n\tpath = vendor/lib\n\turl = ./lib\n\tignore = all\n';
      fs.writeFileSync(path.join(setting.repository.folder, '.gitmodules'), modules);
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`);
      fs.mkdirSync(path.join(setting.repository.folder, 'vendor', 'lib'), { recursive: true });
      commit({});
      const report = await checked(setting.sandbox, setting.repository);
      assert.deepEqual([report.code, report.items[0]?.files], [2, ['vendor/lib']]);
      assert.equal(report.files.find(({ path: name }) => name === 'vendor/lib')?.submodule, true);
    });

    it('what only a merge changed', async () => {
      const setting = await setUp();
      await ask(setting);
      const { git, commit } = setting.repository;
      commit({ 'other.ts': '1\n' });
      git('checkout', '--quiet', 'main');
      commit({ 'more.ts': '1\n' });
      git('checkout', '--quiet', 'feature');
      git('merge', '--quiet', '--no-commit', 'main');
      commit(change, { message: 'Merge' });
      const report = await checked(setting.sandbox, setting.repository);
      assert.deepEqual([report.code, report.items[0]?.files], [2, ['src/auth/login.ts']]);
      assert.equal(
        report.files.some(({ path: name }) => name === 'more.ts'),
        false,
      );
    });

    it('the real commits, where replaced ones hide the change', async () => {
      const setting = await setUp();
      await ask(setting);
      const { git, commit } = setting.repository;
      const head = commit(change);
      const same = git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Nothing').trim();
      git('replace', head, same);
      assert.equal(git('diff', '--name-only', 'main', head), '', 'git itself is deceived');
      const report = await checked(setting.sandbox, setting.repository);
      assert.deepEqual([report.code, report.items[0]?.outcome], [2, 'undecided']);
    });
  });

  describe('is UNKNOWN', () => {
    it('without a store', async () => {
      const sandbox = makeSandbox();
      const repository = makeRepository(sandbox);
      repository.commit(change);
      const report = await checked(sandbox, repository);
      assert.deepEqual([report.code, report.state], [2, 'UNKNOWN']);
    });

    it('where the journal is damaged', async () => {
      const { sandbox, repository, store } = await setUp();
      repository.commit(payment);
      store.close();
      const bytes = fs.readFileSync(sandbox.journal);
      bytes[200] = (bytes[200] ?? 0) ^ 1;
      fs.writeFileSync(sandbox.journal, bytes);
      const report = await checked(sandbox, repository);
      assert.deepEqual([report.code, report.state], [2, 'UNKNOWN']);
    });

    it('where the journal was cut off', async () => {
      const setting = await setUp();
      const { sandbox, repository, store } = setting;
      const before = journalByHand(sandbox.journal);
      await ask(setting);
      repository.commit(change);
      store.close();
      setting.workspace.close();
      fs.writeFileSync(sandbox.journal, before);
      const report = await checked(sandbox, repository);
      assert.deepEqual([report.code, report.state], [2, 'UNKNOWN']);
    });
  });

  describe('refuses', () => {
    function refuse(
      name: string,
      argv: readonly string[],
      expected: { code: number; text: RegExp },
      before?: (setting: Setting) => void,
    ): void {
      it(name, async () => {
        const setting = await setUp();
        setting.repository.commit(payment);
        before?.(setting);
        const { code, out, err } = await holdpoint(setting.sandbox, setting.repository.folder, 'check', ...argv);
        assert.deepEqual([code, out], [expected.code, '']);
        assert.match(err, expected.text);
      });
    }
    const conflict = (text: RegExp) => ({ code: 2, text });
    const usage = (text: RegExp) => ({ code: 1, text });
    refuse('uncommitted changes', ['--base', 'main'], conflict(/does not contain/), ({ repository }) => {
      fs.writeFileSync(path.join(repository.folder, 'README.md'), 'other\n');
    });
    refuse('staged changes', ['--base', 'main'], conflict(/does not contain/), ({ repository }) => {
      fs.writeFileSync(path.join(repository.folder, 'new.md'), 'other\n');
      repository.git('add', 'new.md');
    });
    refuse('a head that is not checked out', ['--base', 'main~0', '--head', 'main'], conflict(/is checked out/));
    refuse(
      'a base without common history',
      ['--base', 'orphan'],
      conflict(/no common history/),
      ({ repository: { git } }) => {
        const tree = git('rev-parse', 'HEAD^{tree}').trim();
        git('branch', 'orphan', git('commit-tree', tree, '-m', 'Orphan').trim());
      },
    );
    refuse('no base', [], usage(/--base/));
    refuse('a base that does not exist', ['--base', 'nowhere'], usage(/does not know the commit/));

    it('refs that are options, ranges, paths or searches', async () => {
      const { sandbox, repository } = await setUp();
      const refs = ['--output=stolen', '-p', 'main..HEAD', 'main:README.md', ':/Change', '@{-1}', 'HEAD^{/Change}'];
      for (const ref of [...refs, '^main', 'a b', 'main\n', ''])
        for (const option of ['base', 'head']) {
          const argv = ['check', `--${option}=${ref}`, ...(option === 'head' ? ['--base', 'main'] : [])];
          const { code, err } = await holdpoint(sandbox, repository.folder, ...argv);
          assert.deepEqual([code, err.includes(' is not a branch, tag or commit')], [1, true], `${ref}: ${err}`);
        }
      assert.equal(fs.existsSync(path.join(repository.folder, 'stolen')), false);
    });

    refuse('two outputs on one stream', ['--base', 'main', '--markdown', '--json'], usage(/only one of/));
    refuse('keys without attestations', ['--base', 'main', '--keys', 'k'], usage(/must be given together/));

    it('a shallow clone', async () => {
      const setting = await setUp();
      setting.repository.commit(payment);
      const clone = setting.sandbox.at('clone');
      setting.repository.git('clone', '--quiet', '--depth', '1', `file://${setting.repository.folder}`, clone);
      const { code, err } = await holdpoint(setting.sandbox, clone, 'check', '--base', 'HEAD');
      assert.equal(code, 2);
      assert.match(err, /shallow/);
    });
  });
});
