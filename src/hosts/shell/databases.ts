/** Text for clients of databases that only asks: the rest could write files or run programs. */
import { isKnown } from './word.ts';
import type { Word } from './word.ts';

const functions = /^(?:count|sum|min|max|avg|now|coalesce|lower|upper|length|in|and|or|values|exists)$/i;

/** One statement that reads, without functions of other names, which a server may have any of. */
function isPlainQuery(text: string): boolean {
  if (!/^\s*(?:select|show|explain\s+select)\b[^;\\|`]*;?\s*$/i.test(text) || /\b(?:into|copy|pragma)\b/i.test(text))
    return false;
  return [...text.matchAll(/([\w."]+)\s*\(/g)].every(([, name = '']) => functions.test(name));
}

/** `psql … -c 'select 1'`, `sqlite3 app.db .tables` */
export function onlyAsks(program: string, args: readonly Word[]): boolean {
  if (!args.every(isKnown)) return false;
  const texts = args.map(({ text }) => text);
  if (program === 'sqlite3') {
    const [file = '-', command = '', ...more] = texts.filter(
      (text) => !/^-(?:header|csv|json|readonly|column)$/.test(text),
    );
    const isListing = /^\.(?:tables|schema|indexes|databases)(?:\s+\w+)?$/.test(command);
    return !file.startsWith('-') && more.length === 0 && (isListing || isPlainQuery(command));
  }
  const at = texts.findIndex((text) => /^(?:-c|--command|-e|--execute)$/.test(text));
  const [command = '', ...more] = texts.slice(at + 1);
  const isListing = /^\\(?:d[tnfiuvs]?|l)\+?(?:\s+[\w.]+)?$/.test(command);
  const isPlain = (text: string) => /^(?:-[UdhpAtqXw]|-[AtqX]{2,}|--csv|[\w.@-]+|postgres(?:ql)?:\/\/\S+)$/.test(text);
  return at >= 0 && (isListing || isPlainQuery(command)) && [...texts.slice(0, at), ...more].every(isPlain);
}
