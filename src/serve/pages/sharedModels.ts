/** What pages show, made once for all pages that show the same, until something has changed. */

/** What is not in the journal, such as whether a file exists, may be this old. Milliseconds. */
const ageAtMost = 1_000;

export interface SharedModels {
  /** @param key names the model, and who sees it */
  of<Model>(key: readonly (string | null)[], make: () => Model): Model;
  /** A shared model as JSON, which is also made once. */
  textOf(model: object): string;
  clear(): void;
}

interface Sharing {
  /** How far the journal was read when the models were made. */
  readonly position: number | undefined;
  readonly since: number;
  readonly models: Map<string, unknown>;
}

export interface SharedModelsOptions {
  /** How far the journal was read. */
  readonly position: () => number | undefined;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export function createSharedModels({ position, clock }: SharedModelsOptions): SharedModels {
  const begin = (): Sharing => ({ position: position(), since: clock(), models: new Map() });
  const texts = new WeakMap<object, string>();
  let sharing = begin();
  return {
    of<Model>(key: readonly (string | null)[], make: () => Model) {
      if (sharing.position !== position() || clock() - sharing.since >= ageAtMost) sharing = begin();
      const name = JSON.stringify(key);
      const model = sharing.models.get(name) ?? make();
      sharing.models.set(name, model);
      return model as Model;
    },
    textOf(model) {
      const text = texts.get(model) ?? JSON.stringify(model);
      texts.set(model, text);
      return text;
    },
    clear() {
      sharing = begin();
    },
  };
}
