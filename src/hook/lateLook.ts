/**
 * What a hook answers if it fails after a call: that one has run, so nothing is denied, and the agent reads what was not
 * looked at.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type Printed, payloadIn } from '../hosts/call.ts';
import { callerOf, adapterFor } from '../hosts/hosts.ts';
import { printAnswer } from '../hosts/payload/print.ts';
import { endedEvent } from '../hosts/payload/read.ts';
import type { HookHost } from '../hosts/host.ts';

const namedAtMost = 10;

/** Null for a call that has not run yet, or cannot be read: it is denied. */
export function failedLook(
  { host, form, folder }: { readonly host: HookHost; readonly form?: string; readonly folder: string | null },
  bytes: Uint8Array | null,
  why: string,
  env: Readonly<Record<string, string | undefined>>,
): Printed | null {
  if (bytes === null) return null;
  try {
    const payload = payloadIn(bytes);
    const adapter = adapterFor(callerOf(host, payload, env), form);
    const eventName = endedEvent(adapter, payload);
    if (eventName === null) return null;
    return printAnswer(adapter, { eventName }, { kind: 'context', text: failedLookText(folder, why) });
  } catch {
    return null;
  }
}

export function failedLookText(folder: string | null, why: string): string {
  const held = folder === null ? [] : holdersIn(folder);
  const files = held.length === 0 ? 'held files' : `the files held by ${held.join(', ')}`;
  return `Holdpoint: after this call, ${files} could not be compared with their baseline (${why.replaceAll(/\s+/g, ' ').slice(0, 200)}). The call itself was not stopped; the next look compares them.`;
}

function holdersIn(folder: string): string[] {
  const place = path.join(folder, '.holdpoint', 'baselines');
  const names = fs.existsSync(place) ? fs.readdirSync(place) : [];
  const ids = [...new Set(names.flatMap((name) => /^((?:Q|RFC)-\d+)\.[0-9a-f]{16}\.json$/.exec(name)?.[1] ?? []))];
  return ids.length > namedAtMost ? [...ids.slice(0, namedAtMost), `${String(ids.length - namedAtMost)} more`] : ids;
}
