/** Checks whether holds stop each host: from its files, and with the canary. */
import fs from 'node:fs';
import path from 'node:path';
import { onGround, tryAfterHook, tryGitHook, tryHook } from './canary.ts';
import type { CanaryTrouble, Ground, Hold } from './canary.ts';
import type { HostName } from '../names.ts';
import { denialOf, isFormHost } from '../payload/forms.ts';
import { canaryAfter, canaryCalls } from './canaryCalls.ts';
import { codexDisabledIn, codexSettings } from './codexCheck.ts';
import { configuredAfterHook, configuredHook } from './configured.ts';
import { isTable, tablesIn } from './fileData.ts';
import { geminiDisabledIn, geminiTrusts } from './geminiCheck.ts';
import { realOf } from './git.ts';
import { runHost } from './hostRun.ts';
import { isStrictJson, settingsIn } from './jsonText.ts';
import type { JsonObject } from './jsonText.ts';
import { forgetCompiled, launcherTrouble } from './launcherCheck.ts';
import type { LauncherTrouble } from './launcherCheck.ts';
import type { LauncherTarget } from './launcher.ts';
import { thisMachineOf } from './machine.ts';
import type { Machine } from './machine.ts';
import type { MachineFinding } from './machineCheck.ts';
import { SetupError, setupTitle } from './names.ts';
import type { SetupName } from './names.ts';
import type { Part } from './part.ts';
import { isWithin } from './place.ts';
import type { Place } from './place.ts';
import { partsIfAny, readPart } from './plan.ts';

/**
 * `off`: not set up. `enforced`: a held call was denied just now. `advisory`: works, but can be bypassed. `broken`:
 * partly set up, and does not stop what it should.
 */
export type Verdict = 'off' | 'enforced' | 'advisory' | 'broken';

/** The reason as a code and its subject; each head has its own words. */
export interface Finding {
  readonly code:
    | 'missing'
    | 'edited'
    | 'mcpMissing'
    | 'mcpEdited'
    | 'unreadable'
    | 'launcher'
    /** The launcher runs on another program than this one does. */
    | 'otherProgram'
    /** A file with comments or trailing commas, of a host that then ignores all of it. */
    | 'dropped'
    /** The host's settings set variables that make programs run other code. */
    | 'environment'
    | 'disabled'
    | 'notDenied'
    | 'cannotTell'
    | 'deniesReading'
    | 'notClosed'
    | 'notWatched'
    | 'skippable'
    | 'codexUntrusted'
    | 'codexReview'
    | 'copilotUntrusted'
    | 'geminiUntrusted'
    /** The host itself was never run with this hook: known from its documentation only. */
    | 'notProven'
    | 'denied'
    /** The host itself was started and denied the call; or allowed it; or the result was unclear. */
    | 'hostDenied'
    | 'hostGoesOn'
    | 'hostUnclear'
    | MachineFinding['code'];
  /** A file, or a message. */
  readonly about: string;
}

export interface HostCheck {
  readonly host: SetupName;
  readonly verdict: Verdict;
  /** Set when an administrator's rules stop the host: agents cannot edit them. */
  readonly by?: 'administrator';
  readonly findings: readonly Finding[];
}

export interface CheckOptions {
  /** What the launcher of this program starts. */
  readonly target: LauncherTarget;
  /** Whether to start the hosts themselves, where that works without an account; takes some seconds. */
  readonly start?: boolean;
  /** Whose files hosts read too. Default: this one. */
  readonly machine?: Machine;
}

