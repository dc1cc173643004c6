import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from './host.ts';
import { checkPrinted } from './outputs.ts';
import type { SystemUser } from './secondUser.ts';

export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs this checkout's command line, as an agent's shell, a hook or CI does. */
export async function holdpoint(
  where: { readonly workspace: string; readonly env: NodeJS.ProcessEnv; readonly user?: SystemUser | undefined },
  ...args: readonly string[]
): Promise<Called> {
  const cli = path.join(root, 'dist', 'cli.cjs');
  const child = spawn(process.execPath, [cli, '--workspace', where.workspace, ...args], {
    env: where.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...where.user,
  });
  const exit = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? -1);
    });
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  assert.doesNotMatch(err + printedText(out), /holdpoint_[a-z]+_/, 'verbs advise verbs');
  if (args.includes('--json') && out !== '') checkPrinted(out);
  return { code, out: out.trim(), err: err.trim() };
}

/** The output, unless it is an export, which may quote tools. */
function printedText(out: string): string {
  return out.startsWith('{"holdpoint_export') ? '' : out;
}
