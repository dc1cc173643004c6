import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { liftRefusal, shownAnswerHash } from '../../../src/app/decision/decisions.ts';
import { mirror } from '../../../src/app/mirrors/mirrors.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import {
  createRequest,
  registerResponsibility,
  respondToRequest,
  type CreateInput,
} from '../../../src/app/request/requests.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import {
  addStamp,
  asBlockQuote,
  frontMattered,
  inline,
  isUntouched,
  relativeLink,
} from '../../../src/app/mirrors/texts.ts';
import type { Store } from '../../../src/store/store.ts';
import { runs } from '../../support/runs.ts';
import { agent, signedBy, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, minute, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const stamp = /\n<!-- Written by Holdpoint from its journal; edits here are lost\. [0-9a-f]{64} -->\n$/;

describe('mirrors', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  let store: Store;

  beforeEach(async () => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    store = await workspace.store();
    for (const name of ['finance_cos', 'parenting_cos'])
      await registerResponsibility(store, agent(`${name.slice(0, 7)}-001`), {
        id: name,
        kind: 'agent',
        name,
        agents: [],
      });
  });
  afterEach(removeSandboxes);

  const at = (name: string) => sandbox.at('ws', '.holdpoint', ...name.split('/'));
  const text = (name: string) => fs.readFileSync(at(name), 'utf8');
  const files = () =>
    ['queue/inbox', 'queue/outbox', 'questions', 'rfcs'].flatMap((folder) =>
      fs.existsSync(at(folder)) ? fs.readdirSync(at(folder)).map((name) => `${folder}/${name}`) : [],
    );
  /** The golden file, without the stamp and the workspace's random id. */
  const golden = (name: string) => {
    const found = text(name);
    assert.match(found, stamp);
    assert.ok(isUntouched(found));
    return found.replace(stamp, '').replaceAll(store.workspaceId ?? '', 'dad_mode');
  };
  const ask = async (more: Partial<CreateInput> = {}) =>
    (
      await createRequest(store, agent('finance-001'), {
        ask: { type: 'request_for_action', payload: { suggested_actions: [], links: [], tags: [] } },
        target: 'parenting_cos',
        subject: 'Raise the allowance',
        summary: 'The budget has room.',
        ...more,
      })
    ).request;

  it('show a request to its target, and to its origin, with the keys of the seed', async () => {
    await ask({
      mandate: 'finance_cos.monthly_budget_review',
      dueAt: '2026-03-04T23:59:59.000Z',
      sourceContext: 'mandate_run:finance_cos.monthly_budget_review@2026-03-02T09:00Z',
      summary: 'The budget has room.\n\n- [x] Approved by Ada',
      bodyPath: 'docs/budget (1).md',
      ask: {
        type: 'request_for_action',
        payload: {
          suggested_actions: ['Look at *both* children', 'Say by when'],
          links: ['https://example.org/report', 'command:evil', '../../etc/passwd'],
          tags: ['money'],
        },
      },
    });
    sandbox.clock.now += minute;
    await respondToRequest(store, agent('parenti-001'), 'R-1', {
      act: 'accept',
      note: 'Will do.\nSoon.',
      work: [{ id: 't-1', title: 'Raise it', kind: 'task' }],
    });
    assert.deepEqual(await mirror(workspace), {
      total: 2,
      written: ['queue/inbox/R-1.md', 'queue/outbox/R-1.md'],
      removed: [],
      edited: [],
    });
    const expected = `---
type: request_for_action
request_id: R-1
db_source: local_sql
status: accepted
origin_responsibility_id: finance_cos
target_responsibility_id: parenting_cos
origin_mandate_id: finance_cos.monthly_budget_review
priority: 100
authored_by: ai
author_agent_id: finance-001
created_at: 2026-03-02T09:00:00.000Z
available_at: 2026-03-02T09:00:00.000Z
due_at: 2026-03-04T23:59:59.000Z
source_context: mandate_run:finance_cos.monthly_budget_review@2026-03-02T09:00Z
workspace_id: dad_mode
---

# R-1: Raise the allowance

Asked of **parenting\\_cos** by finance\\_cos.

## Intent

> The budget has room.
>
> - [x] Approved by Ada

## Suggested actions

- [ ] Look at \\*both\\* children
- [ ] Say by when

## Links

- [docs/budget (1).md](../../../docs/budget%20%281%29.md)
- <https://example.org/report>
- command:evil
- ../../etc/passwd

## Tags

- money

## Work

- t-1

## Last note

> Will do.
> Soon.

## History

- 2026-03-02T09:00:00.000Z created by finance-001
- 2026-03-02T09:00:00.000Z released by finance-001
- 2026-03-02T09:01:00.000Z accepted by parenti-001: Will do. Soon.
- 2026-03-02T09:01:00.000Z work made by parenti-001: t-1
`;
    assert.equal(golden('queue/inbox/R-1.md'), expected);
    assert.equal(
      golden('queue/outbox/R-1.md'),
      expected.replace(
        'Asked of **parenting\\_cos** by finance\\_cos.',
        'Asked by **finance\\_cos** of parenting\\_cos.',
      ),
    );
  });

  it('show a question with its answer', async () => {
    await registerWork(store, agent(), { id: 't-9', workKind: 'task', title: 'API tokens' });
    await raiseQuestion(store, agent(), {
      text: 'JWT or sessions?',
      type: 'decision',
      urgency: 'high',
      mode: 'sync',
      work: 't-9',
      choices: [{ label: 'JWT', description: 'No state', recommended: true }, { label: 'Sessions' }],
      background: 'Both would do.',
      files: [{ path: 'src/auth/login.ts', line: 12 }],
    });
    const human = enrolledHuman(workspace);
    sandbox.clock.now += minute;
    await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { choices: ['JWT'], text: '---\nUse JWT.' } });
    await mirror(workspace);
    assert.equal(
      golden('questions/Q-1.md'),
      `---
type: question
question_id: Q-1
db_source: local_sql
status: answered
resolution: answered
effect: proceed
approved: null
lifted_at: null
question_type: decision
urgency: high
mode: sync
holding: false
work_id: t-9
agent_id: copilot-001
for: null
raised_at: 2026-03-02T09:00:00.000Z
expires_at: 2026-03-03T09:00:00.000Z
answered_by: Ada
signed_with: key
answered_at: 2026-03-02T09:01:00.000Z
workspace_id: dad_mode
---

# Q-1

> JWT or sessions?

## Choices

- [x] JWT (recommended): No state
- [ ] Sessions

## Background

> Both would do.

## Holds

- API tokens (t-9)

## Files

- [src/auth/login.ts](../../src/auth/login.ts), line 12

## Answer

- JWT
> ---
> Use JWT.
`,
    );
  });

  it('show what an answer refused, and that a human lifted it', async () => {
    await raiseQuestion(store, agent(), {
      text: 'Drop it?',
      type: 'approval',
      urgency: 'medium',
      mode: 'sync',
      work: null,
    });
    const human = enrolledHuman(workspace);
    const answer = { text: 'Keep it.', effect: 'stop' } as const;
    await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { ...answer, choices: ['No'] } });
    await mirror(workspace);
    assert.match(golden('questions/Q-1.md'), /\neffect: stop\napproved: false\n/);
    assert.match(golden('questions/Q-1.md'), /\n## Refused\n\nRefused by Ada\. The work stopped\.\n/);
    const { state } = store.read();
    const shown = shownAnswerHash(state, state.questions.get('Q-1')!);
    await liftRefusal(signedBy(store, human), { id: 'Q-1', reason: 'After the backup.', shown });
    await mirror(workspace);
    assert.match(golden('questions/Q-1.md'), /The work stopped\.\nLifted by Ada, .*: After the backup\.\n/);
  });

  it('show an RFC', async () => {
    await registerWork(store, agent(), { id: 't-9', workKind: 'task', title: 'API tokens' });
    const rfc = await proposeRfc(store, agent(), {
      title: 'Tokens: "JWT"',
      sections: [{ key: 'summary', heading: 'Summary', text: 'We use JWT.\n# Approved' }],
      alternatives: [{ name: 'Sessions', pros: ['Simple'], cons: ['State'] }],
      questions: [{ text: 'Who rotates keys?', answered: false }],
      workflows: [],
      tasks: ['t-9'],
      holds: ['src/auth/**'],
      contexts: [],
      submit: false,
    });
    await mirror(workspace);
    const found = golden('rfcs/RFC-1.md').replace(rfc.revisions[0]?.hash ?? '?', 'HASH');
    assert.equal(
      found,
      `---
type: rfc
rfc_id: RFC-1
db_source: local_sql
status: draft
amendment: null
title: "Tokens: \\"JWT\\""
revision: 1
revision_hash: HASH
approved_revision: null
text_revision: 1
holding: true
agent_id: copilot-001
for: null
proposed_at: 2026-03-02T09:00:00.000Z
updated_at: 2026-03-02T09:00:00.000Z
workspace_id: dad_mode
---

# RFC-1: Tokens: "JWT"

Revision 1 of 1.

## Summary

> We use JWT.
> # Approved

## Alternatives in detail

- **Sessions**
  - for: Simple
  - against: State

## Questions

- [ ] Who rotates keys? (unanswered)

## Holds

- API tokens (t-9)
- src/auth/\\*\\*
`,
    );
  });

  it('are written only if their row has changed', async () => {
    await ask();
    await ask();
    await mirror(workspace);
    const before = fs.statSync(at('queue/inbox/R-1.md'));
    await respondToRequest(store, agent('parenti-001'), 'R-2', { act: 'reject', note: 'No.' });
    const done = await mirror(workspace);
    assert.deepEqual(done.written, ['queue/inbox/R-2.md', 'queue/outbox/R-2.md']);
    assert.deepEqual(done.edited, []);
    const after = fs.statSync(at('queue/inbox/R-1.md'));
    assert.deepEqual([after.ino, after.mtimeMs], [before.ino, before.mtimeMs]);
    assert.match(text('queue/inbox/R-2.md'), /^status: rejected$/m);
    // Passing time changes nothing.
    sandbox.clock.now += 60 * minute;
    assert.deepEqual((await mirror(workspace)).written, []);
  });

  it('overwrite edited files, remove files without a row, and report both', async () => {
    await ask();
    await mirror(workspace);
    const original = text('queue/inbox/R-1.md');
    fs.writeFileSync(at('queue/inbox/R-1.md'), original.replace('status: pending', 'status: accepted'));
    fs.writeFileSync(at('queue/outbox/R-7.md'), original);
    fs.writeFileSync(at('queue/outbox/R-8.md'), 'My own.');
    fs.writeFileSync(at('queue/outbox/notes.md'), 'Not a mirror.');
    const expected = {
      total: 2,
      written: ['queue/inbox/R-1.md'],
      removed: ['queue/outbox/R-7.md', 'queue/outbox/R-8.md'],
      edited: ['queue/outbox/R-8.md', 'queue/inbox/R-1.md'],
    };
    assert.deepEqual(await mirror(workspace, { check: true }), expected);
    assert.match(text('queue/inbox/R-1.md'), /status: accepted/);
    assert.deepEqual(await mirror(workspace), expected);
    assert.equal(text('queue/inbox/R-1.md'), original);
    assert.deepEqual(files(), ['queue/inbox/R-1.md', 'queue/outbox/R-1.md', 'queue/outbox/notes.md']);
    assert.deepEqual(await mirror(workspace), { total: 2, written: [], removed: [], edited: [] });
    assert.equal(fs.statSync(at('queue/inbox/R-1.md')).mode & 0o777, 0o600);
  });

  it('follow no link to a folder or file', async () => {
    await ask();
    await mirror(workspace);
    const secret = sandbox.at('secret.txt');
    fs.writeFileSync(secret, 'Secret.');
    fs.rmSync(at('queue/inbox/R-1.md'));
    fs.symlinkSync(secret, at('queue/inbox/R-1.md'));
    fs.symlinkSync(secret, at('queue/inbox/R-9.md'));
    assert.deepEqual((await mirror(workspace)).edited, ['queue/inbox/R-9.md', 'queue/inbox/R-1.md']);
    assert.equal(fs.readFileSync(secret, 'utf8'), 'Secret.');
    assert.ok(fs.lstatSync(at('queue/inbox/R-1.md')).isFile());
    fs.mkdirSync(sandbox.at('elsewhere'));
    fs.writeFileSync(sandbox.at('elsewhere', 'R-3.md'), 'Theirs.');
    for (const folder of ['queue/inbox', 'queue']) {
      fs.rmSync(at(folder), { recursive: true });
      fs.symlinkSync(sandbox.at('elsewhere'), at(folder));
      await assert.rejects(mirror(workspace), (error) => error instanceof AppError && error.code === 'conflict');
      fs.rmSync(at(folder));
      fs.mkdirSync(at(folder));
    }
    assert.deepEqual(fs.readdirSync(sandbox.at('elsewhere')), ['R-3.md']);
    fs.mkdirSync(at('questions/Q-1.md'), { recursive: true });
    await assert.rejects(mirror(workspace), /questions\/Q-1\.md is a folder where a mirror belongs/);
  });

  describe('written in turns', () => {
    /** A clock that advances by five milliseconds with each read. */
    const slowly = () =>
      ({
        ...workspace,
        options: { ...workspace.options, clock: () => (sandbox.clock.now += 5) },
      }) satisfies Workspace;
    /** Calls back in each turn of the event loop while mirrors are written. */
    async function inTurns<T>(running: Promise<T>, act: (turn: number) => void): Promise<T> {
      let turn = 0;
      let next = setImmediate(function onTurn() {
        act(++turn);
        next = setImmediate(onTurn);
      });
      try {
        return await running;
      } finally {
        clearImmediate(next);
      }
    }

    it('yield after every few files', async () => {
      for (let count = 0; count < 20; count++) await ask();
      let turns = 0;
      const { written } = await inTurns(mirror(slowly()), (turn) => (turns = turn));
      assert.equal(written.length, 40);
      assert.ok(turns >= 10, `only ${String(turns)} turns`);
    });

    it('follow no link that appears meanwhile', async () => {
      for (let count = 0; count < 20; count++) await ask();
      fs.mkdirSync(sandbox.at('elsewhere'));
      const running = inTurns(mirror(slowly()), (turn) => {
        if (turn !== 3) return;
        fs.rmSync(at('queue/inbox'), { recursive: true });
        fs.symlinkSync(sandbox.at('elsewhere'), at('queue/inbox'));
      });
      await assert.rejects(running, (error) => error instanceof AppError && error.code === 'conflict');
      assert.deepEqual(fs.readdirSync(sandbox.at('elsewhere')), []);
    });
  });

  it('are always complete files: a full disk leaves the old one', async () => {
    await ask();
    await mirror(workspace);
    const before = text('queue/inbox/R-1.md');
    await respondToRequest(store, agent('parenti-001'), 'R-1', { act: 'reject', note: 'No.' });
    const full = {
      ...workspace,
      options: {
        ...workspace.options,
        fs: {
          ...fs,
          writeSync: () => {
            throw Object.assign(new Error('full'), { code: 'ENOSPC' });
          },
        },
      },
    } as unknown as Workspace;
    await assert.rejects(mirror(full), /full/);
    assert.equal(text('queue/inbox/R-1.md'), before);
    assert.deepEqual(fs.readdirSync(path.dirname(at('queue/inbox/R-1.md'))), ['R-1.md']);
  });

  it('contain any text: nothing in it can end the front matter', () => {
    const wild = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom(
            '---',
            '\n',
            '\r\n',
            '...',
            '# ',
            '- [x] ',
            '<!--',
            '-->',
            '"',
            "'",
            ': ',
            '&a',
            '*a',
            '!!js',
            '|',
            '\u2028',
            'true',
            '1e3',
            'null',
          ),
        )
        .map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(wild, wild, (value, body) => {
        const file = addStamp(frontMattered({ first: value, last: 'end' }, asBlockQuote(body)));
        const [, front = ''] = /^---\n([\s\S]*?\n)---\n/.exec(file) ?? [];
        assert.deepEqual(parse(front), { first: value, last: 'end' });
        assert.equal(front.split(/\r\n|[\r\n]/).length, 3);
        const rest = file.slice(`---\n${front}---\n\n`.length).replace(stamp, '').trimEnd();
        for (const line of rest.split(/\r\n|[\n\r\u2028\u2029]/)) assert.match(line, /^>|^$/);
        assert.ok(isUntouched(file));
        assert.ok(!isUntouched(file.replace('last: end', 'last: other')));
      }),
      { numRuns: runs(500) },
    );
  });

  it('have labels on one line, and links only to their targets', () => {
    assert.equal(inline(' a\n# b\u2028[c](command:x) <d> '), 'a \\# b \\[c\\](command:x) \\<d\\>');
    assert.equal(relativeLink('src/a b.ts', '../..'), '[src/a b.ts](../../src/a%20b.ts)');
    assert.equal(relativeLink('https://a.b/c>d', '..'), 'https://a.b/c\\>d');
    assert.equal(relativeLink('javascript:alert(1)', '..'), 'javascript:alert(1)');
    assert.equal(relativeLink('/etc/passwd', '..'), '/etc/passwd');
    assert.equal(relativeLink('a](command:x)/b', '..'), '[a\\](command:x)/b](../a%5D%28command%3Ax%29/b)');
  });
});
