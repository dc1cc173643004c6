/** Parsers of options and arguments of the command line. */
import { InvalidArgumentError } from 'commander';

export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

/** A whole number, 1 or more. */
export function count(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('Must be a whole number, 1 or more.');
}
