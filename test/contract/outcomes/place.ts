/** A workspace with work, an agent that asks and a human who decides, in which each outcome really happens. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import type { Signing } from '../../../src/app/decision/decisions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Notification } from '../../../src/core/waiting/eventStream.ts';
import { type ToolResult } from '../../../src/tools/kit/operation.ts';
import { agent, signedBy, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox } from '../../support/store/sandbox.ts';
import { type WithHuman } from '../../support/store/withHuman.ts';
import { runCli } from '../../support/store/runCli.ts';
import { callTool } from '../../support/store/callTool.ts';

export const asker = agent('copilot-001', { session: 'first' });

export interface Printed {
  readonly code: number;
  readonly text: string;
}

export interface Place extends WithHuman {
  readonly signing: Signing;
  readonly notifications: readonly Notification[];
  /** Calls a tool as an agent of a host, by default as the asker. */
  call(name: string, input?: object, who?: typeof asker): Promise<ToolResult>;
  /** Runs the command line, as the asker. */
  cli(...argv: readonly string[]): Promise<Printed>;
  /** Creates a git repository first. */
  git(...argv: readonly string[]): void;
}

export async function makePlace(): Promise<Place> {
  const sandbox = makeSandbox();
  // The command line uses the machine’s clock.
  sandbox.clock.now = Date.now();
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  const store = await workspace.store();
  await registerWork(store, asker, { id: 't-1', title: 'Clean up', status: 'in_progress' });
  const notifications: Notification[] = [];
  workspace.onNotify((one) => notifications.push(one));
  const git = (...argv: readonly string[]) => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false'];
    const run = (words: readonly string[]) =>
      execFileSync('git', ['-C', sandbox.folder, ...identity, ...words], {
        stdio: 'pipe',
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
      });
    if (!fs.existsSync(sandbox.at('ws', '.git'))) run(['init', '-q', '-b', 'main']);
    run(argv);
  };
  return {
    sandbox,
    workspace,
    store,
    human,
    signing: signedBy(store, human),
    notifications,
    call: (name, input = {}, as = asker) => callTool(workspace, name, input, { as }),
    async cli(...argv) {
      const env = { PATH: process.env['PATH'], HOLDPOINT_AGENT_ID: asker.actor.id };
      const { code, said } = await runCli(sandbox, argv, { env });
      return { code, text: said.join('\n') };
    },
    git,
  };
}

export function write(place: Place, name: string, text: string): string {
  const file = place.sandbox.at(name);
  fs.writeFileSync(file, text);
  return file;
}

export const newId = randomUUID;
