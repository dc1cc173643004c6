/** Options that do not go together, or only with another one: an error before the verb runs, so that none is ignored. */
import type { Command } from 'commander';

interface Rules {
  /** The first option of a list goes with none of the others. */
  readonly apart: readonly (readonly [option: string, ...others: string[]])[];
  /** The first option is for the second one only. */
  readonly needs: readonly (readonly [option: string, other: string])[];
}

const byVerb: Readonly<Record<string, Rules>> = {
  setup: {
    apart: [
      ['--command', '--host', '--remove', '--machine', '--keys', '--dry-run', '--check', '--live'],
      ['--live', '--host', '--remove', '--machine', '--keys', '--dry-run'],
      ['--check', '--remove', '--keys', '--dry-run'],
      ['--remove', '--keys'],
    ],
    needs: [
      ['--live', '--check'],
      ['--keys', '--machine'],
    ],
  },
};

/** Checks the options of each verb of this program that has such rules. */
export function keepApart(program: Command): void {
  program.hook('preAction', (_, verb) => {
    const problem = problemOf(byVerb[verb.name()], (option) => isGiven(verb, option));
    if (problem !== null) verb.error(`error: ${problem}`);
  });
}

function problemOf(rules: Rules | undefined, isThere: (option: string) => boolean): string | null {
  for (const [option, ...others] of rules?.apart ?? []) {
    const other = isThere(option) ? others.find(isThere) : undefined;
    if (other !== undefined) return `${option} and ${other} do not go together: give one of them`;
  }
  const alone = rules?.needs.find(([option, other]) => isThere(option) && !isThere(other));
  return alone ? `${alone[0]}: only with ${alone[1]}` : null;
}

/** @throws Error for an option that the verb does not have */
function isGiven(verb: Command, flag: string): boolean {
  const option = verb.options.find(({ long }) => long === flag);
  if (!option) throw new Error(`${verb.name()} has no option ${flag}`);
  return verb.getOptionValueSource(option.attributeName()) === 'cli';
}
