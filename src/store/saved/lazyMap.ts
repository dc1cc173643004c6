/**
 * Maps and sets of a saved state that are read as needed: looking one entry up reads little of the file, and changes are
 * kept beside it. Going through all of them loads all, once.
 */

/** What was saved. It does not change. */
export interface Source<K, V> {
  size(): number;
  has(key: K): boolean;
  get(key: K): V | undefined;
  /** In order. */
  entries(): Iterable<readonly [K, V]>;
}

/** A changed entry; undefined: deleted. */
type Changed<V> = { readonly value: V } | undefined;

export class LazyMap<K, V> extends Map<K, V> {
  /** Null once everything is in the map itself. */
  #source: Source<K, V> | null;
  readonly #changed = new Map<K, Changed<V>>();
  /** Saved keys that were deleted and set again: as in any map, they come last. */
  readonly #moved = new Set<K>();
  /** How many more entries there are than were saved. */
  #more = 0;
  /** The last key that was not in what was saved: one that is set has mostly just been looked up, several times. */
  #missing: K | undefined;

  constructor(source: Source<K, V>) {
    super();
    this.#source = source;
  }

  get isLoaded(): boolean {
    return this.#source === null;
  }

  /** Keys that were set or deleted since. None once everything is loaded. */
  changed(): Iterable<K> {
    return this.#changed.keys();
  }

  /** Those of them that come after all that was saved, in order. */
  *added(): Generator<K> {
    for (const [key, changed] of this.#changed)
      if (changed && (this.#moved.has(key) || this.#source?.has(key) !== true)) yield key;
  }

  isChanged(key: K): boolean {
    return this.#changed.has(key);
  }

  override get size(): number {
    return this.#source ? this.#source.size() + this.#more : super.size;
  }

  override has(key: K): boolean {
    if (!this.#source) return super.has(key);
    return this.#changed.has(key) ? this.#changed.get(key) !== undefined : this.#isSaved(this.#source, key);
  }

  override get(key: K): V | undefined {
    if (!this.#source) return super.get(key);
    if (this.#changed.has(key)) return this.#changed.get(key)?.value;
    const value = key === this.#missing ? undefined : this.#source.get(key);
    if (value === undefined) this.#missing = key;
    return value;
  }

  override set(key: K, value: V): this {
    if (!this.#source) return super.set(key, value);
    if (!this.has(key)) {
      this.#more += 1;
      if (this.#changed.delete(key)) this.#moved.add(key);
    }
    this.#changed.set(key, { value });
    return this;
  }

  override delete(key: K): boolean {
    if (!this.#source) return super.delete(key);
    if (!this.has(key)) return false;
    this.#more -= 1;
    if (this.#isSaved(this.#source, key)) this.#changed.set(key, undefined);
    else this.#changed.delete(key);
    this.#moved.delete(key);
    return true;
  }

  override clear(): void {
    this.#source = null;
    this.#forget();
    super.clear();
  }

  override forEach(use: (value: V, key: K, map: Map<K, V>) => void): void {
    this.#load();
    super.forEach(use);
  }

  override keys(): MapIterator<K> {
    this.#load();
    return super.keys();
  }

  override values(): MapIterator<V> {
    this.#load();
    return super.values();
  }

  override entries(): MapIterator<[K, V]> {
    this.#load();
    return super.entries();
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  #isSaved(source: Source<K, V>, key: K): boolean {
    if (key !== this.#missing && source.has(key)) return true;
    this.#missing = key;
    return false;
  }

  #load(): void {
    const source = this.#source;
    if (!source) return;
    // Not read while this throws, so that nothing is lost.
    const saved = [...source.entries()];
    for (const [key, value] of saved) {
      const changed = this.#changed.get(key);
      if (changed && !this.#moved.has(key)) super.set(key, changed.value);
      else if (!this.#changed.has(key)) super.set(key, value);
    }
    for (const [key, changed] of this.#changed) if (changed) super.set(key, changed.value);
    this.#source = null;
    this.#forget();
  }

  #forget(): void {
    this.#changed.clear();
    this.#moved.clear();
  }
}

export class LazySet<T> extends Set<T> {
  readonly #map: LazyMap<T, true>;

  constructor(source: Source<T, true>) {
    super();
    this.#map = new LazyMap(source);
  }

  /** Members that come after all that was saved, in order. None once everything is loaded. */
  added(): Iterable<T> {
    return this.#map.added();
  }

  override get size(): number {
    return this.#map.size;
  }

  override has(member: T): boolean {
    return this.#map.has(member);
  }

  override add(member: T): this {
    if (!this.#map.has(member)) this.#map.set(member, true);
    return this;
  }

  override delete(member: T): boolean {
    return this.#map.delete(member);
  }

  override clear(): void {
    this.#map.clear();
  }

  override forEach(use: (member: T, same: T, set: Set<T>) => void): void {
    for (const member of this.#map.keys()) use(member, member, this);
  }

  override keys(): SetIterator<T> {
    return this.values();
  }

  override values(): SetIterator<T> {
    return this.#map.keys();
  }

  override *entries(): SetIterator<[T, T]> {
    for (const member of this.#map.keys()) yield [member, member];
  }

  override [Symbol.iterator](): SetIterator<T> {
    return this.values();
  }
}
