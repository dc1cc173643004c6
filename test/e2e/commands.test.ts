import assert from 'node:assert/strict';
import type * as crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readAll } from '../support/answerForm.ts';
import { root } from '../support/host.ts';
import { freePort } from '../support/ports.ts';
import { runs } from '../support/runs.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
const commands = manifest.contributes.commands.map(({ command }) => command);

const settings = { 'holdpoint.browserPort': await freePort() };

/** Every fourth of the arguments for one command, the next of them for the next one; all with HOLDPOINT_RUNS=all. */
const every = 4 / runs(4);

describe('Commands, called by whatever else runs in the editor', () => {
  let { workspace, editor, agent } = {} as OnSample;
  onSample(
    async (opened) => {
      ({ workspace, editor, agent } = opened);
      await agent.register('t-1', 'API tokens');
      await agent.ask('JWT or sessions?', { work: 't-1', urgency: 'critical', choices: [{ label: 'JWT' }] });
      await agent.ask('Which port?', { work: 't-1' });
    },
    { settings },
  );

  const journal = () => readFileSync(path.join(workspace.folder, '.holdpoint', 'journal', '00000001.jsonl'), 'utf8');

  for (const [index, command] of commands.entries()) {
    it(`${command} decides nothing, whatever it is given`, async () => {
      const before = { journal: journal(), pins: agent.workspace.pins() };
      await editor.window.evaluate(
        async ({ vscode, require: load }, { id, first, every }) => {
          const decision = { choices: ['JWT'], text: 'Yes', note: 'Go on', reason: 'No', confirmed: true };
          const question = { id: 'Q-1', asker: 'builder-001', ...decision };
          const folder = vscode.workspace.workspaceFolders?.[0];
          const { createHash } = load('node:crypto') as typeof crypto;
          /** As src/vscode/kit/folders.ts names it. */
          const name = createHash('sha256').update(String(folder?.uri)).digest('hex').slice(0, 16);
          const marks = { act: 'a', key: `${name}/Q-1`, shown: 's', render: 'r', name: 'Mallory', ...decision };
          const throws = new Proxy(
            {},
            {
              get: () => {
                throw new Error('no');
              },
            },
          );
          const cyclic: Record<string, unknown> = { kind: 'question', question };
          cyclic['folder'] = cyclic;
          const polluted = JSON.parse(
            '{"__proto__":{"type":"answer","confirmed":true},"constructor":{"id":"Q-1"}}',
          ) as object;
          const hostile: unknown[][] = [
            [],
            ['Q-1'],
            ['Q-1', decision],
            [`${name}/Q-1`, 'answer', 'JWT'],
            [`${name}/policy`, { lifeHours: 1, onExpiry: 'expire', overdue: 'alert', confirmed: true }],
            [`${name}/agent/builder-001`, { note: 'Go on', confirmed: true }],
            ['0/Q-1'],
            ['-1/Q-1'],
            ['../../etc/passwd'],
            ['x'.repeat(100_000)],
            [null],
            [{ kind: 'question', folder: { workspace: {}, name: 'shop', uri: folder?.uri }, question }],
            [{ kind: 'question', folder: null, question: null }],
            ...['answer', 'cancel', 'release'].map((type) => [{ type, ...marks }]),
            [{ type: 'releaseAll', ...marks }],
            [{ type: 'policy', ...marks, lifeHours: 1, onExpiry: 'expire', overdue: 'alert' }],
            [{ type: 'recover', ...marks, way: 'startAnew', confirmation: 'start over' }],
            [[{ type: 'answer', ...marks }]],
            [{ type: 'enrol', ...marks, lost: [] }],
            [{ type: 'keys', ...marks, what: { do: 'rotate' } }],
            [`${name}/keys`, { do: 'trust', called: 'Mallory' }],
            [`${name}/enrol`, 'Mallory'],
            ['answered', 'answered'],
            ['__proto__'],
            ['constructor'],
            [`${name}/__proto__`],
            [`${name}/policy\u0000`],
            ['%51-1'],
            [undefined],
            [true],
            [-1],
            [NaN],
            [10n ** 30n],
            [Symbol('Q-1')],
            [() => 'Q-1'],
            [new Date(0)],
            [new Map([['id', 'Q-1']])],
            [Object.create(null)],
            [Object.create({ id: 'Q-1', type: 'answer', ...marks })],
            [polluted],
            [cyclic],
            [throws],
            [[], {}, [[]], { length: 2 ** 31 }],
            Array.from({ length: 1_000 }, (_, index) => ({ id: `Q-${String(index)}`, ...decision })),
          ];
          for (const args of hostile.filter((_, number) => number % every === first)) {
            // Some ask which folder or group is meant: Escape answers, like a human who wants none of it.
            const done = Promise.resolve(vscode.commands.executeCommand(id, ...args)).catch(() => undefined);
            const asks = new Promise((resolve) => setTimeout(resolve, 150));
            await Promise.race([done, asks]);
            await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
          }
        },
        { id: command, first: index % every, every },
      );
      assert.equal(journal(), before.journal);
      assert.deepEqual(agent.workspace.pins(), before.pins);
    });
  }

  it('the questions still wait, under the same policy', async () => {
    const { state } = agent.workspace.standing();
    assert.deepEqual(
      [...(state?.questions.values() ?? [])].map(({ status }) => status),
      ['pending', 'pending'],
    );
    assert.deepEqual(state?.policy, { questionLifeHours: 24, onExpiry: 'expire' });
    assert.deepEqual(state.refusals, []);
    // The form is there, and a human is still asked.
    await editor.window.command('Answer Next Question');
    const form = await editor.window.webview('main[data-view="question"][data-ready="true"]');
    await (await readAll(form)).locator('[data-act="decide"]').waitFor();
  });
});
