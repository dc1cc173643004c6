/** Resources are collected where they are created, and closed together. */
export interface Closable {
  readonly dispose: () => unknown;
}

export interface Disposables extends Closable {
  add<T extends Closable>(item: T): T;
}

export function collect(): Disposables {
  const items: Closable[] = [];
  return {
    add(item) {
      items.push(item);
      return item;
    },
    dispose() {
      for (const item of items.splice(0).reverse()) item.dispose();
    },
  };
}
