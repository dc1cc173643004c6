/**
 * Transcripts of Claude Code: each message of the model has the usage of its request. What was read from the cache or
 * written to it can be read by the next request. How long it lasts is what the request asked for (`5m` or `1h`); earlier
 * versions say only what was written. Source: test/fixtures/transcripts, of version 2.1.330; platform.claude.com/docs,
 * "Prompt caching".
 */
import type { ContextUse } from '../../core/records/waitNote.ts';
import type { Fields } from '../payload/fields.ts';
import { count, modelOf, part } from './tail.ts';

/** @param lines the latest first */
export function claudeCodeContext(lines: readonly Fields[]): ContextUse | null {
  const messages = lines.filter(isOwn);
  if (!messages[0]) return null;
  const latest = part(messages[0], 'message');
  const usage = part(latest, 'usage');
  const cached = count(usage, 'cache_read_input_tokens') + count(usage, 'cache_creation_input_tokens');
  const tokens = count(usage, 'input_tokens') + cached + count(usage, 'output_tokens');
  const cacheSeconds = messages.map(secondsOf).find((seconds) => seconds !== null);
  return { tokens, cached, ...(cacheSeconds ? { cacheSeconds } : {}), ...modelOf(latest) };
}

/** Of the session itself, not of an agent that it started; nor a message that Claude Code wrote in the model's name. */
function isOwn(line: Fields): boolean {
  const message = part(line, 'message');
  if (line['type'] !== 'assistant' || line['isSidechain'] === true || message['model'] === '<synthetic>') return false;
  return Object.keys(part(message, 'usage')).length > 0;
}

const requested: ReadonlyMap<unknown, number> = new Map([
  ['5m', 300],
  ['1h', 3_600],
]);

/** Where both were written, the shorter time counts. */
function secondsOf(line: Fields): number | null {
  const asked = requested.get(line['promptCacheRequested']);
  if (asked !== undefined) return asked;
  const written = part(part(part(line, 'message'), 'usage'), 'cache_creation');
  if (count(written, 'ephemeral_5m_input_tokens') > 0) return 300;
  return count(written, 'ephemeral_1h_input_tokens') > 0 ? 3_600 : null;
}
