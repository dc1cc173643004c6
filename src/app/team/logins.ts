/** How the logins of a person are called. */
import { isPersonName } from '../../core/kit/persons.ts';
import { AppError } from '../workspace/errors.ts';

export interface PersonsNames {
  readonly person: string;
  readonly login: string;
  readonly kind: 'human' | 'agent';
}

/** `Ada Lovelace` becomes ada_lovelace, and ada_lovelace_agent for the agents. */
export function loginsOf(person: string): PersonsNames[] {
  if (!isPersonName(person))
    throw new AppError('bad_input', `"${person}" cannot be part of an agent's id: use a name of one line without "/"`);
  const plain = person.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const login = plain.replace(/[^a-z0-9]+/g, '_').replace(/^[_0-9]+|_+$/g, '');
  if (login === '' || login.length > 50)
    throw new AppError('bad_input', `"${person}" gives no login: use a name with Latin letters, at most 50`);
  return [
    { person, login, kind: 'human' },
    { person, login: `${login}_agent`, kind: 'agent' },
  ];
}
