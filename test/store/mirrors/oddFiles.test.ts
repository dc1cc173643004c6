import assert from 'node:assert/strict';
import fs from 'node:fs';
import MarkdownIt from 'markdown-it';
import { mirror } from '../../../src/app/mirrors/mirrors.ts';
import { replyToHuman, raiseQuestion } from '../../../src/app/question/questions.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent, askAgent, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

describe('mirrors', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  let store: Store;
  beforeEach(async () => {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    store = await workspace.store();
    const asked = { type: 'decision', urgency: 'medium', mode: 'sync', work: null } as const;
    for (const text of ['Delete it?', 'Keep it?']) await raiseQuestion(store, agent(), { text, ...asked });
  });
  afterEach(removeSandboxes);
  const file = (name: string) => sandbox.at('ws', '.holdpoint', 'questions', name);

  it('replace a file that is too large to be one, without reading it', async () => {
    await mirror(workspace);
    const original = fs.readFileSync(file('Q-1.md'), 'utf8');
    // More than one string can hold; a sparse file, so it takes no space.
    fs.truncateSync(file('Q-1.md'), 1024 * 1024 * 1024);
    const { written, edited } = await mirror(workspace);
    assert.deepEqual([written, edited], [['questions/Q-1.md'], ['questions/Q-1.md']]);
    assert.equal(fs.readFileSync(file('Q-1.md'), 'utf8'), original);
  });

  it('replace a file that cannot be read', async () => {
    await mirror(workspace);
    fs.rmSync(file('Q-2.md'));
    const unreadable = {
      ...workspace,
      options: {
        ...workspace.options,
        fs: {
          ...fs,
          readFileSync: (...given: Parameters<typeof fs.readFileSync>) => {
            if (given[0] === file('Q-1.md')) throw Object.assign(new Error('not yours'), { code: 'EACCES' });
            return fs.readFileSync(...given);
          },
        },
      },
    } as unknown as Workspace;
    const { written, edited } = await mirror(unreadable);
    assert.deepEqual([written, edited], [['questions/Q-1.md', 'questions/Q-2.md'], ['questions/Q-1.md']]);
  });

  it('show who said what: no quote takes in the line after it', async () => {
    const human = enrolledHuman(workspace);
    await askAgent(workspace, human, 'Q-1', 'Is there a backup?');
    await replyToHuman(store, agent(), 'Q-1', 'Yes.');
    await askAgent(workspace, human, 'Q-1', 'Where?');
    await mirror(workspace);
    const html = new MarkdownIt().render(fs.readFileSync(file('Q-1.md'), 'utf8'));
    for (const quote of ['Is there a backup?', 'Yes.', 'Where?'])
      assert.ok(html.includes(`<blockquote>\n<p>${quote}</p>\n</blockquote>`), html);
  });
});
