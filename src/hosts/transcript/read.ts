/** What a host's transcript says about the context of a session. */
import { contextLimits } from '../../core/records/waitNote.ts';
import type { ContextUse } from '../../core/records/waitNote.ts';
import type { HookHost } from '../names.ts';
import type { Fields } from '../payload/fields.ts';
import { claudeCodeContext } from './claudeCode.ts';
import { codexContext } from './codex.ts';
import { tailOf } from './tail.ts';
import type { Reading } from './tail.ts';

/** Transcripts of the other hosts have no tokens, or hooks do not name the file. */
const readers: Partial<Record<HookHost, (lines: readonly Fields[]) => ContextUse | null>> = {
  'claude-code': claudeCodeContext,
  codex: codexContext,
};

/** Null if the host does not say. Never throws. */
export function contextIn(fs: Reading, host: HookHost, transcript: string): ContextUse | null {
  const read = readers[host];
  const found = read ? read(tailOf(fs, transcript)) : null;
  if (!found || found.tokens === 0 || found.tokens > contextLimits.tokens) return null;
  return (found.cached ?? 0) <= found.tokens ? found : null;
}