export async function checkHosts(
  place: Place,
  names: readonly SetupName[],
  hold: Hold,
  { target, start = false, machine = thisMachineOf(place.platform) }: CheckOptions,
): Promise<HostCheck[]> {
  const launcher = launcherTrouble(place.userFolder, target, place.platform);
  if (launcher?.code !== 'launcher') forgetCompiled(place.userFolder);
  const looked = names.map((host) => ({ host, ...look(place, host, launcher, machine) }));
  if (!looked.some(({ verdict }) => verdict === null))
    return looked.map((one) => ({ ...one, verdict: one.verdict ?? 'off' }));
  return onGround(place, hold, async (ground) => {
    const checks: HostCheck[] = [];
    for (const { host, verdict, findings, parts } of looked)
      checks.push({
        host,
        ...(verdict === null
          ? await tried(place, { host, parts, findings, start, launcher }, ground)
          : { verdict, findings }),
      });
    return checks;
  });
}

interface Trial {
  readonly host: SetupName;
  readonly parts: readonly Part[];
  readonly findings: readonly Finding[];
  readonly start: boolean;
  readonly launcher: LauncherTrouble | null;
}

async function tried(
  place: Place,
  { host, parts, findings, start, launcher }: Trial,
  ground: Ground,
): Promise<Omit<HostCheck, 'host'>> {
  const trouble = await tryOut(place, host, parts, ground);
  if (trouble) return { verdict: 'broken', findings: [{ code: trouble.code, about: trouble.detail }, ...findings] };
  const around = wayAround(place, host) ?? (launcher?.code === 'otherProgram' ? launcher : null);
  const denied: Finding = { code: 'denied', about: '' };
  const run = start ? await runHost(place, host, ground) : null;
  if (run?.code === 'hostGoesOn') return { verdict: 'broken', findings: [run, ...findings] };
  const shown = [...(around ? [around] : []), denied, ...(run ? [run] : []), ...findings];
  return { verdict: around ? 'advisory' : 'enforced', findings: shown };
}

/** Checks the files. A null verdict means they are correct and the hook should be tried. */
function look(
  place: Place,
  host: SetupName,
  launcher: LauncherTrouble | null,
  machine: Machine,
): { verdict: Verdict | null; findings: Finding[]; parts: Part[] } {
  const parts = partsIfAny(place, host);
  const findings: Finding[] = [];
  let any = false;
  let broken = false;
  for (const part of parts) {
    if (part.kind === 'other') continue;
    try {
      const { text } = readPart(part);
      const state = part.state(text);
      if (state !== 'missing') any = true;
      if (part.strictJson === true && state !== 'missing' && !isStrictJson(text)) {
        broken ||= part.kind === 'hook';
        findings.push({ code: 'dropped', about: part.file });
        continue;
      }
      if (state === 'ours') continue;
      if (part.kind === 'hook') broken = true;
      findings.push({ code: codeOf(part.kind, state), about: part.file });
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      // A host that cannot read its settings may go on without them.
      broken = true;
      if (!findings.some(({ about }) => about === error.message))
        findings.push({ code: 'unreadable', about: error.message });
    }
  }
  if (!any) return { verdict: 'off', findings: findings.filter(({ code }) => code === 'unreadable'), parts };
  if (launcher?.code === 'launcher') {
    broken = true;
    findings.unshift(launcher);
  }
  const disabled = disabledIn(place, host, machine);
  if (disabled !== null) {
    broken = true;
    findings.unshift({ code: 'disabled', about: disabled });
  }
  return { verdict: broken ? 'broken' : null, findings, parts };
}

function codeOf(kind: Part['kind'], state: 'missing' | 'edited'): Finding['code'] {
  if (kind === 'mcp') return state === 'missing' ? 'mcpMissing' : 'mcpEdited';
  return state;
}

