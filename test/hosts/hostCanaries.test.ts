/**
 * The real Codex, Copilot CLI and opencode with scripted models: each tries to change files with its own tool, a command
 * and another MCP server, in a subagent too. First another agent's question holds a file; a human answers it; then the
 * session's own question holds the session; a human answers that too. One of them each day, unless HOLDPOINT_RUNS=all.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openWorkspace } from '../../src/app/workspace/workspace.ts';
import { canaryHosts, type CanaryHost } from '../support/canaryHosts.ts';
import { player, type Conversation } from '../support/conversation.ts';
import { foreignCalls, foreignMcp } from '../support/foreignMcp.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { run, start } from '../support/processes.ts';
import { resumables } from '../support/resumable.ts';
import { ofTheDay } from '../support/runs.ts';
import { decide, enrolledHuman } from '../support/store/people.ts';
import { realFs, wasm } from '../support/store/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** What became of each way to change a file, by situation. */
type Outcomes = Record<string, Record<string, string>>;

const agents = ['', ' of a subagent'] as const;
const ways = ['edit', 'command', 'MCP tool'] as const;

function all(outcome: string): Record<string, string> {
  return Object.fromEntries(agents.flatMap((agent) => ways.map((way) => [`${way}${agent}`, outcome])));
}

const expected: Outcomes = {
  'held.txt, held by another agent': all('denied by Q-1'),
  'free.txt': all('done'),
  'held.txt, after the answer': all('done'),
  'free.txt, while the session is held': all('denied by Q-2'),
  'free.txt, after the answer': all('done'),
};

describe('Canaries in real hosts', () => {
  const left: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const end of left.splice(0).reverse()) await end();
  });

  async function prepared(canary: CanaryHost, program: string) {
    const { prepare, env: more, args, always = [] } = resumables[canary.host];
    const place = await temporaryFolder();
    left.push(() => place.remove());
    const inside = (...names: string[]) => path.join(place.folder, ...names);
    const folder = inside('shop');
    for (const made of [folder, inside('home')]) await mkdir(made);
    await run('git', ['init', '-q'], { cwd: folder });
    for (const name of ['held.txt', 'free.txt']) await writeFile(path.join(folder, name), 'end\n');
    const bins = [path.dirname(process.execPath), '/usr/bin', '/bin'];
    const base = { PATH: bins.join(path.delimiter), HOME: inside('home'), TERM: 'xterm-256color' };
    const other = ['question', 'create', '--text', 'May I?', '--type', 'decision', '--holds', 'held.txt'];
    const asked = await holdpoint({ workspace: folder, env: { ...base, HOLDPOINT_AGENT_ID: 'other-001' } }, ...other);
    assert.equal(asked.code, 0, asked.err);
    const workspace = openWorkspace({
      ...{
        folder,
        fs: realFs,
        env: base,
        platform: 'linux',
        home: base.HOME,
        clock: Date.now,
        newId: randomUUID,
        wasm,
      },
    });
    left.push(() => workspace.close());
    const log = inside('foreign.log');
    const go = async (url: string): Promise<string> => {
      await prepare(base.HOME, folder, url);
      await canary.prepare?.(base.HOME);
      await canary.addServer(base.HOME, 'foreign', foreignMcp(log));
      const env = { ...base, ...more(url) };
      const setup = await holdpoint({ workspace: folder, env }, 'setup', '--host', canary.host);
      assert.equal(setup.code, 0, setup.err);
      const ran = start(program, [...always, ...args('Change the files.')], { cwd: folder, env });
      left.push(() => ran.stop());
      await ran.exited;
      return ran.output();
    };
    return { folder, workspace, log, go };
  }

  for (const [name, canary] of ofTheDay(Object.entries(canaryHosts)))
    it(`${name} is denied each way while something holds it, and only then`, async function () {
      const found = await resumables[canary.host].find();
      if ('missing' in found || process.platform !== 'linux') {
        console.log(`    ${'missing' in found ? found.missing : 'needs Linux'}: skipped`);
        this.skip();
      }
      const { folder, workspace, log, go } = await prepared(canary, found.program);
      const human = enrolledHuman(workspace);
      const outcomes: Outcomes = {};
      const failures: unknown[] = [];
      let count = 0;

      async function outcomeOf(file: string, text: string, said: string): Promise<string> {
        const reached =
          JSON.stringify(foreignCalls(log)).includes(text) || (await readFile(file, 'utf8')).includes(text);
        const denied = /Denied: [^]*? by (Q-\d+) /.exec(said)?.[1];
        if (reached) return denied === undefined ? 'done' : `done, with a denial: ${said}`;
        return denied === undefined ? said : `denied by ${denied}`;
      }

      async function* attempts(situation: string, agent: (typeof agents)[number]): Conversation {
        const file = path.join(folder, situation.slice(0, 'held.txt'.length));
        for (const way of ways) {
          const text = `try-${String(++count)}-`;
          const call = {
            edit: () => canary.edit(file, text),
            command: () => canary.shell(`echo ${text} >> ${file}`),
            'MCP tool': () => canary.server('foreign', 'put_note', { path: file, text: `${text}\nend\n` }),
          }[way]();
          const said = yield call;
          (outcomes[situation] ??= {})[`${way}${agent}`] = await outcomeOf(file, text, said);
        }
      }

      /** In the session, then in a subagent. */
      async function* both(subagent: string, ...situations: string[]): Conversation {
        for (const situation of situations) yield* attempts(situation, '');
        subagents.set(
          subagent,
          player(inSubagent(situations), (error) => failures.push(error)),
        );
        yield* canary.subagent(`Change the files as ${subagent}.`);
      }
      async function* inSubagent(situations: readonly string[]): Conversation {
        for (const situation of situations) yield* attempts(situation, ' of a subagent');
      }
      const subagents = new Map<string, ReturnType<typeof player>>();

      async function* session(): Conversation {
        yield* both('subagent-1', 'held.txt, held by another agent', 'free.txt');
        await decide(workspace, human, 'Q-1');
        yield* both('subagent-2', 'held.txt, after the answer');
        yield canary.server('holdpoint', 'holdpoint_raise_question', { text: 'Shall I go on?', wait_seconds: 0 });
        yield* both('subagent-3', 'free.txt, while the session is held');
        await decide(workspace, human, 'Q-2');
        yield* both('subagent-4', 'free.txt, after the answer');
      }

      const main = player(session(), (error) => failures.push(error));
      const model = await canary.speak((texts) => {
        const subagent = [...subagents.keys()].find((key) => texts.some((text) => text.includes(`as ${key}.`)));
        return subagent === undefined ? main : (subagents.get(subagent) ?? null);
      });
      left.push(() => model.close());
      const output = await go(model.url);
      assert.deepEqual(failures, [], output);
      assert.deepEqual(outcomes, expected, output);
    });
});
