/** The hook program, as Claude Code runs it before a call. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './host.ts';

export interface HookAnswer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Denials with these words are about the machine: a busy one can be too slow for the hook's five seconds. */
const late = 'no answer within 5 seconds';

export function isLate(...said: readonly string[]): boolean {
  return said.some((text) => text.includes(late));
}

/** Asks again, twice at most, if the machine was too slow to answer. */
export function askHook(
  { workspace, env }: { readonly workspace: string; readonly env: NodeJS.ProcessEnv },
  call: { readonly tool_name: string; readonly tool_input: object },
): HookAnswer {
  const program = [path.join(root, 'dist', 'hook.cjs'), 'claude-code', '--workspace', workspace];
  const input = JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd: workspace, ...call });
  for (let tries = 1; ; tries++) {
    const answer = spawnSync(process.execPath, program, { input, env, encoding: 'utf8' });
    if (tries === 3 || !isLate(answer.stdout, answer.stderr)) return answer;
  }
}
