/** The folders that a command may run in. */
import { computed, isKnown, type Folders, type Word } from './word.ts';

const basesAtMost = 32;

export function isMove(program: string): boolean {
  return program === 'cd' || program === 'pushd' || program === 'popd';
}

/** @param folder of a name that is known */
export function movedTo(bases: Folders, folder: string): Folders {
  if (/^(?:[\\/]|[A-Za-z]:)/.test(folder)) return [folder];
  return bases.map((base) => (base === null ? null : base === '.' ? folder : `${base}/${folder}`));
}

export function merged(...all: Folders[]): Folders {
  const found = [...new Set(all.flat())];
  return found.length > basesAtMost ? [null] : found;
}

/** `tar -C src`, `npm --prefix src`: names are relative to either folder. */
export function withFolderFlags(bases: Folders, words: readonly Word[]): Folders {
  return words.reduce<Folders>((all, { text }, index) => {
    const attached = /^(?:-C|--(?:directory|prefix|cwd|chdir)=)(.+)$/.exec(text)?.[1];
    const isFlag = /^(?:-C|--directory|--prefix|--cwd|--chdir|-w)$/.test(text) && words[0]?.text !== 'curl';
    const folder = attached ?? (isFlag ? words[index + 1]?.text : undefined);
    return folder === undefined ? all : merged(all, folder.includes(computed) ? [null] : movedTo(all, folder));
  }, bases);
}

export interface Moving {
  /** Variables of the environment whose values are known. */
  readonly environment: ReadonlyMap<string, string>;
  /** Relative folders of `cd` may be elsewhere. */
  readonly cdPath: boolean;
}

/** Where `cd`, `pushd` or `popd` leads to, if it succeeds. */
export function movedBy(words: readonly Word[], bases: Folders, { environment, cdPath }: Moving): Folders {
  const [program, ...args] = words;
  const [folder, ...rest] = args.filter(({ text }, at) => text !== '--' && !(at === 0 && /^-[PLe]+$/.test(text)));
  if (program?.text === 'cd' && args.length === 0) return [environment.get('HOME') ?? null];
  if (folder === undefined || rest.length > 0 || program?.text === 'popd') return [null];
  if (!isKnown(folder) || folder.text.startsWith('-')) return [null];
  const isPlain = /^(?:\.{0,2}\/|\.{1,2}$)/.test(folder.text);
  return merged(movedTo(bases, folder.text), cdPath && !isPlain ? [null] : []);
}
