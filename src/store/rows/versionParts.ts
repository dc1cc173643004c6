/**
 * Which rows this program can read. It follows from what they are made of: the schema, the word lists and the format of
 * records. Rows of another version are rebuilt from the journal.
 */
import * as words from '../../core/kit/words.ts';
import { format } from '../../core/records/format.ts';
import * as requestWords from '../../core/records/requestWords.ts';
import * as rfcWords from '../../core/records/rfcWords.ts';
import { sha256 } from '../../trust/canonical.ts';
import { schema } from './schema.ts';

/** @returns a positive 31-bit number: the range of SQLite's `user_version` */
export function versionOf(parts: unknown): number {
  return parseInt(sha256(Buffer.from(JSON.stringify(parts))).slice(0, 8), 16) >>> 1;
}

/** For the build and tests: in the bundles, the names that a module exports cannot be listed. */
export function versionParts() {
  const lists = Object.entries({ ...words, ...rfcWords, ...requestWords }).flatMap(([name, list]) =>
    typeof list === 'object' && 'options' in list ? [[name, list.options]] : [],
  );
  return { format: format.current, schema, lists };
}
