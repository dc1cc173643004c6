/** What every verb says to a value that cannot be, to an option that it does not have, and to a misspelt one. */
import assert from 'node:assert/strict';
import { Command, type Option } from 'commander';
import { main, verbsOf } from '../../src/cli/program.ts';
import { register } from '../../src/cli/kit/verb.ts';
import type { Io } from '../../src/cli/kit/io.ts';
import { ioOf } from '../support/store/repository.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../support/store/sandbox.ts';

/** Programs of their own, or verbs that need a server. */
const others = new Set(['mcp', 'serve', 'hook', 'team', 'setup', 'watch', 'remind']);

interface Verb {
  readonly words: readonly string[];
  readonly command: Command;
}

function verbsIn(command: Command, words: readonly string[] = []): Verb[] {
  if (command.commands.length === 0) return [{ words, command }];
  return command.commands.flatMap((child) => verbsIn(child, [...words, child.name()]));
}

const program = new Command();
for (const verb of await verbsOf(null)) register(program, verb, { io: {} as Io, version: '' }, () => undefined);
const verbs = verbsIn(program).filter(({ words: [first = ''] }) => !others.has(first));

const items = new Set(['question', 'rfc', 'work', 'request', 'responsibility', 'gate', 'post', 'search', 'briefing']);
const wrong = ['', 'x'.repeat(20_000), '{'];

/** Texts of zod, of the system, of git and of SQLite, and names of inputs that nobody typed. */
const raw =
  /Invalid |Expected |Unrecognized|\bNaN\b|not null|undefined|ZodError|E[A-Z]{4,}:|fatal:|Command failed|SQLITE|syntax error|constraint|\[\d+\]|\b[a-z]+_(?:id|ids|at|seconds|json|path|text|reason)\b/;

const values: Readonly<Record<string, string>> = { work: 't-1', question: 'Q-1', rfc: 'RFC-1', request: 'R-1' };

