/**
 * Whose an agent is. In a journal that a team shares, the person is part of an agent's id: `Ada/claude-code-001`. Ids are
 * compared whole. An id without a person, from before a journal was shared, is another person's to everybody.
 */
export function personOf(agent: string): string | null {
  const end = agent.indexOf('/');
  return end < 0 ? null : agent.slice(0, end);
}

/** For readers who know whose it is, and for what all agents of a kind have in common. */
export function shortAgent(agent: string): string {
  return agent.slice(agent.indexOf('/') + 1);
}

/** As people read it where `own` is the person whose agents run here, or null: the person is left out of their ids. */
export function shownAgent(agent: string, own: string | null): string {
  return own !== null && personOf(agent) === own ? shortAgent(agent) : agent;
}

export function wholeAgent(person: string | null, name: string): string {
  return person === null ? name : `${person}/${name}`;
}

/** The id of whom a person or program names: without a person, one of their own agents. */
export function agentNamed(name: string, own: string | null): string {
  return personOf(name) === null ? wholeAgent(own, name) : name;
}

export function isOfSamePerson(agent: string, other: string): boolean {
  return personOf(agent) === personOf(other);
}

/** What agents write about each other is about the writer's own agents, unless it says whose. */
export function meantBy<T extends string | null | undefined>(writer: string, agent: T): T | string {
  return typeof agent === 'string' ? agentNamed(agent, personOf(writer)) : agent;
}

/** A name can be part of an id: one line that is seen, with a letter or digit, and without a slash. */
export function isPersonName(name: string): boolean {
  return (
    name.length <= 64 &&
    /[\p{L}\p{N}]/u.test(name) &&
    /^[^\s/\p{C}\p{Z}](?:[^/\p{C}\p{Zl}\p{Zp}]*[^\s/\p{C}\p{Z}])?$/u.test(name)
  );
}
