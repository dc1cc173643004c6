/** `holdpoint gate`: allows or denies, for shells, commits and scripts. Exits 2 unless the answer is "allow". */
import { fewNames } from '../../core/kit/few.ts';
import path from 'node:path';
import * as z from 'zod';
import { agentOfWorktree } from '../../app/workspace/agents.ts';
import { askGate } from '../../app/hold/gate.ts';
import { lookAtHeld, withBaselines } from '../../app/hold/lookAtHeld.ts';
import { realPathOf } from '../../app/workspace/paths.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { confirmWith, sharedData } from '../../app/workspace/freshness.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import { gateReasons } from '../../core/hold/gate.ts';
import { requestsWaitingFor } from '../../core/request/waiting.ts';
import type { CurrentState } from '../../core/state/state.ts';
import { heldChangesText } from '../../tools/kit/heldChangeTexts.ts';
import { waitingIdsText } from '../../tools/kit/requestTexts.ts';
import { gateText } from '../../tools/kit/texts.ts';
import { verbGuide } from '../kit/guide.ts';
import type { ExitCode, Io } from '../kit/io.ts';
import { jsonOf, printError, type Globals } from '../kit/runVerb.ts';
import { isNamed, openFolder, shellSession } from '../kit/session.ts';
import { reasonData } from './reasonData.ts';

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
  // Most schemas are used once here: compiling them takes longer.
  z.config({ jitless: true });
  try {
    return await answerFrom(io, flags, options);
  } catch (error) {
    printError(io, flags, error, { result: 'denied', names: new Map([['files', '--file']]) });
    return 2;
  }
}

async function answerFrom(io: Io, flags: Globals, options: GateOptions): Promise<ExitCode> {
  const workspace = openFolder(io, flags.workspace);
  try {
    const asked = fewNames([options.work, ...options.file].filter((subject) => subject !== undefined));
    const session = sessionOf();
    await confirmWith(workspace);
    const found = await lookAtHeld(workspace);
    const asking = askGate(workspace, {
      work: options.work,
      files: options.file.flatMap((file) => namesOf(io, workspace, file)),
      session,
    });
    const answer = await withBaselines(workspace, asking);
    const { state: folded } = workspace.current();
    const agent = typeof session === 'object' ? session.agent : null;
    const waiting = folded && agent !== null ? requestsWaitingFor(folded, agent) : [];
    const gate =
      answer.why ??
      gateText(answer, {
        guide: verbGuide,
        asked: asked === '' ? 'this session' : asked,
        work: folded?.work.get(options.work ?? ''),
      });
    const changed = folded && heldChangesText(folded, found);
    const more = waiting.length === 0 ? [] : [waitingIdsText(waiting, verbGuide)];
    const ofShell = folded && session === undefined ? heldShellText(workspace, folded) : null;
    const text = [gate, ofShell, changed, ...more].filter((line) => line !== null).join('\n');
    const { verdict, state, conditions, constraints } = answer;
    if (flags.json) {
      const reasons = answer.reasons.map((reason) => ({ ...reasonData(reason), people: reason.people ?? null }));
      io.out(
        jsonOf({
          schema: 'gate',
          data: {
            ...{ result: resultOf(verdict), verdict, state, reasons, conditions, constraints },
            shared: sharedData(answer.shared),
            requests_waiting: waiting.length,
            text,
          },
        }),
      );
    } else if (verdict === 'allow') io.out(text);
    else io.err(text);
    return verdict === 'allow' ? 0 : 2;

    function sessionOf() {
      if (isNamed(io)) return { agent: shellSession(io, workspace).actor.id };
      return asked === '' ? ('unknown' as const) : undefined;
    }
  } finally {
    workspace.close();
  }
}

/**
 * A caller without a name may be a human's script, so holds on its session do not deny. It may as well be an agent that
 * asked something on the command line.
 */
function heldShellText(workspace: Workspace, state: CurrentState): string | null {
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
function namesOf({ cwd }: Io, { location, options }: Workspace, file: string): string[] {
  const here = path.relative(location.worktree, realPathOf(options.fs, cwd));
  if (path.isAbsolute(file) || here === '' || here.split(path.sep)[0] === '..' || path.isAbsolute(here)) return [file];
  // Not `path.join`, which would resolve `link/..` to the folder that contains the link.
  const fromHere = `${here}${path.sep}${file}`;
  return /^\.\.?(?:[\\/]|$)/.test(file) ? [fromHere] : [fromHere, file];
}

export function resultOf(verdict: 'allow' | 'deny'): 'proceed' | 'denied' {
  return verdict === 'allow' ? 'proceed' : 'denied';
}
