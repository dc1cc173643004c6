/**
 * The verbs of `holdpoint` with which a held agent asks, records and looks. Every other verb counts as one that changes
 * files. A test compares this with the command line's verbs, which hooks must not load.
 */
import { isKnown, type Word } from './word.ts';

const asking =
  // `restore` puts held files back as they were when the hold began.
  'question rfc work gate restore briefing post resolve supersede search request responsibility relationship dashboard history keys open help inbox watch reminders'.split(
    ' ',
  );
const changingWith: Readonly<Record<string, readonly string[]>> = {
  audit: ['--export'],
  check: ['--markdown'],
  export: ['--out'],
};

export const verbNames: readonly string[] = [...asking, ...Object.keys(changingWith)];

export function asksHoldpoint(args: readonly Word[]): boolean {
  const verb = args.find(({ text }, index) => !text.startsWith('-') && args[index - 1]?.text !== '--workspace');
  if (verb === undefined) return args.every(({ text }) => text === '--help' || text === '--version');
  if (!isKnown(verb)) return false;
  if (asking.includes(verb.text)) return true;
  const options = Object.hasOwn(changingWith, verb.text) ? changingWith[verb.text] : undefined;
  // The shell may substitute other words.
  const isOther = ({ text, glob, unknown }: Word) =>
    glob || unknown === 'split' || options?.some((option) => text === option || text.startsWith(`${option}=`)) === true;
  return options !== undefined && !args.some(isOther);
}
