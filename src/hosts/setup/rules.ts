/** Checks the hooks of a folder together with an administrator's rules, which count for every folder. */
import { onGround } from './canary.ts';
import type { Hold } from './canary.ts';
import { checkHosts } from './check.ts';
import type { CheckOptions, HostCheck } from './check.ts';
import { isMachineHost } from './machine.ts';
import type { Machine } from './machine.ts';
import { lookAtMachine, tryMachine } from './machineCheck.ts';
import type { MachineCheck } from './machineCheck.ts';
import type { SetupName } from './names.ts';
import type { Place } from './place.ts';

export async function checkRules(
  place: Place,
  names: readonly SetupName[],
  hold: Hold,
  { machine, ...options }: CheckOptions & { readonly machine: Machine },
): Promise<HostCheck[]> {
  const checks = await checkHosts(place, names, hold, { ...options, machine });
  const set = names
    .filter((name) => isMachineHost(name))
    .filter((host) => lookAtMachine(machine, host).verdict !== 'none');
  if (set.length === 0) return checks;
  return onGround(place, hold, async (ground) => {
    const tried = new Map<SetupName, MachineCheck>();
    for (const host of set) tried.set(host, await tryMachine(machine, host, ground));
    return checks.map((check) => withRules(check, tried.get(check.host)));
  });
}

/** Rules that work stop the host whatever its files in the folder say; what they lack besides the hook still counts. */
export function withRules(check: HostCheck, rules: MachineCheck | undefined): HostCheck {
  if (!rules || rules.verdict === 'none') return check;
  if (rules.verdict === 'broken') {
    const verdict = check.verdict === 'off' ? 'broken' : check.verdict;
    return { ...check, verdict, findings: [...rules.findings, ...check.findings] };
  }
  const rest = check.findings.filter(({ code }) => code === 'mcpMissing' || code === 'mcpEdited');
  return {
    host: check.host,
    verdict: 'enforced',
    by: 'administrator',
    findings: [{ code: 'denied', about: '' }, ...rest],
  };
}
