/** Fields of forms as data, which the host can send with its texts. Pages draw them (webview/shared/fields.ts). */

export type Values = Readonly<Record<string, string>>;

export interface Option<T extends string = string> {
  readonly value: T;
  readonly label: string;
  readonly more?: string;
}

/**
 * Its name is the element's, and the one under which drafts and messages know it. `times` and `ways` are four fields,
 * `name-critical` to `name-low`: numbers, and choices among the options. `rows` are a JSON array of values by column.
 */
export interface FieldDef {
  readonly type:
    'line' | 'code' | 'time' | 'text' | 'lines' | 'rows' | 'select' | 'radios' | 'ticks' | 'number' | 'times' | 'ways';
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly example?: string;
  readonly options?: readonly Option[];
  /** The longest line of a field of one, the most lines or rows, or the largest number. */
  readonly max?: number;
  /** The smallest number; at least one choice or character. */
  readonly least?: number;
  /** The longest of several lines. */
  readonly longest?: number;
  readonly unit?: readonly [string, string];
  /** A regular expression for a line. */
  readonly pattern?: string;
  /** The error of a number, a choice or a line. `{text}` is what was typed. */
  readonly wrong?: string;
  /** A number in words, for a list of changes: `{n} h`; 0 if it has words of its own. */
  readonly words?: string;
  /** In words: nothing, or 0. */
  readonly none?: string;
  readonly columns?: readonly FieldDef[];
  /** It is there only with this value of another field. */
  readonly when?: readonly [field: string, value: string];
  /** A subject of its form, under which it is folded. */
  readonly subject?: string;
}
