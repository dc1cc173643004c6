/**
 * What setup puts into one file. A file may have several parts, of one host or several; everything else in it belongs
 * to the user. Texts have no byte order mark and keep their line endings; null means the file does not exist.
 */
import type { SetupName } from './names.ts';

/** `edited`: present, but different from what setup writes. */
export type PartState = 'missing' | 'ours' | 'edited';

export interface Part {
  readonly host: SetupName;
  /** Absolute. */
  readonly file: string;
  /** Real path of a folder; links must not lead outside of it. */
  readonly root: string;
  readonly kind: 'hook' | 'mcp' | 'other';
  /** JSON of a host that ignores the whole file for a comment or a trailing comma. */
  readonly strictJson?: boolean;
  /** The place of a single value in a file of settings, which setup may replace. */
  readonly at?: readonly string[];
  /** Mode of a file that setup creates; default 0644. */
  readonly mode?: number;
  /** @throws SetupError when the text cannot be parsed */
  state(text: string | null): PartState;
  /**
   * Adds the part to a text without it.
   * @throws SetupError when that is impossible
   */
  add(text: string | null): string;
  /** Removes our part, edited or not. Null when nothing of the user's remains. */
  strip(text: string): string | null;
}

/** The line ending of a text; default: line feed. */
export function lineEnd(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') && !/[^\r]\n/.test(text) ? '\r\n' : '\n';
}
