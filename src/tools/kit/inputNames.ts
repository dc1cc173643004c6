/** What the caller typed for each input of a tool, for example `--due` for `due_at`; empty for callers that give inputs. */
export type InputNames = ReadonlyMap<string, string>;

/** The option stands for the whole input: `--choice` for `choices[0].label`. */
export function typedName(names: InputNames | undefined, field: string): string {
  return names?.get(/^\w+/.exec(field)?.[0] ?? '') ?? field;
}

/** An error's message begins with the field it is about; other names in it are recognized by their underscore. */
export function inTypedNames(message: string, names: InputNames | undefined): string {
  const [start = ''] = /^\w+(?:\[\d+\])?(?:\.\w+)?(?=:| ")/.exec(message) ?? [];
  const rest = message.slice(start.length).replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => names?.get(word) ?? word);
  return typedName(names, start) + rest;
}
