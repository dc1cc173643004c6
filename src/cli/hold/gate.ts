/** `holdpoint gate`: allows or denies, for shells, commits and scripts. Exits 2 unless the answer is "allow". */
import path from 'node:path';
import { askGate } from '../../app/hold/gate.ts';
import { agentOfWorktree } from '../../app/workspace/agents.ts';
import { openAtGate, type Answering } from '../../app/workspace/atGate.ts';
import { realPathOf } from '../../app/workspace/paths.ts';
import { gateReasons } from '../../core/hold/gate.ts';
import { fewNames } from '../../core/kit/text.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import type { CurrentState } from '../../core/state/state.ts';
import { gateText } from '../../tools/kit/gateText.ts';
import { type ExitCode, type Globals, type Io, isNamed, optionsOf, shellSession, verbGuide } from '../kit/io.ts';

export interface GateOptions {
  readonly work?: string | undefined;
  readonly file: readonly string[];
}

/**
 * Parses the arguments in the plain form that hooks and scripts use: hosts ask before every edit, and loading the full
 * parser would slow each of those down. Returns null for anything else, including errors: the parser handles those.
 */
export function plainGate(
  argv: readonly string[],
): { readonly globals: Globals; readonly options: GateOptions } | null {
  const given = new Map<string, string>();
  const file: string[] = [];
  let json = false;
  let isGate = false;
  for (let place = 0; place < argv.length; place++) {
    const name = argv[place] ?? '';
    if (name === 'gate' && !isGate) isGate = true;
    else if (name === '--json') json = true;
    else if (name === '--workspace' || (isGate && (name === '--work' || name === '--file'))) {
      const value = argv[++place];
      if (value === undefined || value.startsWith('-') || given.has(name)) return null;
      if (name === '--file') file.push(value);
      else given.set(name, value);
    } else return null;
  }
  if (!isGate) return null;
  return { globals: { workspace: given.get('--workspace'), json }, options: { work: given.get('--work'), file } };
}

export async function answerGate(io: Io, flags: Globals, options: GateOptions): Promise<ExitCode> {
  try {
    return await answerFrom(io, flags, options);
  } catch (error) {
    const { printError } = await import('../kit/outputs.ts');
    printError(io, flags, error, { result: 'denied', names: new Map([['files', '--file']]) });
    return 2;
  }
}

async function answerFrom(io: Io, flags: Globals, options: GateOptions): Promise<ExitCode> {
  const workspace = await openAtGate(optionsOf(io, flags.workspace));
  try {
    const asked = fewNames([options.work, ...options.file].filter((subject) => subject !== undefined));
    const session = sessionOf();
    await workspace.confirming?.ask();
    const isWatching = (workspace.current().state?.heldFiles.size ?? 0) > 0;
    const watching = isWatching ? await import('../../app/hold/lookAtHeld.ts') : null;
    const found = (await watching?.lookAtHeld(workspace)) ?? [];
    const asking = askGate(workspace, {
      work: options.work,
      files: options.file.flatMap((file) => namesOf(io, workspace, file)),
      session,
    });
    const answer = (await watching?.withBaselines(workspace, asking)) ?? { ...asking, why: null };
    const { state } = workspace.current();
    const agent = typeof session === 'object' ? session.agent : null;
    const waiting = state && agent !== null ? await waitingText(state, agent) : null;
    const gate =
      answer.why ??
      gateText(answer, {
        guide: verbGuide,
        asked: asked === '' ? 'this session' : asked,
        work: state?.work.get(options.work ?? ''),
      });
    const changed =
      state && found.length > 0 ? (await import('../../tools/kit/gateText.ts')).heldChangesText(state, found) : null;
    const ofShell = state && session === undefined ? heldShellText(workspace, state) : null;
    const text = [gate, ofShell, changed, waiting?.text ?? null].filter((line) => line !== null).join('\n');
    const isAllowed = answer.verdict === 'allow';
    if (flags.json) io.out((await import('../kit/outputs.ts')).gateJson(answer, waiting?.count ?? 0, text));
    else if (isAllowed) io.out(text);
    else io.err(text);
    return isAllowed ? 0 : 2;

    function sessionOf() {
      if (isNamed(io)) return { agent: shellSession(io, workspace).actor.id };
      return asked === '' ? ('unknown' as const) : undefined;
    }
  } finally {
    workspace.close();
  }
}

/** Null for no request that waits for this agent. */
async function waitingText(state: CurrentState, agent: string): Promise<{ count: number; text: string } | null> {
  if (state.requests.size === 0) return null;
  const [{ requestsWaitingFor }, { waitingIdsText }] = await Promise.all([
    import('../../core/request/due.ts'),
    import('../../tools/kit/requestTexts.ts'),
  ]);
  const waiting = requestsWaitingFor(state, agent);
  return waiting.length === 0 ? null : { count: waiting.length, text: waitingIdsText(waiting, verbGuide) };
}

/**
 * A caller without a name may be a human's script, so holds on its session do not deny. It may as well be an agent that
 * asked something on the command line.
 */
function heldShellText(workspace: Answering, state: CurrentState): string | null {
  const agent = agentOfWorktree(workspace, 'shell');
  const { worktree, ignoreCase } = workspace;
  const [reason] = gateReasons(state, { worktree, ignoreCase, session: { agent } });
  const holder = reason?.holder ?? null;
  return (
    holder &&
    `${shownAgent(agent, workspace.person())} is held by ${holder.id}. If that is you, stop: holdpoint gate, without options, says why.`
  );
}

/**
 * A relative path is meant from the caller's folder; scripts also write it from the root of the worktree. A hold on
 * either denies.
 */
function namesOf({ cwd }: Io, { location, options }: Answering, file: string): string[] {
  const here = path.relative(location.worktree, realPathOf(options.fs, cwd));
  if (path.isAbsolute(file) || here === '' || here.split(path.sep)[0] === '..' || path.isAbsolute(here)) return [file];
  // Not `path.join`, which would resolve `link/..` to the folder that contains the link.
  const fromHere = `${here}${path.sep}${file}`;
  return /^\.\.?(?:[\\/]|$)/.test(file) ? [fromHere] : [fromHere, file];
}
