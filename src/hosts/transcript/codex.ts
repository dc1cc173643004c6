/**
 * Rollout files of Codex: a record has the tokens of each request; earlier versions say them in an event after the tools
 * have run. They say how many were read from a cache, not how long that lasts. Source: test/fixtures/transcripts, of
 * version 0.169.0.
 */
import type { ContextUse } from '../../core/records/waitNote.ts';
import type { Fields } from '../payload/fields.ts';
import { count, modelOf, part } from './tail.ts';

/** @param lines the latest first */
export function codexContext(lines: readonly Fields[]): ContextUse | null {
  const usage = lines.map(usageOf).find((found) => Object.keys(found).length > 0);
  if (!usage) return null;
  const turn = lines.find(({ type }) => type === 'turn_context');
  return {
    tokens: count(usage, 'input_tokens') + count(usage, 'output_tokens'),
    cached: count(usage, 'cached_input_tokens'),
    ...(turn ? modelOf(part(turn, 'payload')) : {}),
  };
}

/** Of one request; empty for other lines. */
function usageOf(line: Fields): Fields {
  const payload = part(line, 'payload');
  if (line['type'] === 'token_usage_record') return part(payload, 'usage');
  return line['type'] === 'event_msg' && payload['type'] === 'token_count'
    ? part(part(payload, 'info'), 'last_token_usage')
    : {};
}