describe('wrong input of verbs', function () {
  this.timeout(120_000);
  let place: Sandbox;
  before(async () => {
    place = makeSandbox();
    for (const line of [
      'work register --id t-1 --title One',
      'question create --text Really? --blocking-task-id t-1',
      'rfc create --title Tokens --summary So --blocking-task-id t-1',
      'responsibility register --id a --name A',
      'responsibility register --id b --name B',
      'request create --origin a --target b --subject So --summary So',
    ])
      assert.equal((await run(line.split(' '))).code, 0, line);
  });
  after(removeSandboxes);

  async function run(args: readonly string[]): Promise<{ code: number; said: string }> {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const code = await main(args, { ...ioOf(place, place.folder), out: say, err: say }, '0.0.0');
    return { code, said: said.join('\n') };
  }

  /** The words of a call with all that the verb needs, except one option. */
  function callOf({ words, command }: Verb, without?: Option): string[] {
    const [first = ''] = words;
    const given = command.registeredArguments.filter(({ required }) => required).map(() => values[first] ?? 'E-1');
    const needed = command.options.filter((option) => option.mandatory && option !== without);
    return [...words, ...given, ...needed.flatMap(({ long }) => [long ?? '', 'x'])];
  }

  it('an unknown option is refused', async () => {
    for (const { words } of verbs) {
      const { code, said } = await run([...words, '--nonesuch', 'x']);
      assert.notEqual(code, 0);
      assert.match(said, /unknown option '--nonesuch'|not specified|missing required/, words.join(' '));
    }
  });

  it('an id that does not exist is repeated in the error and in its advice', async () => {
    for (const [line, says] of [
      ['question show Q-99', /Q-99/],
      ['question await Q-99 --wait 0', /Q-99/],
      ['rfc show RFC-99', /RFC-99/],
      ['request show R-99', /R-99/],
      ['work show t-99', /"t-99" is not registered\. .* work register --id t-99/],
      ['work update t-99 --status done', /"t-99" is not registered\. .* work register --id t-99/],
      ['gate --work t-99', /"t-99" is not registered\. .* work register --id t-99/],
      ['question create --text x --blocking-task-id t-99', /work register --id t-99/],
      ['approve RFC-7', /open RFC-7/],
    ] as const) {
      const { code, said } = await run(line.split(' '));
      assert.notEqual(code, 0, line);
      assert.match(said, says);
    }
  });

  it('a task is refused where a workflow is meant', async () => {
    for (const line of [
      'question create --text Which? --blocking-workflow-id t-1',
      'rfc create --title Other --blocking-workflow-id t-1',
      'rfc update RFC-1 --blocking-workflow-id t-1',
    ]) {
      const { code, said } = await run(line.split(' '));
      assert.equal(code, 1, line);
      assert.match(said, /--blocking-workflow-id: t-1 is a task, not a workflow/);
    }
  });

  it('rfc update adds a question, and replaces all of them only when asked to', async () => {
    const questions = async () => {
      const { said } = await run(['rfc', 'show', 'RFC-1', '--json']);
      const { rfc } = JSON.parse(said) as { rfc: { questions: { text: string }[] } };
      return rfc.questions.map(({ text }) => text);
    };
    for (const [option, text, expected] of [
      ['--question', 'First?', ['First?']],
      ['--question', 'Second?', ['First?', 'Second?']],
      ['--question', 'second?', ['First?', 'Second?']],
      ['--replace-question', 'Third?', ['Third?']],
    ] as const) {
      assert.equal((await run(['rfc', 'update', 'RFC-1', option, text])).code, 0);
      assert.deepEqual(await questions(), expected);
    }
  });

  it('every list of items has the same options, and they select', async () => {
    for (const list of ['question', 'rfc', 'work', 'request']) {
      const { command } = verbs.find(({ words }) => words.join(' ') === `${list} list`)!;
      const names = command.options.map(({ long }) => long);
      for (const name of ['--status', '--agent', '--work', '--skip', '--limit']) assert.ok(names.includes(name), list);
      const box = list === 'request' ? ['--box', 'all'] : [];
      const total = async (...more: string[]) => {
        const { said } = await run([list, 'list', ...box, ...more, '--json']);
        return (JSON.parse(said) as { total: number }).total;
      };
      assert.equal(await total(), 1, list);
      assert.equal(await total('--agent', 'nobody-001'), 0, list);
      assert.equal(await total('--work', 'nothing'), 0, list);
      assert.match((await run([list, 'list', ...box, '--skip', '1'])).said, /1/, list);
    }
  });

  it('reading a list of requests acknowledges none of them, and reading one does', async () => {
    const acknowledged = async () => {
      const { said } = await run(['request', 'list', '--box', 'all', '--json']);
      const { requests } = JSON.parse(said) as { requests: { acknowledged_at: string | null }[] };
      return requests.map(({ acknowledged_at: at }) => at !== null);
    };
    await run(['request', 'list']);
    assert.deepEqual(await acknowledged(), [false]);
    await run(['request', 'show', 'R-1']);
    assert.deepEqual(await acknowledged(), [true]);
  });

  it('open says that there is no editor, and fails', async () => {
    const { code, said } = await run(['open', 'Q-1']);
    assert.equal(code, 1);
    assert.match(said, /Q-1 was not opened: no editor with Holdpoint has this folder open/);
  });

  it('no value is answered with a raw text, and each error mentions the option as it was typed', async () => {
    for (const verb of verbs.filter(({ words: [first = ''] }) => items.has(first)))
      for (const option of verb.command.options.filter(({ required }) => required)) {
        const name = option.long ?? '';
        for (const value of wrong) {
          const { code, said } = await run([...callOf(verb, option), `${name}=${value}`]);
          if (code === 0) continue;
          const about = `${verb.words.join(' ')} ${name}=${value.slice(0, 10)}: ${said.slice(0, 300)}`;
          assert.doesNotMatch(said, raw, about);
          assert.ok(said.length < 2_500, `long: ${about}`);
          if (said.startsWith('Nothing was done.')) assert.match(said, /--[a-z]|<[a-z]+>/, about);
        }
      }
  });
});
