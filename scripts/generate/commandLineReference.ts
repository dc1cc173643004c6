/** The verbs of operations, with their options and arguments as the help lists them. */
import { argumentsOf, optionsOf } from '../../src/cli/kit/verb.ts';
import { operationVerbs } from '../../src/cli/operationVerbs.ts';
import { operations } from '../../src/tools/catalog.ts';

interface Verb {
  readonly verb: string;
  /** Of inputs and of what they are made of. */
  readonly inputs: readonly string[];
  readonly accepted: readonly string[];
}

const gate: Verb = {
  verb: 'gate',
  inputs: ['work_id', 'files'],
  accepted: ['work', 'file', 'commit', 'staged', 'message-file'].map((name) => `--${name}`),
};

/** By the operation's name. */
export const verbsOf: Readonly<Record<string, readonly Verb[]>> = Object.fromEntries(
  operations.map(({ name }) => [name, name === 'check_gate' ? [gate] : verbsOfOperation(name)]),
);

function verbsOfOperation(name: string): Verb[] {
  return operationVerbs
    .filter(({ operation }) => operation?.name === name)
    .map((verb) => {
      const options = optionsOf(verb).map((given) => ({ name: given.name, written: given.option.long ?? '' }));
      const all = [...argumentsOf(verb), ...options];
      return {
        verb: verb.words.replace(/ [<[].*$/, ''),
        inputs: all.map((one) => one.name),
        accepted: all.map(({ written }) => written),
      };
    });
}
