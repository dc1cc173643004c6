import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Calls a tool as an agent in the editor does, and returns the text for its model. */
async function call(name: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

const extension = vscode.extensions.getExtension('holdpoint.holdpoint');

describe('Language-model tools in a real VS Code', () => {
  before(async () => {
    await extension?.activate();
    await call('holdpoint_record_work', { id: 't-1', title: 'API tokens' });
    await call('holdpoint_record_work', { id: 't-2', title: 'Dashboard', depends_on: ['t-1'] });
  });

  it('are those of the manifest that are of use now', () => {
    const manifest = extension?.packageJSON as { contributes: { languageModelTools: { name: string }[] } };
    const declared = manifest.contributes.languageModelTools.map(({ name }) => name);
    const present = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('holdpoint_'));
    assert.deepEqual(
      present.filter((name) => !declared.includes(name)),
      [],
    );
    for (const name of ['holdpoint_raise_question', 'holdpoint_record_work']) assert.ok(present.includes(name), name);
  });

  describe('with good input', () => {
    /** Other suites in this window may have asked questions before. */
    let first = '';

    it('register work, hold it, and report what is not held', async () => {
      assert.match(await call('holdpoint_check_gate', { work_id: 't-1' }), /^Allowed/);
      const asked = await call('holdpoint_raise_question', { text: 'JWT?', work_id: 't-1', wait_seconds: 0 });
      first =
        /^Q-\d+(?= is still waiting for a human.*Do not work on API tokens \(t-1\))/.exec(asked)?.[0] ??
        assert.fail(asked);
      assert.match(
        await call('holdpoint_check_gate', { work_id: 't-2' }),
        new RegExp(`^Denied: Dashboard \\(t-2\\) is held by ${first} "JWT\\?"`),
      );
      assert.match(await call('holdpoint_record_work', { id: 't-1', status: 'done' }), /^Denied: API tokens \(t-1\)/);
    });

    it('return an open question instead of asking it twice', async () => {
      const again = await call('holdpoint_raise_question', { text: ' jwt? ', work_id: 't-1', wait_seconds: 0 });
      assert.ok(again.startsWith(`You asked this before: it is ${first}.`), again);
    });

    it('name what still holds the work after an async question', async () => {
      const input = { text: 'Keep logs how long?', mode: 'async', assumption: '30 days', work_id: 't-1' };
      const asked = await call('holdpoint_raise_question', input);
      assert.ok(asked.includes(`API tokens (t-1) is still held by ${first}.`), asked);
    });
  });

  describe('with bad input', () => {
    const question = 'holdpoint_raise_question';
    const work = 'holdpoint_record_work';
    const cases: { what: string; tool: string; input: object; says: RegExp }[] = [
      { what: 'an empty text', tool: question, input: { text: ' ' }, says: /text: must not be empty/ },
      { what: 'no text', tool: question, input: {}, says: /text is missing: give a string/ },
      {
        what: 'a text of 2,001 characters',
        tool: question,
        input: { text: 'x'.repeat(2_001) },
        says: /text: .*at most 2000/,
      },
      { what: 'a text of 2 MB', tool: question, input: { text: 'x'.repeat(2 ** 21) }, says: /text: .*at most 2000/ },
      {
        what: 'a long background',
        tool: question,
        input: { text: 'x', background: 'x'.repeat(10_001) },
        says: /background: .*10000/,
      },
      {
        what: 'an invalid urgency',
        tool: question,
        input: { text: 'x', urgency: 'now' },
        says: /urgency must be low, medium, high or critical/,
      },
      { what: 'half a surrogate pair', tool: question, input: { text: 'x\ud800' }, says: /text: .*surrogate/ },
      { what: 'a control character', tool: question, input: { text: 'x\u0007' }, says: /text: .*control characters/ },
      { what: 'an unknown field', tool: question, input: { text: 'x', answer: 'yes' }, says: /answer/ },
      { what: 'unknown work', tool: question, input: { text: 'x', work_id: 't-9' }, says: /"t-9" is not registered/ },
      {
        what: 'a file outside the workspace',
        tool: question,
        input: { text: 'x', files: [{ path: '../../etc/passwd' }] },
        says: /files\[0\]\.path.*inside the workspace/i,
      },
      {
        what: 'a hold on all files',
        tool: question,
        input: { text: 'x', holds: ['**'] },
        says: /holds.*whole workspace/i,
      },
      {
        what: 'a dependency on itself',
        tool: work,
        input: { id: 't-8', title: 'x', depends_on: ['t-8'] },
        says: /t-8 cannot depend on itself/i,
      },
      {
        what: 'an unknown dependency',
        tool: work,
        input: { id: 't-8', title: 'x', depends_on: ['t-9'] },
        says: /t-9/,
      },
      {
        what: 'another kind under a registered ID',
        tool: work,
        input: { id: 't-1', title: 'x', kind: 'workflow' },
        says: /its kind cannot change/,
      },
      {
        what: 'a cycle',
        tool: 'holdpoint_record_work',
        input: { id: 't-1', add_depends_on: ['t-2'] },
        says: /cannot depend on t-2: t-2 already waits for t-1/,
      },
      { what: 'an unknown question', tool: 'holdpoint_await_answer', input: { id: 'Q-99' }, says: /no question Q-99/ },
      { what: 'an input that is not an object', tool: question, input: [] as object, says: /input|text/ },
    ];

    let untouched: string;
    before(async () => {
      untouched = await everything();
    });

    for (const { what, tool, input, says } of cases) {
      it(`${tool} explains ${what}, and stores nothing`, async () => {
        assert.match(await call(tool, input), says);
        assert.equal(await everything(), untouched);
      });
    }
  });
});

/** All questions and work that the tools report. */
async function everything(): Promise<string> {
  const [questions, free] = [await call('holdpoint_list_items', {}), await call('holdpoint_check_gate', {})];
  return `${questions}\n${free}`.replaceAll(/less than 1 min|\d+ min/g, 'a while');
}
