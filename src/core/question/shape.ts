/**
 * Open questions of the same shape: alike in all that a human decides on but parts of one sentence, as "Add dependency
 * zod?" and "Add dependency vite?". One signed act may answer them together. Pure.
 */
import { hidesSomething } from '../kit/visible.ts';
import { isChanged } from '../state/heldChanges.ts';
import { needsPasskey, rulesFor, isUnruled } from '../state/quorum.ts';
import { type OpenQuestion, type Question, type State, isWaiting, undecidedQuestions } from '../state/state.ts';
import { tickedUpTo } from '../kit/words.ts';

/** Longer texts are read one by one. */
const wordsAtMost = 60;
const textAtMost = 400;
/** Words that may differ at one place besides versions, numbers, paths and quoted names. */
const gapAtMost = 2;
/** Of more open questions, only the oldest are compared: the list does it after each change. */
const lookedAtMost = 200;

/** A part of a text; `differs` where the questions of its group do. */
export interface Part {
  readonly text: string;
  readonly differs: boolean;
}

/** Questions of one shape, in the order in which they were asked: at least two. */
export interface SameShape {
  readonly questions: readonly OpenQuestion[];
  readonly parts: ReadonlyMap<string, readonly Part[]>;
}

/**
 * Whether an answer that was given for several may be this question's. Critical ones and those that need several people
 * are decided by themselves; so are those that come with more than a list of them could show: evidence, a payload, an
 * assumption, a thread, changes of held files.
 */
function isGroupable(state: State, question: Question): boolean {
  const { facts, urgency, status, resolution, askBacks, widened } = question;
  if (status !== 'pending' || resolution !== null || urgency === 'critical' || widened !== null) return false;
  if (!facts.isGroupable || askBacks.length > 0) return false;
  const files = state.heldFiles.get(question.id);
  return rulesFor(state, question).length === 0 && !(files && isChanged(files));
}

/**
 * Groups open questions by shape. A question is in one group at most: the largest that it fits.
 * @param questions in the order in which they were asked
 */
export function sameShapes(state: State, questions: Iterable<OpenQuestion>): SameShape[] {
  const looked = [...questions].filter((question) => isGroupable(state, question)).slice(0, lookedAtMost);
  const all = looked.flatMap((question) => fitsOf(question, alikeOf(state, question)));
  const taken = new Set<string>();
  const groups: SameShape[] = [];
  const largest = [...Map.groupBy(all, ({ key }) => key).values()]
    .filter((fits) => fits.length > 1)
    .sort((a, b) => b.length - a.length || (b[0]?.literal ?? 0) - (a[0]?.literal ?? 0));
  for (const fits of largest) {
    const free = fits.filter(({ question }) => !taken.has(question.id));
    if (free.length < 2) continue;
    for (const { question } of free) taken.add(question.id);
    groups.push({ questions: free.map(({ question }) => question), parts: partsOf(free) });
  }
  return groups;
}

/** The text of a group's questions with … where they differ. */
export function templateOf({ questions, parts }: SameShape): string {
  const first = parts.get(questions[0]?.id ?? '') ?? [];
  return first.map(({ text, differs }) => (differs ? '…' : text)).join('');
}

/** What must be equal. */
function alikeOf(state: State, question: OpenQuestion): string {
  const { type, choices, multiple, freeText, for: addressee } = question.raised;
  const { urgency, mode } = question;
  return JSON.stringify([type, urgency, mode, choices, multiple, freeText, addressee, needsPasskey(state, question)]);
}

interface Token {
  readonly text: string;
  readonly kind: 'space' | 'mark' | 'word' | 'variable';
}

/** A question without some of its words: `from` to `to` (exclusive, indexes of tokens) are its gap. */
interface Fit {
  readonly question: OpenQuestion;
  readonly key: string;
  readonly tokens: readonly Token[];
  readonly from: number;
  readonly to: number;
  /** Number of words that must be equal. */
  readonly literal: number;
}

