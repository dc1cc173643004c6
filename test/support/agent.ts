import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { raiseQuestion, type RaiseInput } from '../../src/app/question/questions.ts';
import type { QuestionView } from '../../src/app/question/views.ts';
import { registerWork, type RegisterInput } from '../../src/app/work/work.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace/workspace.ts';
import { wholeAgent } from '../../src/core/kit/persons.ts';
import { root } from './host.ts';

export interface AgentOptions {
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly id?: string;
  /** How far its clock is ahead. Milliseconds. */
  readonly ahead?: number;
}

/** An agent beside the editor, on the same store: the real use cases, in this process. */
export interface Agent {
  readonly workspace: Workspace;
  ask(text: string, more?: Partial<RaiseInput>): Promise<QuestionView>;
  register(id: string, title: string, more?: Partial<RegisterInput>): Promise<void>;
  close(): void;
}

export function startAgent({ workspace: folder, env, id = 'builder-001', ahead = 0 }: AgentOptions): Agent {
  const workspace = openWorkspace({
    folder,
    fs,
    env,
    platform: process.platform,
    home: env['HOME'] ?? '',
    clock: () => Date.now() + ahead,
    newId: randomUUID,
    wasm: () => fs.readFileSync(path.join(root, 'node_modules', 'sql.js', 'dist', 'sql-wasm.wasm')),
  });
  /** The workspace may be shared while it runs. */
  const whole = () => wholeAgent(workspace.person(), id);
  const session = () =>
    ({ actor: { kind: 'agent', id: whole(), worktree: workspace.worktree }, host: 'test' }) as const;
  return {
    workspace,
    async ask(text, more = {}) {
      const asked = { text, type: 'decision', urgency: 'medium', mode: 'sync', work: null, ...more } as const;
      return (await raiseQuestion(await workspace.store(), session(), asked)).question;
    },
    async register(work, title, more = {}) {
      await registerWork(await workspace.store(), session(), {
        id: work,
        workKind: 'task',
        title,
        status: 'in_progress',
        assignee: whole(),
        ...more,
      });
    },
    close: () => {
      workspace.close();
    },
  };
}
