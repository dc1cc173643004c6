/** Programs that write files whose names are in no word of the command, or in one option of many. */
import { namesEverything, removed } from './names.ts';
import { acting, isKnown, opaque, together } from './word.ts';
import type { Effect, Step, Word } from './word.ts';

/** Null for another program, and for uses in which any word may be a file. */
export function writtenBy(program: string, step: Step): Effect | null {
  const args = step.words.slice(1);
  switch (program) {
    case 'tar':
    case 'bsdtar':
    case 'gtar':
      return tarEffect(step);
    case 'unzip':
      return unpacking(step, /^-[a-zA-Z]*[lptvzZ]/, /^-[a-zA-Z]*d$|^-d./);
    case '7z':
    case '7za':
      return unpacking(step, /^[lti]$/, /^-o./);
    case 'cpio':
    case 'pax':
    case 'unar':
    case 'unrar':
    case 'tarfile':
      return intoFolder(step);
    case 'curl':
      return curlEffect(step) ?? (args.some(savesByName) ? intoFolder(step) : null);
    case 'wget':
      return together([everyWord(step), ...(isPlainDownload(args) ? [downloads(step)] : [intoFolder(step)])]);
    case 'zip':
      if (args.some(({ text }) => /^-\w*TT|^--un/.test(text))) return opaque('a program that zip runs');
      // It reads all others, unless it moves them or writes a log.
      return args.some(({ text }) => /^-\w*(?:[mbO]|lf)|^--/.test(text)) ? everyWord(step) : archiveOf(step);
    case 'find':
    case 'gfind':
      return findEffect(step);
    case 'file':
      return args.some(({ text }) => /^-\w*C|^--c/.test(text))
        ? together([everyWord(step), opaque('a compiled file, named after another')])
        : null;
    case 'go':
      return /^(?:build|install)$/.test(args[0]?.text ?? '') ? goEffect(step) : null;
    case 'esbuild':
      return args.some(({ text }) => text.startsWith('--out'))
        ? namesEverything(
            args.filter(({ text }) => text.startsWith('--')),
            step.bases,
          )
        : null;
    case 'gh':
      // What it is given goes to a server.
      if (/^(?:api|pr|issue|workflow|label|auth|search|status|variable|secret|browse)$/.test(args[0]?.text ?? ''))
        return acting;
      return /^(?:release|run) download$/.test(`${args[0]?.text ?? ''} ${args[1]?.text ?? ''}`)
        ? intoFolder(step)
        : null;
    case 'rename':
    case 'prename':
    case 'csplit':
    case 'zmv':
    case 'mmv':
      return together([everyWord(step), opaque(`names that ${program} computes`)]);
    case 'split':
      return together([
        everyWord(step),
        args.some(({ text }) => text.startsWith('--additional') || text.startsWith('--filter'))
          ? opaque('names that split computes')
          : acting,
      ]);
    case 'cmake':
      return cmakeEffect(step);
    default:
      return null;
  }
}

function everyWord({ words, inputs, bases }: Step, fills = false): Effect {
  return namesEverything([...words.slice(1), ...inputs], bases, 'files', fills);
}

function archiveOf({ words, bases }: Step): Effect {
  const [archive] = words.slice(1).filter(({ text }) => !text.startsWith('-'));
  return namesEverything(archive ? [archive, { ...archive, text: `${archive.text}.zip` }] : [], bases, 'files');
}

/** No file or folder of the store has such a name. */
const otherNames =
  /^(?:[*\w.-]*\.(?:log|tmp|bak|orig|rej|swp|pyc|pyo|class|o|a|so|map|snap|[cm]?[jt]sx?|py|rb|go|rs|java|css|html|DS_Store)|node_modules|__pycache__|dist|build|out|coverage|target|\.(?:next|turbo|cache|venv|\w+_cache)|[*\w.-]*~)$/;
const valued = /^-(?:i?(?:name|regex|lname)|type|newer\w*|user|group|perm|size|\w?(?:time|min)|(?:max|min)depth)$/;

