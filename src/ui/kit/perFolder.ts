/** A value of each folder, computed once: every look at a store asks its file system for news of other programs. */
import type { OpenFolder } from './folders.ts';

export function perFolder<T>(compute: (folder: OpenFolder) => T): (folder: OpenFolder) => T {
  const known = new Map<OpenFolder, { readonly value: T }>();
  return (folder) => {
    const value = known.get(folder) ?? { value: compute(folder) };
    known.set(folder, value);
    return value.value;
  };
}
