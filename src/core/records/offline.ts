/** What programs of development versions allowed while the server of a shared journal did not answer. It has no effect. */
import * as z from 'zod';
import { list, record } from './parts.ts';
import { instant, otherText, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';

const pathsShown = 20;

export const offlineRecords = [
  record('gate.decidedOffline', () => ({
    /** Names the outage on one machine, so that it is recorded once. */
    span: z.string().regex(/^[0-9a-f-]{36}\.\d{1,4}$/),
    /** When the server had last confirmed the machine's copy. */
    since: instant,
    /** The first and the last thing that was allowed, and how many. */
    from: instant,
    to: instant,
    count: z.int().min(1),
    by: z.array(textField(limits.id)).min(1).max(limits.listItems),
    paths: list(otherText).refine((paths) => paths.length <= pathsShown, `at most ${String(pathsShown)}`),
    /** There was more than this machine noted. */
    more: z.boolean().default(false),
  })),
] as const;
export type DecidedOffline = z.infer<(typeof offlineRecords)[number]['schema']>;

export function decidedOfflineText({ from, to, count, by, paths, more }: DecidedOffline): string {
  const number = `${more ? 'at least ' : ''}${String(count)} ${count === 1 ? 'act' : 'acts'}`;
  const files = paths.length === 0 ? '' : `: ${paths.join(', ')}`;
  return `${number} of ${by.join(', ')}, ${from} to ${to}${files}`;
}
