import { InvalidArgumentError } from 'commander';

/** For options that can be repeated. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

export function seconds(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number < 0 || value.trim() === '')
    throw new InvalidArgumentError('Must be a number of seconds, 0 or more.');
  return number;
}

/** A whole number, 1 or more. */
export function count(value: string): number {
  return whole(value, 1);
}

/** A whole number, 0 or more. */
export function countOrNone(value: string): number {
  return whole(value, 0);
}

function whole(value: string, least: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || value.trim() === '')
    throw new InvalidArgumentError(`Must be a whole number, ${String(least)} or more.`);
  return number;
}

/** A JSON object; its size and shape are the tool's to judge. */
export function jsonObject(value: string): object {
  const read = () => {
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return null;
    }
  };
  const given = read();
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given;
  throw new InvalidArgumentError('Give a JSON object, such as {"ticket": "API-7"}.');
}
