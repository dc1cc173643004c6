/** Expressions of `find` that only read, and the programs it may run for each file. */
import type { Word } from './word.ts';

const words = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -not -and -or -a -o ! ( ) -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -empty -prune -print -print0 -printf -ls -depth -d -follow -L -H -P -perm -user -group -uid -gid -links -inum -samefile -readable -writable -executable -daystart -mount -xdev -noleaf -quit -true -false -lname -ilname -nouser -nogroup -E -s -x -newermt -newerct -newerat'.split(
    ' ',
  ),
);

type OnlyReads = (program: string, args: readonly Word[]) => boolean;

/** @param onlyReads whether the program of `-exec` does */
export function findReads(args: readonly Word[], onlyReads: OnlyReads): boolean {
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) return false;
    const { text } = word;
    if (word.unknown !== undefined || (word.glob && /^[*?[]/.test(text))) return false;
    if (/^-(?:exec|execdir)$/.test(text)) {
      const rest = args.slice(at + 1);
      const end = rest.findIndex(
        (one, index) => one.text === ';' || (one.text === '+' && rest[index - 1]?.text === '{}'),
      );
      const [program, ...inner] = rest.slice(0, Math.max(0, end));
      if (end < 1 || program === undefined || program.unknown !== undefined || program.glob) return false;
      // The name of a file found below an operand: not an option, but of unknown text.
      const given = inner.map((one) => (one.text.includes('{}') ? { ...one, text: `./${one.text}`, glob: true } : one));
      if (!onlyReads(program.text, given)) return false;
      at += end + 1;
    } else if (/^[-!(]/.test(text) && !words.has(text) && !/^-(?:\d+|O\d)$/.test(text) && !isValue(args[at - 1]))
      return false;
  }
  return true;
}

/** `-mtime -1`, `-size -10k`, `-perm -u+x`, `-newer -x`. */
function isValue(before: Word | undefined): boolean {
  return /^-(?:[acm](?:time|min)|size|perm|links|name|iname)$/.test(before?.text ?? '');
}
