/** Verbs that people try by habit. Each prints the right verb, or where a human does this; none of them does anything. */
import { Argument, type Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { printError, type Globals } from './runVerb.ts';
import type { Verbs } from './verbs.ts';

const answers = 'Humans answer questions in the editor: "holdpoint open Q-12" opens the form there.';
const approvals = 'Humans approve and reject RFCs in the editor: "holdpoint open RFC-3" opens the review there.';
const asks = 'To ask a human: holdpoint question create --text TEXT.';
const waits = 'Say what to wait for: holdpoint question await Q-12, rfc await RFC-3 or request await R-7.';
const human = 'Only a human can decide, in the editor: "holdpoint open Q-12" opens the form there.';

/** Keyed by the parent verb; `''` is the program itself. */
const habits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    answer: answers,
    approve: human,
    reject: human,
    release: human,
    unblock: human,
    ask: asks,
    raise: asks,
    create: 'Say what to create: holdpoint question create, rfc create, work register or request create.',
    show: 'Say what to show: holdpoint question show Q-12, rfc show RFC-3, or search --id E-5.',
    await: waits,
    wait: waits,
    status: 'To see what is held: holdpoint dashboard, or holdpoint work list.',
    list: 'Say what to list: holdpoint question list, rfc list, work list or request list.',
  },
  question: {
    answer: answers,
    approve: answers,
    reject: answers,
    release: answers,
    cancel: answers,
    close: answers,
    resolve: answers,
    ...{ ask: asks, raise: asks, new: asks, add: asks },
    get: 'To read one question: holdpoint question show Q-12.',
    wait: 'To wait for an answer: holdpoint question await Q-12.',
  },
  rfc: {
    approve: approvals,
    reject: approvals,
    withdraw: approvals,
    comment: approvals,
    propose: 'To propose a design: holdpoint rfc create.',
    submit: 'To submit a design: holdpoint rfc update RFC-3 --submit.',
    get: 'To read one RFC: holdpoint rfc show RFC-3.',
    wait: 'To wait for a decision: holdpoint rfc await RFC-3.',
  },
  work: {
    create: 'To register work: holdpoint work register --id ID --title TITLE.',
    start: 'To start work: holdpoint work update ID --status in_progress.',
    done: 'To finish work: holdpoint work update ID --status done.',
  },
  request: {
    accept: 'To accept a request: holdpoint request respond R-7 --action accept.',
    reject: 'To reject a request: holdpoint request respond R-7 --action reject --note TEXT.',
    complete: 'To complete a request: holdpoint request respond R-7 --action complete --note TEXT.',
    cancel: 'To cancel your own request: holdpoint request respond R-7 --action cancel --note TEXT.',
  },
};

/** Hidden from help, which lists only real verbs. */
export function habitVerbs(program: Command, { io, globals, exit }: Verbs): void {
  for (const [verb, words] of Object.entries(habits)) {
    const parent = verb === '' ? program : program.commands.find((command) => command.name() === verb);
    for (const [word, hint] of Object.entries(words)) {
      const command = parent?.command(word, { hidden: true }).allowUnknownOption();
      command?.addArgument(new Argument('[any...]')).action(() => {
        printError(io, globals(command) satisfies Globals, new AppError('bad_input', aboutAsked(hint, command.args)));
        exit(1);
      });
    }
  }
}

function aboutAsked(hint: string, args: readonly string[]): string {
  const asked = args.find((word) => /^(?:Q|RFC|R|E)-\d{1,9}$/.test(word));
  if (asked === undefined) return hint;
  const example = new RegExp(`\\b${asked.replace(/-.*/, '')}-\\d+`, 'g');
  return example.test(hint) ? hint.replace(example, asked) : hint.replace(/\bQ-12\b/g, asked);
}
