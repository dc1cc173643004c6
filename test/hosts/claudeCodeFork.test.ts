/** The real Claude Code with a scripted model: a session that is forked while its question is open is held as its parent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findClaudeCode } from '../support/claudeCode.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { start } from '../support/processes.ts';
import { resumables } from '../support/resumable.ts';
import { anthropicResults, startScriptedAnthropic, type ScriptedAnthropic } from '../support/scriptedAnthropic.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

describe('The real Claude Code that forks a session', () => {
  let place: TemporaryFolder;
  let model: ScriptedAnthropic | undefined;
  after(async () => {
    await model?.close();
    await (place as TemporaryFolder | undefined)?.remove();
  });

  it('holds the fork as its parent, which asked a question', async function () {
    const found = await findClaudeCode();
    if ('missing' in found || process.platform === 'win32') {
      console.log(`    ${'missing' in found ? found.missing : 'Windows'}: skipped`);
      this.skip();
    }
    place = await temporaryFolder();
    const workspace = path.join(place.folder, 'shop');
    const home = path.join(place.folder, 'home');
    const file = path.join(workspace, 'cart.js');
    for (const folder of [workspace, home]) await mkdir(folder, { recursive: true });
    await writeFile(file, 'one\n');
    const ask = {
      name: 'mcp__holdpoint__holdpoint_raise_question',
      input: { text: 'May I change the cart?', wait_seconds: 0 },
    };
    const write = { name: 'Write', input: { file_path: path.join(workspace, 'new.js'), content: 'two\n' } };
    let said: readonly string[] = [];
    model = await startScriptedAnthropic((request) => {
      if (request.tools.length === 0) return { say: 'Title' };
      said = anthropicResults(request);
      // A fork has the conversation of its parent, with the question in it.
      const isFork = JSON.stringify(request.messages).includes('Go on as a fork.');
      const step = isFork ? [ask, write][said.length] : [ask][said.length];
      return step ? { call: [step] } : { say: 'Done.' };
    });
    const { prepare, env: more } = resumables['claude-code'];
    await prepare(home, workspace, model.url);
    const bins = [path.dirname(process.execPath), '/usr/bin', '/bin'];
    const env = { PATH: bins.join(path.delimiter), HOME: home, ...more(model.url) };
    const setup = await holdpoint({ workspace, env }, 'setup', '--host', 'claude-code');
    assert.equal(setup.code, 0, setup.err);
    const settings = path.join(home, '.claude', 'settings.json');
    await mkdir(path.dirname(settings), { recursive: true });
    const own = existsSync(settings) ? (JSON.parse(readFileSync(settings, 'utf8')) as object) : {};
    const log = { type: 'command', command: `cat >> '${path.join(place.folder, 'starts')}'` };
    await writeFile(settings, JSON.stringify({ ...own, hooks: { SessionStart: [{ hooks: [log] }] } }));
    const session = randomUUID();
    const run = async (...args: string[]) => {
      const always = ['--permission-mode', 'acceptEdits', '--allowedTools', 'mcp__holdpoint'];
      const ran = start(found.program, ['-p', ...args, ...always], { cwd: workspace, env });
      assert.equal(await ran.exited, 0, ran.output());
    };
    await run('Ask first.', '--session-id', session);
    await run('Go on as a fork.', '--resume', session, '--fork-session');
    const starts = readFileSync(path.join(place.folder, 'starts'), 'utf8');
    assert.equal(new Set([...starts.matchAll(/"session_id":"([^"]+)"/g)].map(([, id]) => id)).size, 2, starts);
    assert.match(said.at(-1) ?? '', /Denied: [^]*Q-1 "May I change the cart\?"/);
    assert.ok(!existsSync(path.join(workspace, 'new.js')));
  });
});
