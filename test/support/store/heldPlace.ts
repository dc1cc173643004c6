/** A workspace with these files, some of which Q-1 holds: the question of an agent about its work item T1. */
import fs from 'node:fs';
import path from 'node:path';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { agent } from './people.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';

export async function heldPlace(
  files: readonly string[],
  holds: readonly string[],
  asker = agent('other-001'),
): Promise<Sandbox> {
  const sandbox = makeSandbox();
  for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(sandbox.folder, file)), { recursive: true });
    fs.writeFileSync(path.join(sandbox.folder, file), 'one\n');
  }
  const store = await sandbox.open().store();
  await registerWork(store, asker, { id: 'T1', workKind: 'task', title: 'Tokens' });
  await raiseQuestion(store, asker, {
    ...{ type: 'clarification', urgency: 'medium', mode: 'sync' },
    ...{ text: 'JWT or sessions?', work: 'T1', holds: [...holds] },
  });
  return sandbox;
}
