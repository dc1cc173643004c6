/** `find`: expressions that only read, the programs it runs for each file, and what it reaches. */
import { namesEverything, removed } from './names.ts';
import { acting, isKnown, opaque, together, type Effect, type Step, type Word } from './word.ts';

const words = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -not -and -or -a -o ! ( ) -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -empty -prune -print -print0 -printf -ls -depth -d -follow -L -H -P -perm -user -group -uid -gid -links -inum -samefile -readable -writable -executable -daystart -mount -xdev -noleaf -quit -true -false -lname -ilname -nouser -nogroup -E -s -x -newermt -newerct -newerat'.split(
    ' ',
  ),
);

type OnlyReads = (program: string, args: readonly Word[]) => boolean;

/** The commands after `-exec` and its kind; without an end, all that follows. */
function commandsIn(args: readonly Word[]) {
  return args.flatMap(({ text: option }, at) => {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(option)) return [];
    const rest = args.slice(at + 1);
    const end = rest.findIndex(
      (one, index) => one.text === ';' || (one.text === '+' && rest[index - 1]?.text === '{}'),
    );
    return [{ option, at, end: at + 1 + end, isWhole: end > 0, words: rest.slice(0, end < 0 ? undefined : end) }];
  });
}

/** @param onlyReads whether the program of `-exec` does */
export function findReads(args: readonly Word[], onlyReads: OnlyReads): boolean {
  const commands = commandsIn(args);
  const areRead = commands.every(({ option, isWhole, words: [program, ...inner] }) => {
    if (!isWhole || option.startsWith('-ok') || !program || !isKnown(program)) return false;
    // The name of a file found below an operand: not an option, but of unknown text.
    const given = inner.map((one) => (one.text.includes('{}') ? { ...one, text: `./${one.text}`, glob: true } : one));
    return onlyReads(program.text, given);
  });
  const others = args.filter((_, at) => !commands.some((one) => at >= one.at && at <= one.end));
  return (
    areRead &&
    others.every(({ text, glob, unknown }, at) => {
      if (unknown !== undefined || (glob && /^[*?[]/.test(text))) return false;
      return !/^[-!(]/.test(text) || words.has(text) || /^-(?:\d+|O\d)$/.test(text) || isValue(others[at - 1]);
    })
  );
}

/** `-mtime -1`, `-size -10k`, `-perm -u+x`, `-newer -x`. */
function isValue(before: Word | undefined): boolean {
  return /^-(?:[acm](?:time|min)|size|perm|links|name|iname)$/.test(before?.text ?? '');
}

/** The commands that `find` runs. The names that it finds are one word each, of which nothing else is known. */
export function foundBy(step: Step): Step[] {
  return commandsIn(step.words).map(({ option, words }) => ({
    ...step,
    words: words.map((word) => (word.text.includes('{}') ? { ...word, unknown: word.unknown ?? 'quoted' } : word)),
    writes: [],
    bases: option.endsWith('dir') ? [...step.bases, null] : step.bases,
  }));
}

/** No file or folder of the store has such a name. */
const otherNames =
  /^(?:[*\w.-]*\.(?:log|tmp|bak|orig|rej|swp|pyc|pyo|class|o|a|so|map|snap|[cm]?[jt]sx?|py|rb|go|rs|java|css|html|DS_Store)|node_modules|__pycache__|dist|build|out|coverage|target|\.(?:next|turbo|cache|venv|\w+_cache)|[*\w.-]*~)$/;
const valued = /^-(?:i?(?:name|regex|lname)|type|newer\w*|user|group|perm|size|\w?(?:time|min)|(?:max|min)depth)$/;

/** All below the folders that it starts in, by default the current one, and all that its actions name. */
export function findEffect({ words, bases }: Step): Effect {
  const args = words.slice(1);
  const isTest = ({ text }: Word) => /^[-(!),]/.test(text);
  const at = args.findIndex((word) => isTest(word) && !/^-(?:[HLP]|O\d|D)$/.test(word.text));
  const given = (at < 0 ? args : args.slice(0, at)).filter((word) => !isTest(word));
  const starts = given.length === 0 ? [{ text: '.', glob: false }] : given;
  const actions = (at < 0 ? [] : args.slice(at)).filter(
    (word, index, all) => !isTest(word) && !valued.test(all[index - 1]?.text ?? ''),
  );
  const removes = args.some(({ text }) => /^(?:-delete|rm|mv|shred|unlink)$/.test(text));
  const found = namesEverything(starts, bases, 'files');
  return together([
    removes && !leavesStore(args.map(({ text }) => text)) ? removed(found) : found,
    namesEverything(actions, bases, 'files'),
    args.some(({ text }) => text.startsWith('-files0')) ? opaque('folders that a file names') : acting,
  ]);
}

/** Whether all that is found has some of the other names, before anything is done to it. */
function leavesStore(texts: readonly string[]): boolean {
  const isNamed = (at: number) => /^-i?name$/.test(texts[at] ?? '') && otherNames.test(texts[at + 1] ?? '');
  const first = texts.findIndex((_, at) => isNamed(at));
  const acts = texts.findIndex((text) => /^-(?:delete|exec|ok)/.test(text));
  return (
    first >= 0 &&
    first < acts &&
    !texts.some((text) => /^(?:!|-not|,)$/.test(text)) &&
    texts.every((text, at) => !/^-o(?:r)?$/.test(text) || (isNamed(at - 2) && isNamed(at + 1)))
  );
}
