/** What a second registration changed, field by field. */
export interface FieldChange {
  readonly field: string;
  readonly from: Value;
  readonly to: Value;
}

type Value = string | null | readonly string[];

/** Fields in which two views of one thing differ. */
export function changesBetween<K extends string>(
  before: Readonly<Record<K, Value>>,
  after: Readonly<Record<K, Value>>,
  fields: readonly K[],
): FieldChange[] {
  return fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }));
}