const marks = `["'\`“”‘’()[\\]{}<>*?!.,;:]`;
const word = new RegExp(`^(${marks}*)(.*?)(${marks}*)$`, 'su');
/** Numbers, versions, paths, packages, identifiers. */
const variable = /[\p{N}/\\@_]|[^-.]\.[^-.]|\S-\S|\p{Ll}\p{Lu}/u;
const quote = /["'`“‘]$/u;
/** A word that turns a sentence into its opposite is not a name. */
const negation = /^(?:no|not|never|none|without|cannot|\p{L}+n['’]t)$/iu;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [piece] of text.matchAll(/\s+|\S+/gu)) {
    if (piece.trim() === '') {
      tokens.push({ text: piece, kind: 'space' });
      continue;
    }
    const [, before = '', inner = '', after = ''] = word.exec(piece) ?? [];
    if (before !== '') tokens.push({ text: before, kind: 'mark' });
    if (inner !== '')
      tokens.push({ text: inner, kind: variable.test(inner) || quote.test(before) ? 'variable' : 'word' });
    if (after !== '') tokens.push({ text: after, kind: 'mark' });
  }
  return tokens;
}

/** Every way in which a question can be like others: as it is, or with a gap of one or two words. */
function fitsOf(question: OpenQuestion, alike: string): Fit[] {
  const { text } = question.raised;
  if (text.length > textAtMost || text.includes('\n') || hidesSomething(text)) return [];
  const tokens = tokensOf(text);
  const words = tokens.flatMap(({ kind }, index) => (kind === 'word' || kind === 'variable' ? [index] : []));
  if (words.length > wordsAtMost) return [];
  const symbols = tokens.map(({ kind, text }) => (kind === 'variable' ? '' : text));
  const isWord = (index: number) => tokens[index]?.kind === 'word';
  const all = words.filter(isWord).length;
  const fits: Fit[] = [];
  const add = (from: number, to: number, inGap: number) => {
    const literal = all - inGap;
    if (literal * 2 < words.length || literal === 0) return;
    const key = JSON.stringify([alike, symbols.slice(0, from), symbols.slice(to), from === to]);
    fits.push({ question, key, tokens, from, to, literal });
  };
  add(tokens.length, tokens.length, 0);
  // A sentence that begins with another verb asks for something else.
  for (const [nth, from] of words.entries()) {
    if (nth === 0) continue;
    for (const last of words.slice(nth, nth + gapAtMost)) {
      const gap = tokens.slice(from, last + 1);
      if (gap.some((token) => token.kind === 'word' && negation.test(token.text))) break;
      add(from, last + 1, gap.filter(({ kind }) => kind === 'word').length);
    }
  }
  return fits;
}

/** Marks what differs: the gap, and each version, number or name that is not the same in all. */
function partsOf(fits: readonly Fit[]): SameShape['parts'] {
  const at = (fit: Fit, index: number) => fit.tokens[index]?.text;
  const fromEnd = (fit: Fit, index: number) => fit.tokens.at(-index)?.text;
  const [first] = fits;
  const differs = (text: (fit: Fit) => string | undefined) => fits.some((fit) => first && text(fit) !== text(first));
  const isOther = (fit: Fit, index: number) => {
    if (index >= fit.from && index < fit.to) return true;
    return index < fit.from
      ? differs((one) => at(one, index))
      : differs((one) => fromEnd(one, fit.tokens.length - index));
  };
  const others = first ? first.tokens.map((_, index) => isOther(first, index)) : [];
  return new Map(
    fits.map((fit) => [
      fit.question.id,
      mergeParts(
        fit.tokens.map(({ text }, index) => {
          if (index >= fit.from && index < fit.to) return { text, differs: true };
          const same = index < fit.from ? index : index - fit.tokens.length + others.length;
          return { text, differs: others[same] ?? true };
        }),
      ),
    ]),
  );
}

function mergeParts(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last?.differs === part.differs) all[all.length - 1] = { ...part, text: last.text + part.text };
    else all.push(part);
  }
  return all;
}

// Assumptions that agents continue with, and which of them a human can confirm with a plain yes.

/** Whether a yes to what the agent assumes is an answer to the question, and still would be one. */
export function isConfirmable(question: Question): boolean {
  const { mode, status, facts } = question;
  return mode === 'async' && status === 'pending' && isWaiting(question) && facts.isConfirmable;
}

/** Whether the form of several assumptions ticks one before the human has looked at it: never a critical one. */
export function isTickedAtFirst({ policy }: State, { urgency }: Pick<Question, 'urgency'>): boolean {
  const upTo = policy.assumptions?.tickedUpTo ?? 'high';
  return urgency !== 'critical' && tickedUpTo.options.indexOf(urgency) <= tickedUpTo.options.indexOf(upTo);
}

/** The questions of one agent, or of all, whose assumptions can be confirmed, in the order they were asked. */
export function confirmableQuestions(state: State, agent?: string): Question[] {
  return undecidedQuestions(state).filter(
    (question) =>
      isConfirmable(question) && isUnruled(state, question) && (agent === undefined || question.asker.id === agent),
  );
}
