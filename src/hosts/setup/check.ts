/** Checks whether holds stop each host: from its files, and with the canary. */
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { onGround, tryGitHook, tryHook } from './canary.ts';
import type { CanaryTrouble, Ground, Hold } from './canary.ts';
import { configuredHook } from './configured.ts';
import { realOf } from './git.ts';
import { runClaudeCode } from './hostRun.ts';
import { readObject } from './jsonText.ts';
import { launcherTrouble } from './launcher.ts';
import { SetupError } from './names.ts';
import type { SetupName } from './names.ts';
import type { Part } from './part.ts';
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
    | 'disabled'
    | 'notDenied'
    | 'cannotTell'
    | 'deniesReading'
    | 'notClosed'
    | 'skippable'
    | 'codexUntrusted'
    | 'codexReview'
    | 'copilotUntrusted'
    | 'denied'
    /** The host itself was started and denied the call; or allowed it; or the result was unclear. */
    | 'hostDenied'
    | 'hostGoesOn'
    | 'hostUnclear';
  /** A file, or a message. */
  readonly about: string;
}

export interface HostCheck {
  readonly host: SetupName;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

/** @param start whether to start the hosts themselves, where that works without an account; takes some seconds */
export async function checkHosts(
  place: Place,
  names: readonly SetupName[],
  hold: Hold,
  { start = false }: { readonly start?: boolean } = {},
): Promise<HostCheck[]> {
  const looked = names.map((host) => ({ host, ...look(place, host) }));
  if (!looked.some(({ verdict }) => verdict === null))
    return looked.map((one) => ({ ...one, verdict: one.verdict ?? 'off' }));
  return onGround(place, hold, async (ground) => {
    const checks: HostCheck[] = [];
    for (const { host, verdict, findings, parts } of looked)
      checks.push({
        host,
        ...(verdict === null ? await tried(place, { host, parts, findings, start }, ground) : { verdict, findings }),
      });
    return checks;
  });
}

async function tried(
  place: Place,
  { host, parts, findings, start }: { host: SetupName; parts: Part[]; findings: Finding[]; start: boolean },
  ground: Ground,
): Promise<Omit<HostCheck, 'host'>> {
  const trouble = await tryOut(place, host, parts, ground);
  if (trouble) return { verdict: 'broken', findings: [{ code: trouble.code, about: trouble.detail }, ...findings] };
  const around = wayAround(place, host);
  const denied: Finding = { code: 'denied', about: '' };
  const run = start && host === 'claude-code' ? await runClaudeCode(place, ground) : null;
  if (run?.code === 'hostGoesOn') return { verdict: 'broken', findings: [run, ...findings] };
  const shown = [...(around ? [around] : []), denied, ...(run ? [run] : []), ...findings];
  return { verdict: around ? 'advisory' : 'enforced', findings: shown };
}

/** Checks the files. A null verdict means they are correct and the hook should be tried. */
function look(place: Place, host: SetupName): { verdict: Verdict | null; findings: Finding[]; parts: Part[] } {
  const parts = partsIfAny(place, host);
  const findings: Finding[] = [];
  let any = false;
  let broken = false;
  for (const part of parts) {
    if (part.kind === 'other') continue;
    try {
      const state = part.state(readPart(part).text);
      if (state !== 'missing') any = true;
      if (state === 'ours') continue;
      if (part.kind === 'hook') broken = true;
      findings.push({ code: codeOf(part.kind, state), about: part.file });
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      if (part.kind === 'hook') broken = true;
      findings.push({ code: 'unreadable', about: error.message });
    }
  }
  if (!any) return { verdict: 'off', findings: findings.filter(({ code }) => code === 'unreadable'), parts };
  const trouble = launcherTrouble(place.userFolder);
  if (trouble !== null) {
    broken = true;
    findings.unshift({ code: 'launcher', about: trouble });
  }
  const disabled = host === 'claude-code' ? disabledIn(place) : null;
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
  const part = parts.find(({ kind }) => kind === 'hook');
  if (!part) return { code: 'notDenied', detail: '' };
  if (host === 'git') return tryGitHook(ground, fs.readFileSync(part.file, 'utf8'));
  const hook = configuredHook(place, host, part, ground.folder);
  return hook ? tryHook(ground, host, hook) : { code: 'notDenied', detail: part.file };
}

/** How an agent could bypass a working hook, if it can. */
function wayAround(place: Place, host: SetupName): Finding | null {
  const { home, workspace } = place;
  if (host === 'git') return { code: 'skippable', about: 'git commit --no-verify' };
  if (host === 'copilot-cli') return copilotTrusts(place) ? null : { code: 'copilotUntrusted', about: workspace };
  if (host !== 'codex') return null;
  const file = path.join(home, '.codex', 'config.toml');
  const trusted = [workspace, realOf(workspace)].some((folder) => trustIn(file, folder) === 'trusted');
  return { code: trusted ? 'codexReview' : 'codexUntrusted', about: workspace };
}

/** Whether Copilot CLI trusts the folder or one of its parents, and so reads its files. */
function copilotTrusts({ home, env, workspace }: Place): boolean {
  const file = path.join(env['COPILOT_HOME'] ?? path.join(home, '.copilot'), 'config.json');
  try {
    const { trustedFolders } = readObject(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), file);
    const trusted: readonly unknown[] = Array.isArray(trustedFolders) ? trustedFolders : [];
    return [workspace, realOf(workspace)].some((folder) =>
      trusted.some((one) => typeof one === 'string' && path.isAbsolute(one) && isWithin(folder, one)),
    );
  } catch {
    return false;
  }
}

function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

/** `trusted` for a folder whose files Codex reads. */
function trustIn(file: string, folder: string): unknown {
  try {
    const { projects } = parse(fs.readFileSync(file, 'utf8')) as {
      projects?: Record<string, { trust_level?: unknown }>;
    };
    return projects?.[folder]?.trust_level;
  } catch {
    return undefined;
  }
}

/** A Claude Code settings file that disables all hooks. */
function disabledIn({ workspace, home }: Place): string | null {
  const files = [
    path.join(workspace, '.claude', 'settings.local.json'),
    path.join(workspace, '.claude', 'settings.json'),
    path.join(home, '.claude', 'settings.json'),
  ];
  return (
    files.find((file) => {
      try {
        return readObject(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''), file)['disableAllHooks'] === true;
      } catch {
        return false;
      }
    }) ?? null
  );
}
