/** `node test/support/store/writeFixture.ts 0.1.0`: saves a store of this version, for later versions to read. */
import fs from 'node:fs';
import path from 'node:path';
import { fillWithEverything, readings } from './everything.ts';
import { makeSandbox } from './sandbox.ts';

const version = process.argv[2];
if (version === undefined) throw new Error('which version? for example 0.1.0');
const folder = path.join(import.meta.dirname, '..', '..', 'fixtures', 'stores', version);
if (fs.existsSync(path.join(folder, 'journal.jsonl')))
  throw new Error(`${folder} is there already: it must never change`);
fs.mkdirSync(folder, { recursive: true });
const sandbox = makeSandbox();
const workspace = sandbox.open();
await fillWithEverything(workspace, sandbox.clock);
const read = { now: sandbox.clock.now, readings: readings((await workspace.store()).read()) };
workspace.close();
fs.writeFileSync(path.join(folder, 'expected.json'), `${JSON.stringify(read, null, 1)}\n`);
fs.copyFileSync(sandbox.journal, path.join(folder, 'journal.jsonl'));
fs.copyFileSync(path.join(sandbox.userFolder, 'keys.json'), path.join(folder, 'keys.json'));
