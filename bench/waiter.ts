/** An agent that repeatedly asks and waits: `waiter.ts <folder> <home> [<URL of a shared journal>]`. Reports when each call returned. */
import { takeBaselines } from '../src/app/hold/takeBaselines.ts';
import { raiseQuestion } from '../src/tools/question/raiseQuestion.ts';
import { runOperation } from '../src/tools/kit/operation.ts';
import { wholeAgent } from '../src/core/kit/persons.ts';
import { databaseUrl } from '../src/store/shared/login.ts';
import { agent } from '../test/support/store/people.ts';
import { openPlace } from './seed.ts';
import { sharedNow } from './stats.ts';

const [, , folder = '', home = '', url] = process.argv;
const workspace = openPlace({ folder, home }, url === undefined ? {} : { env: { [databaseUrl]: url } });
await workspace.store();
const session = agent(wholeAgent(workspace.person(), 'waiter-001'));
// Otherwise the first calls take them for all questions of the seed.
await takeBaselines(workspace);
const { signal } = new AbortController();
/** As the MCP server does it: the connection sends what is recorded before what the next call asks for. */
const later = (recording: Promise<void>) => void recording.catch(console.error);

process.on('message', (text: string) => {
  const context = { workspace, session, signal, waitMs: Infinity, later };
  const input = { text, work_id: 'free', mode: 'sync' };
  void runOperation(raiseQuestion, context, input).then(({ data }) => process.send?.({ at: sharedNow(), data }));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
