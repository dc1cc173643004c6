/** What a hook answers that a host starts: by default before a call of Claude Code's session `s-1`. */
import { randomUUID } from 'node:crypto';
import { answerHook, type HookRequest } from '../../../src/hook/answer.ts';
import { realFs, wasm, type Sandbox } from './sandbox.ts';

type Surroundings = Parameters<typeof answerHook>[1];

export function hookAnswer(
  { folder, home, clock }: Pick<Sandbox, 'folder' | 'home' | 'clock'>,
  payload: object,
  {
    env = {},
    platform = 'linux',
    fs = realFs,
    ...request
  }: Partial<HookRequest> & Partial<Pick<Surroundings, 'env' | 'platform' | 'fs'>> = {},
): ReturnType<typeof answerHook> {
  const sent = { hook_event_name: 'PreToolUse', session_id: 's-1', cwd: folder, ...payload };
  return answerHook(
    { host: 'claude-code', folder, bytes: Buffer.from(JSON.stringify(sent)), ...request },
    { fs, env, platform, home, clock: () => clock.now, newId: randomUUID, wasm },
  );
}
