/** Scripts of `sed` and `awk` that only print. Both languages can write files and run programs. */
import { operandsOf, options } from './options.ts';
import { isKnown } from './word.ts';
import type { Word } from './word.ts';

// Programs differ in whether a delimiter in brackets counts: not allowed.
const pieces = (mark: string) => String.raw`(?:[^${mark}\\\n[]|\\[^\n]|\[\^?\]?[^\]${mark}\\\n]*\])*`;
const pattern = String.raw`\/${pieces('\\/')}\/I?`;
const place = String.raw`(?:\d+|\$|${pattern})`;
const address = String.raw`(?:${place}(?:,(?:[+~]?\d+|${place}))?\s*!?\s*)?`;
const substitute = (mark: string) =>
  String.raw`s${mark}${pieces(mark)}${mark}(?:[^${mark}\\\n]|\\[^\n])*${mark}[gpIi\d]*`;
const command = String.raw`(?:[pdD=lNnGHhPx]|q\d*|${substitute('\\/')}|${substitute('\\|')}|${substitute('#')}|${substitute(',')})`;
const printing = new RegExp(String.raw`^\s*(?:${address}${command}\s*(?:[;\n]\s*|$))+$`);

const sedOptions = options('nErsuz||quiet silent regexp-extended null-data separate|');

export function sedReads(args: readonly Word[]): boolean {
  const scripts: Word[] = [];
  const rest: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const script = word.text === '-e' || word.text === '--expression' ? args[++at] : undefined;
    if (script) scripts.push(script);
    else rest.push(word);
  }
  const operands = operandsOf(rest, sedOptions);
  if (operands === null) return false;
  const [first] = operands;
  const all = scripts.length > 0 ? scripts : first ? [first] : [];
  return all.length > 0 && all.every((script) => isKnown(script) && printing.test(script.text));
}

const awkOptions = options('|Fv|field-separator= assign=|');

/** `>` and `|` write to files and programs; a comparison in parentheses is not told apart, and so refused. */
export function awkReads(args: readonly Word[]): boolean {
  const operands = operandsOf(args, awkOptions);
  const [program] = operands ?? [];
  if (program === undefined || !isKnown(program)) return false;
  const text = compared(program.text.replaceAll('||', ' ').replaceAll('>=', ' '));
  return !/[>|@`]|system|getline|close|include|load/i.test(text);
}

/** Before the first action nothing is printed: there, `>` compares. */
function compared(program: string): string {
  const [condition = ''] = /^[^{]*/.exec(program) ?? [];
  const isPlain = !condition.includes('print') && /^[\w$\s.<>=!&()+*%-]*$/.test(condition);
  return isPlain ? condition.replaceAll('>', ' ') + program.slice(condition.length) : program;
}
