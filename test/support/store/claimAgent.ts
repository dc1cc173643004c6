/** A program that claims an agent until it is stopped: `claimAgent.ts <folder> <home>`. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { openAgent } from '../../../src/app/workspace/agents.ts';
import { openWorkspace } from '../../../src/app/workspace/workspace.ts';
import { wasm } from './sandbox.ts';

const [, , folder = '', home = ''] = process.argv;
const workspace = openWorkspace({
  folder,
  fs,
  env: {},
  platform: 'linux',
  home,
  clock: Date.now,
  newId: randomUUID,
  wasm,
});
process.stdout.write(openAgent(workspace, { type: 'codex', host: 'test' }).session.actor.id);
process.stdin.resume();
