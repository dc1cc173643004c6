/** One MCP server with the official client, an agent using it, and sudden kills. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startMcp } from '../../test/support/mcp.ts';
import type { Mcp, Place, Result } from '../../test/support/mcp.ts';
import { inCall } from './book.ts';
import type { Book } from './book.ts';

export interface ServerUnderTest {
  readonly name: string;
  work(goesOn: () => boolean): Promise<void>;
  killAndRestart(): Promise<void>;
  /** A call at the end, after the last kill. */
  call(tool: string, input?: object): Promise<Result>;
  close(): Promise<void>;
}

const pauseMs = 300;

export function newServer(place: Place, name: string, book: Book): ServerUnderTest {
  let running: Promise<Mcp> = startMcp(place, { name });
  let number = 0;
  let work: string | null = null;
  const what = 'calls over MCP';

  /** Null when the server died before answering: then the outcome is unknown, and nothing is expected. */
  async function attempt(tool: string, input: object): Promise<Result | null> {
    const server = await running;
    try {
      const result = await server.call(`holdpoint_${tool}`, input);
      book.count(what);
      if (/UNKNOWN|unknown_state/.test(JSON.stringify(result.data)) || result.text.includes('UNKNOWN'))
        book.trouble(`${name}, ${tool}: ${result.text}`);
      return result;
    } catch (error) {
      book.count('calls over MCP without a result because of a kill');
      if (server === (await running)) book.trouble(`${name}, ${tool}: ${String(error)}`);
      return null;
    }
  }
  async function step(): Promise<void> {
    number++;
    if (work === null || number % 4 === 1) await register();
    else await ask();
    if (number % 5 === 0) await attempt('list_questions', { status: 'pending' });
  }

  async function register(): Promise<void> {
    const id = `${name}-${String(number)}`;
    const result = await attempt('register_work', {
      id,
      title: `Step ${String(number)} of ${name}`,
      holds: [`src/${name}/${String(number)}`],
      ...(work === null ? {} : { depends_on: [work] }),
    });
    // Every second item has no dependencies, so that chains do not hold everything.
    if (result && !result.isError) {
      book.registered.add(id);
      book.count('work items registered');
      work = number % 8 === 1 ? id : null;
    } else if (result) book.trouble(`${name}, register_work: ${result.text}`);
  }

  async function ask(): Promise<void> {
    const waits = number % 3 === 0;
    const text = `${name} asks: may step ${String(number)} go on? ${waits ? inCall : ''}`.trim();
    const result = await attempt('raise_question', {
      text,
      ...(work === null ? {} : { work_id: work }),
      mode: number % 6 === 2 ? 'async' : 'sync',
      wait_seconds: waits ? 12 : 0,
    });
    if (!result) return;
    const question = result.data['question'] as { id: string; answer: { text: string | null } | null } | undefined;
    if (result.isError || !question) {
      book.trouble(`${name}, raise_question: ${result.text}`);
      return;
    }
    book.asked.set(question.id, { text, work, by: name });
    book.count('questions asked over MCP');
    const said = question.answer?.text ?? null;
    if (said === null) return;
    book.returned.set(question.id, said);
    book.count('answers returned by the waiting call');
  }

  return {
    name,
    async work(goesOn) {
      while (goesOn()) {
        await step();
        await sleep(pauseMs);
      }
    },
    async killAndRestart() {
      const server = await running;
      const next = (async () => {
        await server.kill();
        return startMcp(place, { name });
      })();
      running = next;
      await next;
      book.count('servers killed (SIGKILL) and started again');
    },
    call: async (tool, input = {}) => (await running).call(`holdpoint_${tool}`, input),
    close: async () => (await running).close(),
  };
}
