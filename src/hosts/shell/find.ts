/** `find`: expressions that only read, the programs it runs for each file, and what it reaches. */
import { namesEverything, removed } from './names.ts';
import { acting, isKnown, opaque, together, type Effect, type Step, type Word } from './word.ts';

const tests =
  /^(?:[!(),]|-(?:i?(?:name|path|wholename|regex|lname)|x?type|(?:max|min)depth|not|and|or|a|o|size|[acm](?:time|min)|[ac]?newer|empty|prune|print0?|ls|depth|d|follow|[LHPEsx]|perm|user|group|links|inum|samefile|readable|writable|executable|daystart|mount|xdev|quit|true|false|nouser|nogroup|\d+))$/;
const valued =
  /^-(?:i?(?:name|path|wholename|regex|lname)|type|newer\w*|user|group|perm|size|links|\w?(?:time|min)|(?:max|min)depth)$/;

/** The commands after `-exec` and its kind; without an end, all that follows. */
function commandsIn(args: readonly Word[]) {
  return args.flatMap(({ text: option }, at) => {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(option)) return [];
    const rest = args.slice(at + 1);
    const end = rest.findIndex(({ text }, to) => text === ';' || (text === '+' && rest[to - 1]?.text === '{}'));
    return [{ option, at, end: at + 1 + end, isWhole: end > 0, words: rest.slice(0, end < 0 ? undefined : end) }];
  });
}

/** @param onlyReads whether the program of `-exec` does */
export function findReads(
  args: readonly Word[],
  onlyReads: (program: string, args: readonly Word[]) => boolean,
): boolean {
  const commands = commandsIn(args);
  const areRead = commands.every(({ option, isWhole, words: [program, ...inner] }) => {
    if (!isWhole || option.startsWith('-ok') || !program || !isKnown(program)) return false;
    // The name of a file found below an operand: not an option, but of unknown text.
    const given = inner.map((one) => (one.text.includes('{}') ? { ...one, text: `./${one.text}`, glob: true } : one));
    return onlyReads(program.text, given);
  });
  const others = args.filter((_, at) => !commands.some((one) => at >= one.at && at <= one.end));
  const isTest = ({ text, glob, unknown }: Word, at: number) => {
    if (unknown !== undefined || (glob && /^[*?[]/.test(text))) return false;
    return !/^[-!(]/.test(text) || tests.test(text) || valued.test(others[at - 1]?.text ?? '');
  };
  return areRead && others.every(isTest);
}

/** The commands that `find` runs. The names that it finds are one word each, of which nothing else is known. */
export function foundBy(step: Step): Step[] {
  return commandsIn(step.words).map(({ option, words }) => ({
    ...{ ...step, writes: [] },
    words: words.map((word) => (word.text.includes('{}') ? { ...word, unknown: word.unknown ?? 'quoted' } : word)),
    bases: option.endsWith('dir') ? [...step.bases, null] : step.bases,
  }));
}

/** All below the folders that it starts in, by default the current one, and all that its actions name. */
export function findEffect({ words, bases }: Step): Effect {
  const args = words.slice(1);
  const isTest = ({ text }: Word) => /^[-(!),]/.test(text);
  const first = args.findIndex((word) => isTest(word) && !/^-(?:[HLP]|O\d|D)$/.test(word.text));
  const at = first < 0 ? args.length : first;
  const given = args.slice(0, at).filter((word) => !isTest(word));
  const actions = args
    .slice(at)
    .filter((word, index, all) => !isTest(word) && !valued.test(all[index - 1]?.text ?? ''));
  const texts = args.map(({ text }) => text);
  const removes = texts.some((text) => /^(?:-delete|rm|mv|shred|unlink)$/.test(text)) && !leavesStore(texts.join(' '));
  const found = namesEverything(given.length === 0 ? [{ text: '.', glob: false }] : given, bases, 'files');
  return together([
    removes ? removed(found) : found,
    namesEverything(actions, bases, 'files'),
    texts.some((text) => text.startsWith('-files0')) ? opaque('folders that a file names') : acting,
  ]);
}

/** Whether all that is found has a name that nothing of the store has, before anything is done to it. */
function leavesStore(line: string): boolean {
  const isNamed =
    /^[^!,]*?-i?name (?:[*\w.-]*\.(?:log|tmp|bak|orig|rej|swp|py[co]|class|o|a|so|map|snap|[cm]?[jt]sx?|py|css|html)|node_modules|__pycache__|dist|build|out|coverage|target|\.(?:next|turbo|cache|venv|\w+_cache)|[*\w.-]*~)(?: |$)/;
  const [before = ''] = line.split(/ -(?:delete|exec|ok)/);
  return isNamed.test(before) && !/(?:^| )(?:!|-not|,|-or?)(?: |$)/.test(line);
}