async function tryOut(place: Place, host: SetupName, parts: readonly Part[], ground: Ground): Promise<CanaryTrouble> {
  const [part, agentHost] = parts.filter(({ kind }) => kind === 'hook');
  if (!part) return { code: 'notDenied', detail: '' };
  if (host === 'git') return tryGitHook(ground, fs.readFileSync(part.file, 'utf8'));
  const trouble = await tryAs(host, part);
  // VS Code's second file is for the Agent Host, in the form of the CLI.
  return trouble ?? (host === 'vscode' && agentHost ? tryAs('copilot-cli', agentHost) : null);

  async function tryAs(name: HostName, { file }: Part): Promise<CanaryTrouble> {
    const hook = configuredHook(place, name, file, ground.folder);
    if (!hook) return { code: 'notDenied', detail: file };
    const held = path.join(ground.folder, 'held.txt');
    const calls = canaryCalls(name, ground.folder, held);
    const trouble = await tryHook(ground, { hook, calls, denial: denialOf(name) });
    const after = trouble ? null : configuredAfterHook(place, name, file, ground.folder);
    return after ? tryAfterHook(ground, after, canaryAfter(name, ground.folder, held)) : trouble;
  }
}

/** How an agent could bypass a working hook, if it can. */
function wayAround(place: Place, host: SetupName): Finding | null {
  const { workspace } = place;
  if (host === 'claude-code') return environmentIn(place);
  if (host === 'gemini-cli') return geminiTrusts(place) ? null : { code: 'geminiUntrusted', about: workspace };
  if (host !== 'git' && isFormHost(host)) return { code: 'notProven', about: setupTitle(host) };
  if (host === 'git') return { code: 'skippable', about: 'git commit --no-verify' };
  if (host === 'copilot-cli') return copilotTrusts(place) ? null : { code: 'copilotUntrusted', about: workspace };
  if (host !== 'codex') return null;
  const trusted = [workspace, realOf(workspace)].some((folder) => trustIn(codexSettings(place), folder) === 'trusted');
  return { code: trusted ? 'codexReview' : 'codexUntrusted', about: workspace };
}

/** Whether Copilot CLI trusts the folder or one of its parents, and so reads its files. */
function copilotTrusts({ home, env, workspace }: Place): boolean {
  const file = path.join(env['COPILOT_HOME'] ?? path.join(home, '.copilot'), 'config.json');
  const { trustedFolders } = settingsIn(file);
  const trusted: readonly unknown[] = Array.isArray(trustedFolders) ? trustedFolders : [];
  return [workspace, realOf(workspace)].some((folder) =>
    trusted.some((one) => typeof one === 'string' && path.isAbsolute(one) && isWithin(folder, one)),
  );
}

/** `trusted` for a folder whose files Codex reads. */
function trustIn(file: string, folder: string): unknown {
  const { projects } = tablesIn(file);
  const project = isTable(projects) ? projects[folder] : undefined;
  return isTable(project) ? project['trust_level'] : undefined;
}

/** A settings file of the host that turns its hooks off. */
function disabledIn(place: Place, host: SetupName, machine: Machine): string | null {
  if (host === 'codex') return codexDisabledIn(place, machine);
  if (host === 'gemini-cli') return geminiDisabledIn(place);
  if (host !== 'claude-code') return null;
  return claudeSettings(place).find(({ settings }) => settings['disableAllHooks'] === true)?.file ?? null;
}

/** Read by the shell that runs a hook, before anything can clear them. */
const loaded = /^(?:LD_|DYLD_|BASH_FUNC_|BASH_ENV$|ENV$|SHELLOPTS$)/;

/** Variables of Claude Code's settings that make the hook's shell run other code. */
function environmentIn(place: Place): Finding | null {
  for (const { file, settings } of claudeSettings(place)) {
    const env = settings['env'];
    const names = typeof env === 'object' && env !== null ? Object.keys(env).filter((name) => loaded.test(name)) : [];
    if (names.length > 0) return { code: 'environment', about: `${names.join(', ')} in ${file}` };
  }
  return null;
}

/** The settings that Claude Code can read. */
function claudeSettings({ workspace, home }: Place): { readonly file: string; readonly settings: JsonObject }[] {
  const files = [
    path.join(workspace, '.claude', 'settings.local.json'),
    path.join(workspace, '.claude', 'settings.json'),
    path.join(home, '.claude', 'settings.json'),
  ];
  return files.map((file) => ({ file, settings: settingsIn(file) }));
}