/** All below the folders that it starts in, by default the current one, and all that its actions name. */
function findEffect({ words, bases }: Step): Effect {
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

/** The folder it is started in, or those that its words name. */
function intoFolder(step: Step): Effect {
  return together([everyWord(step), namesEverything([{ text: '.', glob: false }], step.bases, 'files')]);
}

/** With a folder of its own, the one it is started in stays as it is. Other first words only list or test. */
function unpacking(step: Step, listing: RegExp | null, folder: RegExp): Effect {
  const [first, ...more] = step.words.slice(1);
  const onlyLists = first !== undefined && listing?.test(first.text) === true;
  const hasFolder = [first, ...more].some((word) => word !== undefined && folder.test(word.text));
  return onlyLists || hasFolder ? everyWord(step, hasFolder) : intoFolder(step);
}

const tarOption =
  /^(?:-[cruAtxzjJZvfpPhaCkX]+|--(?:create|extract|get|list|append|update|gzip|bzip2|xz|zstd|verbose|file(?:=.*)?|directory(?:=.*)?|exclude(?:=.*)?|exclude-vcs|strip-components=\d+|no-same-owner))$/;

function tarEffect(step: Step): Effect {
  const args = step.words.slice(1);
  const [first, ...more] = args;
  if (first === undefined || !args.every(isKnown)) return intoFolder(step);
  // `tar xzf x` has the letters without a dash.
  const letters = first.text.startsWith('-') ? first : { ...first, text: `-${first.text}` };
  const options = [letters, ...more].filter(({ text }) => text.startsWith('-'));
  if (!options.every(({ text }) => tarOption.test(text)))
    return together([intoFolder(step), opaque('options of tar that may run programs')]);
  const has = (letter: string, ...names: readonly string[]) =>
    options.some(({ text }) => (text.startsWith('--') ? names.includes(text.slice(2)) : text.includes(letter)));
  if (has('P')) return opaque('absolute names in an archive');
  if (has('x', 'extract', 'get')) return unpacking(step, null, /^-[a-zA-Z]*C$|^--directory/);
  const file = fileOfArchive(args);
  if (file === undefined) return everyWord(step);
  // All others are only read.
  return namesEverything(has('t', 'list') ? [] : [file], step.bases, 'files');
}

/** `-czf x`, `czf x`, `-f x`, `--file=x`; undefined where several words may be it. */
function fileOfArchive(args: readonly Word[]): Word | undefined {
  const attached = args.filter(({ text }) => text.startsWith('--file='));
  const at = args.flatMap(({ text }, index) =>
    /^-[a-zA-Z]*f$/.test(text) || text === '--file' || (index === 0 && /^[a-zA-Z]*f$/.test(text)) ? [index] : [],
  );
  if (attached.length + at.length !== 1) return undefined;
  const [option] = attached;
  return option ? { ...option, text: option.text.slice('--file='.length) } : args[(at[0] ?? 0) + 1];
}

const dataOption = /^(?:-[dF]|--(?:data(?:-raw|-binary|-urlencode|-ascii)?|json|form|form-string))$/;
const plainOption =
  /^(?:-[sSLfkivIgNnG46#]+|--(?:silent|show-error|location|fail|fail-with-body|head|include|insecure|get|compressed|verbose|http1\.1|http2|no-progress-meter))$/;
const valuedOption =
  /^(?:-[HAebmurX]|--(?:header|user-agent|user|url|max-time|connect-timeout|request|retry|retry-delay|resolve|noproxy))$/;

/** What is sent names no file that changes; what is received goes where `-o` and `-O` say. */
function curlEffect(step: Step): Effect | null {
  const args = step.words.slice(1);
  const written: Word[] = [];
  const urls: Word[] = [];
  let remoteName = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined || word.unknown === 'split') return null;
    const { text } = word;
    const cluster = /^-([sSLfkivIgNnG46#]*)([oOwdHAebmurXF])$/.exec(text);
    const option = cluster ? `-${cluster[2] ?? ''}` : text;
    if (option === '-O' || option === '--remote-name') remoteName = true;
    else if (option === '-o' || option === '--output') written.push(withoutNumbers(args[++at] ?? word));
    else if (option === '-w' || option === '--write-out') {
      if (/%output|%\{?output/.test(args[++at]?.text ?? '%output')) return null;
    } else if (dataOption.test(option) || valuedOption.test(option)) at++;
    else if (/^-[XH]./.test(text)) continue;
    else if (!text.startsWith('-')) urls.push(word);
    else if (!plainOption.test(text)) return null;
  }
  const named = remoteName ? urls.map(lastName) : [];
  return { ...namesEverything([...written, ...named], step.bases, 'files'), readOnly: false };
}

/** `#1` stands for a part of the address. */
function withoutNumbers(word: Word): Word {
  return { ...word, text: word.text.replace(/#\d.*$/s, '*') };
}

/** In other forms, files are named after the address, or by the server. */
function savesByName({ text }: Word): boolean {
  return /^(?:-[a-zA-Z#0-9]*[OJKo]|--(?:remote|output|config|next)|-:)/.test(text);
}

function lastName(word: Word): Word {
  return { ...word, text: word.text.replace(/[?#].*$/, '').replace(/^.*\//, '') || '.' };
}

/** One file for each address, named after it. */
function isPlainDownload(args: readonly Word[]): boolean {
  return args.every(
    ({ text, unknown }) =>
      unknown === undefined && (!text.startsWith('-') || /^(?:-[qOcNPS]+|-q|--quiet|-O.+|-P.+)$/.test(text)),
  );
}

function downloads(step: Step): Effect {
  const urls = step.words.slice(1).filter(({ text }) => !text.startsWith('-'));
  return namesEverything(urls.map(lastName), step.bases, 'files');
}

/** `-S .` is only read; all that is written is in the folder of `-B` and `--build`. */
function cmakeEffect(step: Step): Effect | null {
  const args = step.words.slice(1);
  const at = args.findIndex(({ text }) => text === '-B' || text === '--build');
  if (at < 0 || args.some(({ text }) => /^-[EP]$/.test(text))) return null;
  return namesEverything(
    args.filter((_, index) => args[index - 1]?.text !== '-S'),
    step.bases,
  );
}

/** Without -o, the program gets the name of the folder. */
function goEffect(step: Step): Effect | null {
  const args = step.words.slice(1);
  const at = args.findIndex(({ text }) => /^--?o$/.test(text));
  if (at < 0 || args.some(({ text }) => /^--?(?:o=|C|pkgdir|modfile|overlay|toolexec|exec)/.test(text))) return null;
  return namesEverything(args.slice(at + 1, at + 2), step.bases, 'files');
}
